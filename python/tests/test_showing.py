"""ts.display and ts.difference against NumPy and scikit-image."""

import sys

import numpy as np
import pytest
import texelscope as ts
from conftest import ROOT, need, strided


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
    ours = ts.difference(a, b, "delta-e")
    assert ours.shape == (20, 30) and np.abs(ours - expected).max() < 0.02
    assert np.abs(ts.difference(a / 255, b / 255, "delta-e") - expected).max() < 0.02


def of_errors(kind, a, r, degree=67.020645, peak=1.0):
    """The float64 models of the papers that the program is compared with too, of values as the engine has them, float32 of the range."""
    sys.path.insert(0, str(ROOT / "tests" / "scipy"))
    import check_error_maps as models

    if kind == "flip":
        return models.flip(a, r, degree)
    if kind == "delta-e":
        srgb = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]])
        return models.delta_e(*(models.lab(models.decoded((v * np.float32(1 / peak)).astype(float)), srgb) for v in (a, r)))
    return getattr(models, kind)(a.astype(float), r.astype(float), peak)


def blobs(random, top, dtype):
    y, x = np.mgrid[0:44, 0:57]
    right = np.stack([0.5 + 0.45 * np.sin(0.2 * x * (c + 1) + 0.11 * y) for c in range(3)], -1)
    other = np.clip(right + random.normal(0, 0.05, right.shape) * (y < 30)[..., None], 0, 1)
    return tuple((np.round(top * v) if dtype == "uint8" else top * v).astype(dtype) for v in (other, right))


@pytest.mark.parametrize("dtype", ["float32", "uint8"])
@pytest.mark.parametrize("kind", ["delta-e", "ssim", "flip", "gradient"])
def test_maps_of_errors_are_those_of_the_papers(kind, dtype):
    need("scipy.ndimage")
    random, top = np.random.default_rng(6), 255 if dtype == "uint8" else 1
    a, r = blobs(random, top, dtype)
    expected = of_errors(kind, a, r, peak=float(top))
    ours, figures = ts.difference(a, r, kind, figures=True)
    assert ours.shape == a.shape[:2] and ours.dtype == np.float32 and np.array_equal(np.isnan(ours), np.isnan(expected))
    assert np.nanmax(np.abs(ours - expected) / np.maximum(1, expected)) < (1e-4 if kind == "flip" else 2e-6)
    values = np.sort(expected[~np.isnan(expected)])
    allowed = 1e-4 if kind == "flip" else 1e-5
    assert abs(figures.mean - values.mean()) < allowed and abs(figures.deviation - values.std()) < allowed
    assert abs(figures.largest - values[-1]) < 2e-6 * max(1, values[-1]) or kind == "flip" and abs(figures.largest - values[-1]) < 1e-4
    assert abs(figures.percentile_95 - np.quantile(values, 0.95)) < 0.01
    assert abs(figures.weighted_median - values[np.searchsorted(np.cumsum(values), values.sum() / 2)]) < 0.01
    assert figures.pixels == values.size == sum(figures.histogram) and ours[figures.worst] == np.float32(figures.largest)


def test_flip_by_distance_exposures_and_light():
    need("scipy.ndimage")
    random = np.random.default_rng(7)
    a, r = blobs(random, 1, "float32")
    near = ts.difference(a, r, "flip", pixels_per_degree=20)
    assert np.abs(near - of_errors("flip", a, r, 20)).max() < 1e-4 and np.abs(near - ts.difference(a, r, "flip")).max() > 1e-3
    over = ts.difference(30 * a, 30 * r, "flip")
    assert np.abs(over - of_errors("flip", 30 * a, 30 * r)).max() < 1e-4
    clamped = ts.difference(30 * a, 30 * r, "flip", exposures=False)
    assert np.abs(clamped - of_errors("flip", np.clip(30 * a, 0, 1), np.clip(30 * r, 0, 1))).max() < 1e-4
    import check_error_maps as models

    light = tuple(models.decoded(v).astype(np.float32) for v in (a, r))
    assert np.abs(ts.difference(*light, "flip", linear=True, exposures=False) - of_errors("flip", a, r)).max() < 1e-4
    assert np.abs(ts.difference(*light, "delta-e", linear=True) - ts.difference(a, r, "delta-e")).max() < 1e-3


def test_maps_of_planes_grey_alpha_and_into_an_array():
    a, r = blobs(np.random.default_rng(8), 1, "float32")
    expected = ts.difference(a, r, "flip")
    planes = tuple(np.moveaxis(v, -1, 0).copy() for v in (a, r))
    out = np.zeros(a.shape[:2])
    assert ts.difference(*planes, "flip", channels="first", out=out) is out and np.abs(out - expected).max() < 1e-6
    grey = tuple(np.repeat(v[..., :1], 3, -1) for v in (a, r))
    assert np.abs(ts.difference(a[..., 0], r[..., 0], "flip") - ts.difference(*grey, "flip")).max() < 1e-6
    opaque = tuple(np.concatenate([v, np.ones_like(v[..., :1])], -1) for v in (a, r))
    assert np.abs(ts.difference(*opaque, "flip", alpha="straight") - expected).max() < 1e-6
    a[3, 5] = np.nan
    found, figures = ts.difference(a, r, "delta-e", figures=True)
    assert np.argwhere(np.isnan(found)).tolist() == [[3, 5]] and figures.pixels == found.size - 1


@pytest.mark.parametrize("wrong", [
    lambda a: ts.display(a, map="jet"), lambda a: ts.display(a, exposure=99), lambda a: ts.display(a, black=1, white=1),
    lambda a: ts.display(np.zeros((4, 5, 6, 3))), lambda a: ts.display(a, against=a[1:]), lambda a: ts.display(a, gain=0.5),
    lambda a: ts.display(a, difference="delta-e", against=a), lambda a: ts.difference(a, a[1:]),
    lambda a: ts.difference(a[..., :2], a[..., :2], "flip"), lambda a: ts.difference(a, a, "flip", pixels_per_degree=3),
    lambda a: ts.difference(a, a, "squared", figures=True), lambda a: ts.display(a, difference="flip", against=a),
    lambda a: ts.difference((255 * a).astype(np.uint8), (255 * a).astype(np.uint8), "flip", linear=True),
    lambda a: ts.difference(a, a, "cubic"),
    lambda a: ts.display(a, gamma=float("nan"))])
def test_what_cannot_be_shown_is_refused(wrong):
    with pytest.raises(ValueError) as refused:
        wrong(np.random.default_rng(5).random((6, 7, 3)).astype(np.float32))
    assert "\n" not in str(refused.value) and len(str(refused.value)) > 10
