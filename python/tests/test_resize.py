"""ts.resize, affine, rotate and warp against float64, Pillow and OpenCV."""

import numpy as np
import pytest
import reference
import texelscope as ts
from conftest import need, random_array, strided

TYPES = ["uint8", "uint16", "float16", "float32", "float64", "int8", "int16", "int32", "uint32", "int64", "uint64", "complex64",
         "complex128"]


def expected_numbers(exact, dtype):
    """float64 as numbers of a type."""
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        return np.clip(np.rint(exact), float(info.min), float(info.max))
    return exact


def tolerance(dtype, largest):
    """float32 arithmetic, and for integers a level that rounds the other way."""
    single = 4e-6 * largest
    if np.dtype(dtype).kind in "iu":
        return 1 + single
    return max(single, 1e-3 * largest if dtype == "float16" else 0)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("seed", range(6))
def test_any_type_and_strides_agree_with_float64(dtype, seed):
    random = np.random.default_rng([seed, TYPES.index(dtype)])
    height, width = (int(n) for n in random.integers(5, 40, 2))
    channels = int(random.integers(1, 6))
    picture = random_array(random, (height, width, channels), dtype)
    shape = tuple(int(n) for n in random.integers(1, 50, 2))
    method = str(random.choice(list(reference.METHODS)))
    mode = str(random.choice(["clamp", "mirror", "wrap", "reflect101"]))
    given = strided(random, picture)
    result = ts.resize(given, shape, method, address=mode, channels="last")
    assert result.shape == (*shape, channels) and result.dtype == picture.dtype
    assert np.array_equal(given, picture)  # is only read
    exact = expected_numbers(reference.resized(picture.astype(np.complex128 if result.dtype.kind == "c" else np.float64), shape, method,
                                               mode), dtype)
    largest = float(np.abs(exact).max()) if np.dtype(dtype).kind in "fc" else float(np.iinfo(dtype).max)
    assert np.abs(result.astype(exact.dtype) - exact).max() <= tolerance(dtype, largest)


@pytest.mark.parametrize("seed", range(8))
def test_channels_first_and_batches_are_the_same_pictures(seed):
    random = np.random.default_rng(seed)
    pictures = random_array(random, (2, 3, 12, 17, 4), "float32")
    expected = np.stack([[ts.resize(p, (7, 20), "lanczos3", channels="last") for p in row] for row in pictures])
    assert np.array_equal(ts.resize(strided(random, pictures), (7, 20), "lanczos3", channels="last"), expected)
    first = np.ascontiguousarray(np.moveaxis(pictures, -1, -3))
    assert np.allclose(np.moveaxis(ts.resize(first, (7, 20), "lanczos3", channels="first"), -3, -1), expected, atol=1e-6)
    assert np.allclose(ts.resize(strided(random, first), (7, 20), "lanczos3", channels="none"),
                       ts.resize(first, (7, 20), "lanczos3", channels="first"), atol=1e-6)


@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64", "float64", "complex128"])
def test_nearest_moves_numbers_that_float32_does_not_hold(dtype):
    random = np.random.default_rng(5)
    for shape, channels in (((9, 11), None), ((9, 11, 3), "last"), ((3, 9, 11), "first"), ((2, 3, 9, 11), "first")):
        picture = random_array(random, shape, dtype)
        rows, columns = (np.floor(reference.centers(n, m) + 0.5).astype(int) for n, m in ((9, 20), (11, 5)))
        result = ts.resize(strided(random, picture), (20, 5), "nearest", antialias=False, channels=channels)
        axis = {None: 0, "last": 0, "first": picture.ndim - 2}[channels]
        expected = picture.take(rows, axis).take(columns, axis + 1)
        assert np.array_equal(result, expected)


def test_out_is_written_in_place_whatever_its_strides():
    random = np.random.default_rng(1)
    picture = random_array(random, (20, 30, 3), "uint8")
    expected = ts.resize(picture, (11, 13))
    for dtype in ("uint8", "float32", "int16", "float64"):
        out = strided(random, np.zeros((11, 13, 3), dtype))
        assert ts.resize(picture, (11, 13), out=out) is out
        assert np.abs(out.astype(float) - expected).max() <= (0 if dtype == "uint8" else 60)
        assert np.abs(np.clip(np.rint(out.astype(float)), 0, 255) - expected).max() <= 1
    with pytest.raises(ValueError, match="it must have"):
        ts.resize(picture, (11, 13), out=np.zeros((13, 11, 3), np.uint8))
    out.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        ts.resize(picture, (11, 13), out=out)


def test_numbers_and_unit_values_of_levels():
    picture = np.full((5, 5), 51, np.uint8)
    assert np.allclose(ts.resize(picture, (3, 3), dtype="float32"), 51)
    assert np.allclose(ts.resize(picture, (3, 3), dtype="float32", values="unit"), 0.2)
    assert np.array_equal(ts.resize(picture, (3, 3), dtype="uint16", values="unit"), np.full((3, 3), 13107))
    assert np.array_equal(ts.resize(picture, (3, 3), dtype="uint16"), np.full((3, 3), 51))


def test_double_precision_agrees_with_float64():
    random = np.random.default_rng(3)
    picture = random.normal(size=(23, 31))
    for method in reference.METHODS:
        result = ts.resize(picture, (40, 17), method, address="mirror", precision="double")
        assert result.dtype == np.float64
        assert np.abs(result - reference.resized(picture, (40, 17), method, "mirror")).max() < 1e-12


