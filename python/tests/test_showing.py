"""ts.display and ts.difference against NumPy and scikit-image."""

import numpy as np
import pytest
import texelscope as ts
from conftest import need, strided


def grey(values):
    return np.floor(np.clip(values, 0, 1) * 255 + 0.5)


def test_levels_exposure_curve_and_gamma():
    random = np.random.default_rng(0)
    array = random.uniform(-0.5, 4, (13, 17, 3)).astype(np.float32)
    shown = ts.display(array)
    assert shown.shape == (13, 17, 4) and shown.dtype == np.uint8 and (shown[..., 3] == 255).all()
    assert np.array_equal(shown[..., :3], grey(array))
    assert np.abs(ts.display(array, exposure=-2)[..., :3] - grey(array / 4)).max() <= 1
    assert np.abs(ts.display(array, black=1, white=3)[..., :3] - grey((array - 1) / 2)).max() <= 1
    assert np.abs(ts.display(array, gamma=2.2)[..., :3] - grey(np.clip(array, 0, 1) ** (1 / 2.2))).max() <= 1
    positive = np.abs(array)
    luma = positive @ np.array([0.2126, 0.7152, 0.0722])
    assert np.abs(ts.display(positive, curve="reinhard")[..., :3] - grey(positive / (1 + luma[..., None]))).max() <= 1
    aces = positive * (2.51 * positive + 0.03) / (positive * (2.43 * positive + 0.59) + 0.14)
    assert np.abs(ts.display(positive, curve="aces")[..., :3] - grey(aces)).max() <= 1
    assert np.abs(ts.display(array, invert=True)[..., :3] - grey(1 - np.clip(array, 0, 1))).max() <= 1


def test_integers_are_shown_as_they_are():
    random = np.random.default_rng(1)
    array = random.integers(0, 256, (9, 8, 3), dtype=np.uint8)
    assert np.array_equal(ts.display(array)[..., :3], array)
    assert np.array_equal(ts.display(strided(random, array), channels="last")[..., :3], array)
    assert np.array_equal(ts.display(np.ascontiguousarray(np.moveaxis(array, -1, 0)))[..., :3], array)
    assert np.array_equal(ts.Image(array).display()[..., :3], array)
    wide = random.integers(0, 65536, (9, 8), dtype=np.uint16)
    assert np.abs(ts.display(wide)[..., 0] - grey(wide / 65535)).max() <= 1
    out = np.zeros((9, 8, 4), np.uint8)
    assert ts.display(array, out=out) is out and np.array_equal(out[..., :3], array)


def test_marks_maps_and_channels():
    array = np.array([[np.nan, np.inf, -np.inf, 0.5]], np.float32)
    assert ts.display(array)[0, :, :3].tolist() == [[255, 0, 255], [255, 255, 0], [0, 255, 255], [128, 128, 128]]
    ramp = np.linspace(0, 1, 256, dtype=np.float32).reshape(1, -1)
    for name in ("ember", "lagoon", "grey"):
        colours = ts.display(ramp, map=name)[0, :, :3].astype(float)
        assert np.all(np.diff(colours @ [0.2126, 0.7152, 0.0722]) > -2) and len(np.unique(colours, axis=0)) > 200
    colour = np.random.default_rng(2).random((5, 6, 3)).astype(np.float32)
    assert np.abs(ts.display(colour, channel="second")[..., 0] - grey(colour[..., 1])).max() <= 1
    assert np.abs(ts.display(colour, channel="luma")[..., 0] - grey(colour @ [0.2126, 0.7152, 0.0722])).max() <= 1
    other = colour + 0.05
    shown = ts.display(colour, against=other, gain=8)
    assert np.abs(shown[..., :3].astype(int) - round(255 * 0.4)).max() <= 1


def test_alpha_lies_over_the_backdrop():
    picture = np.zeros((16, 16, 4), np.float32)
    assert set(np.unique(ts.display(picture, alpha="premultiplied")[..., 0])) == {102, 153}
    assert len(np.unique(ts.display(picture, alpha="premultiplied", backdrop="grey")[..., 0])) == 1


@pytest.mark.parametrize("dtype", ["float32", "uint8", "uint16", "float64"])
def test_differences_are_those_of_numpy(dtype):
    random = np.random.default_rng(3)
    top = {"uint8": 255, "uint16": 65535}.get(dtype, 1)
    a, b = ((random.random((7, 9, 3)) * top).astype(dtype) for _ in range(2))
    x, y = a.astype(float), b.astype(float)
    for kind, expected in (("signed", x - y), ("absolute", np.abs(x - y)), ("squared", (x - y) ** 2),
                           ("relative", np.abs(x - y) / np.maximum(np.abs(y), top / 255))):
        ours = ts.difference(a, b, kind)
        assert ours.dtype == np.float32 and ours.shape == a.shape
        assert np.abs(ours - expected).max() <= 1e-5 * np.abs(expected).max(), kind
    unit = ts.difference(a, b, "squared", values="unit", dtype="float64")
    assert np.abs(unit - ((x - y) / top) ** 2).max() < 1e-6
    planes = ts.difference(np.moveaxis(a, -1, 0).copy(), np.moveaxis(b, -1, 0).copy(), channels="first")
    assert np.allclose(planes, np.moveaxis(x - y, -1, 0), rtol=1e-5, atol=1e-5 * top)


def test_delta_e_is_that_of_scikit_image():
    colour = need("skimage.color")
    random = np.random.default_rng(4)
    a, b = (random.integers(0, 256, (20, 30, 3), dtype=np.uint8) for _ in range(2))
    expected = colour.deltaE_ciede2000(colour.rgb2lab(a), colour.rgb2lab(b))
    ours = ts.difference(a, b, "deltaE")
    assert ours.shape == (20, 30) and np.abs(ours - expected).max() < 0.02
    assert np.abs(ts.difference(a / 255, b / 255, "deltaE") - expected).max() < 0.02


@pytest.mark.parametrize("wrong", [
    lambda a: ts.display(a, map="jet"), lambda a: ts.display(a, exposure=99), lambda a: ts.display(a, black=1, white=1),
    lambda a: ts.display(np.zeros((4, 5, 6, 3))), lambda a: ts.display(a, against=a[1:]), lambda a: ts.display(a, gain=0.5),
    lambda a: ts.display(a, difference="deltaE", against=a), lambda a: ts.difference(a, a[1:]),
    lambda a: ts.difference(a[..., 0], a[..., 0], "deltaE"), lambda a: ts.difference(a, a, "cubic"),
    lambda a: ts.display(a, gamma=float("nan"))])
def test_what_cannot_be_shown_is_refused(wrong):
    with pytest.raises(ValueError) as refused:
        wrong(np.random.default_rng(5).random((6, 7, 3)).astype(np.float32))
    assert "\n" not in str(refused.value) and len(str(refused.value)) > 10