def test_shapes_that_mean_two_things_are_refused_with_both_readings():
    with pytest.raises(ValueError, match=r"3×100 pixels of 4 channels.*4 columns.*channels='none'"):
        ts.resize(np.zeros((3, 100, 4)), (5, 5))
    with pytest.raises(ValueError, match="channels='last'"):
        ts.resize(np.zeros((30, 100, 40)), (5, 5))
    assert ts.resize(np.zeros((3, 100, 4)), (5, 5), channels="first").shape == (3, 5, 5)
    assert ts.resize(np.zeros((30, 100, 40)), (5, 6), channels="none").shape == (30, 5, 6)
    for wrong, words in (((5,), "rows, columns"), ((5, 5.5), "whole numbers"), (None, "either the shape")):
        with pytest.raises(ValueError, match=words):
            ts.resize(np.zeros((10, 10)), wrong)
    with pytest.raises(ValueError, match="did you mean bicubic"):
        ts.resize(np.zeros((10, 10)), (5, 5), "bicubik")
    with pytest.raises(ValueError, match="has no numbers"):
        ts.resize(np.array([["a", "b"]]), (1, 1))


def test_signals_and_lists():
    signal = np.sin(np.linspace(0, 3, 40))
    assert np.abs(ts.resize(signal, 17, "catmull-rom") - reference.along(signal, reference.centers(40, 17), "catmull-rom", "clamp", 0,
                                                                       40 / 17)).max() < 1e-6
    results = ts.resize([np.zeros((10, 12)), np.ones((20, 8, 3))], factor=0.5)
    assert [r.shape for r in results] == [(5, 6), (10, 4, 3)]


def test_pillow_and_opencv_by_their_names():
    pil, cv2 = need("PIL.Image"), need("cv2")
    random = np.random.default_rng(8)
    picture = random_array(random, (61, 83, 3), "uint8")
    shape = (23, 31)
    wanted = np.asarray(pil.fromarray(picture).resize(shape[::-1], pil.Resampling.BICUBIC))
    assert np.array_equal(ts.resize(picture, shape, like="pillow/bicubic"), wanted)
    floats = np.asarray(pil.fromarray(picture[..., 0].astype(np.float32)).resize(shape[::-1], pil.Resampling.BICUBIC))
    ours = ts.resize(picture[..., 0].astype(np.float32), shape, "catmull-rom", edges="normalise")
    assert np.abs(ours - floats).max() < 1e-3  # Pillow's bicubic is Keys with a = −1/2
    area = cv2.resize(picture, shape[::-1], interpolation=cv2.INTER_AREA)
    assert np.abs(ts.resize(picture, shape, like="opencv/area").astype(int) - area).max() <= 1


def test_affine_and_rotation():
    random = np.random.default_rng(2)
    picture = random_array(random, (15, 21), "float64")
    matrix = [[0.9, -0.3, 2.5], [0.2, 1.1, -1.25]]
    i, j = np.meshgrid(np.arange(12), np.arange(9))
    points = np.stack([0.9 * i - 0.3 * j + 2.5, 0.2 * i + 1.1 * j - 1.25], -1)
    expected = reference.at_points(picture, points.reshape(-1, 2), "catmull-rom", "mirror").reshape(9, 12)
    result = ts.affine(picture, matrix, "catmull-rom", shape=(9, 12), address="mirror")
    assert np.abs(result - expected).max() < 1e-5
    assert np.abs(ts.warp(picture, points, "catmull-rom", address="mirror") - expected).max() < 1e-5
    assert np.abs(ts.affine(picture, matrix, "catmull-rom", shape=(9, 12), address="mirror", precision="double") - expected).max() < 1e-11
    image = random_array(random, (16, 16), "uint8")
    for turns in range(4):
        assert np.array_equal(ts.rotate(image, 90 * turns), np.rot90(image, turns))
    assert np.array_equal(ts.rotate(random_array(random, (7, 12, 3), "uint8"), 90, expand=True).shape, (12, 7, 3))
    pil = need("PIL.Image")
    turned = np.asarray(pil.fromarray(image).rotate(10, pil.Resampling.BILINEAR)).astype(int)[4:12, 4:12]
    assert np.abs(ts.rotate(image, 10, "bilinear").astype(int)[4:12, 4:12] - turned).max() <= 1  # counterclockwise


def test_positions_outside():
    picture = np.ones((6, 6))
    shifted = [[1, 0, -3], [0, 1, 0]]
    assert np.isnan(ts.affine(picture, shifted, outside=np.nan)[:, :3]).all()
    result = ts.affine(picture, shifted, outside=7)
    assert np.array_equal(result[:, :3], np.full((6, 3), 7)) and np.allclose(result[:, 3:], 1)
    assert np.array_equal(ts.affine(np.full((6, 6), 9, np.uint8), shifted, outside=200)[:, :3], np.full((6, 3), 200))
    assert np.allclose(ts.affine(picture, shifted, address="border", method="bilinear")[:, :2], 0)


def test_straight_alpha_and_linear_light():
    picture = np.zeros((8, 8, 4), np.float32)
    picture[:, :4] = (1, 0.5, 0.25, 1)
    result = ts.resize(picture, (8, 15), "bilinear", alpha="straight")
    seen = result[..., 3] > 0
    assert np.allclose(result[seen][:, :3], (1, 0.5, 0.25), atol=1e-6) and 0 < result[0, 7, 3] < 1
    stripes = np.tile(np.array([[0, 255]], np.uint8), (4, 4))
    assert abs(int(ts.resize(stripes, (2, 4), "bilinear", linear_light=True)[0, 1]) - 188) <= 2
    assert abs(int(ts.resize(stripes, (2, 4), "bilinear")[0, 1]) - 128) <= 1
