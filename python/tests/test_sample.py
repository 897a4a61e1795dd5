"""ts.sample, warp and prefilter against float64 and SciPy."""

import numpy as np
import pytest
import reference
import texelscope as ts
from conftest import need, random_array, strided

MODES = {"mirror": "reflect", "reflect101": "mirror", "wrap": "grid-wrap"}  # ours: SciPy's


@pytest.mark.parametrize("seed", range(20))
def test_points_of_any_layout_agree_with_float64(seed):
    random = np.random.default_rng(seed)
    picture = random_array(random, (int(random.integers(4, 20)), int(random.integers(4, 20))), "float64")
    method, mode = str(random.choice(list(reference.METHODS))), str(random.choice(["clamp", "mirror", "wrap", "reflect101"]))
    shape = [(), (7,), (3, 5), (2, 3, 4)][seed % 4]
    points = random.uniform(-9, 30, (*shape, 2))
    expected = reference.at_points(picture, points.reshape(-1, 2), method, mode).reshape(shape)
    kind = str(random.choice(["float32", "float64"]))
    given = strided(random, points.astype(kind))
    result = ts.sample(strided(random, picture), given, method, address=mode)
    assert result.shape == shape and result.dtype == picture.dtype
    assert np.abs(result - expected).max() < 5e-4 if kind == "float32" else np.abs(result - expected).max() < 2e-5
    pair = ts.sample(picture, (points[..., 0], points[..., 1]), method, address=mode)
    assert np.abs(pair - expected).max() < 2e-5
    exact = ts.sample(picture, points, method, address=mode, precision="double")
    assert np.abs(exact - expected).max() < 1e-11


def test_channels_batches_and_out():
    random = np.random.default_rng(4)
    pictures = random_array(random, (2, 9, 8, 3), "float32")
    points = random.uniform(0, 8, (4, 5, 2))
    result = ts.sample(pictures, points, "bilinear", channels="last")
    assert result.shape == (2, 4, 5, 3)
    for k in range(2):
        for c in range(3):
            expected = reference.at_points(pictures[k, ..., c].astype(float), points.reshape(-1, 2), "bilinear").reshape(4, 5)
            assert np.abs(result[k, ..., c] - expected).max() < 1e-5
    first = ts.sample(np.moveaxis(pictures, -1, 1), points, "bilinear", channels="first")
    assert first.shape == (2, 3, 4, 5) and np.allclose(np.moveaxis(first, 1, -1), result, atol=1e-6)
    out = np.zeros((2, 4, 5, 3), np.float64)
    assert ts.sample(pictures, points, "bilinear", channels="last", out=out) is out and np.allclose(out, result, atol=1e-6)
    complex_picture = pictures[0, ..., 0] + 1j * pictures[0, ..., 1]
    both = ts.sample(complex_picture, points, "bilinear")
    assert both.dtype == np.complex64 and np.allclose(both, result[0, ..., 0] + 1j * result[0, ..., 1], atol=1e-5)


@pytest.mark.parametrize("order,method", [(1, "bilinear"), (2, "quadratic"), (3, "bspline"), (4, "quartic"), (5, "quintic")])
@pytest.mark.parametrize("mode", list(MODES))
def test_splines_are_those_of_scipy(order, method, mode):
    ndimage = need("scipy.ndimage")
    random = np.random.default_rng([order, len(mode)])
    picture = random.normal(size=(13, 17))
    points = random.uniform(-6, 25, (50, 2))
    scipy_mode = MODES[mode]
    expected = ndimage.map_coordinates(picture, points.T[::-1], order=order, mode=scipy_mode)
    # SciPy begins its filter for "reflect" with an approximation, whose error is 1e-10 at order 5 and 13 samples (below).
    bound = 1e-9 if mode == "mirror" and order > 3 else 1e-11
    assert np.abs(ts.sample(picture, points, method, address=mode, precision="double") - expected).max() < bound
    assert np.abs(ts.sample(picture, points, method, address=mode) - expected).max() < 3e-5
    if order > 1:
        coefficients = ndimage.spline_filter(picture, order, mode=scipy_mode)
        ours = ts.prefilter(picture.astype(np.float32), method, address=mode)
        assert np.abs(ours - coefficients).max() < 1e-5 * np.abs(coefficients).max()


@pytest.mark.parametrize("order,method", [(2, "quadratic"), (3, "bspline"), (4, "quartic"), (5, "quintic"), (7, "septic")])
@pytest.mark.parametrize("mode", list(MODES))
def test_splines_solve_their_equations(order, method, mode):
    interpolate = need("scipy.interpolate")
    n, random = 13, np.random.default_rng(order)
    samples = random.normal(size=n)
    basis = interpolate.BSpline.basis_element(np.arange(order + 2) - (order + 1) / 2, extrapolate=False)
    x = random.uniform(-20, 30, 60)
    k = np.arange(-30, 41)

    def weights(positions):
        rows = np.zeros((len(positions), n))
        np.add.at(rows.T, reference.index(k, n, mode), np.nan_to_num(basis(positions[:, None] - k)).T)
        return rows

    exact = weights(x) @ np.linalg.solve(weights(np.arange(float(n))), samples)
    assert np.abs(ts.sample(samples, x, method, address=mode, precision="double") - exact).max() < 1e-12


@pytest.mark.parametrize("mode", ["constant", "wrap", "mirror", "reflect", "nearest", "grid-wrap", "grid-constant"])
def test_positions_are_read_as_scipy_does(mode):
    ndimage = need("scipy.ndimage")
    random = np.random.default_rng(12)
    picture = random.random((31, 27))
    for order in range(6):
        how = {"order": order, "mode": mode, "cval": 0.25}
        options = ",".join(f"{key}={value}" for key, value in how.items())
        turned = ts.rotate(picture, 33.3, like=f"scipy/rotate:{options}")
        assert np.abs(turned - ndimage.rotate(picture, 33.3, reshape=False, **how)).max() < 2e-6
        matrix, offset = np.array([[0.913, 0.377], [-0.291, 1.217]]), np.array([2.31, -4.17])
        ours = ts.affine(picture, [[1.217, -0.291, -4.17], [0.377, 0.913, 2.31]], shape=(20, 33), like=f"scipy/affine_transform:{options}")
        assert np.abs(ours - ndimage.affine_transform(picture, matrix, offset, (20, 33), **how)).max() < 2e-6
        points = random.uniform(-40, 70, (50, 2))
        at = ts.sample(picture, points, like=f"scipy/map_coordinates:{options}")
        assert np.abs(at - ndimage.map_coordinates(picture, points.T[::-1], **how)).max() < 2e-6
        warped = ts.warp(picture, points.reshape(5, 10, 2), like=f"scipy/map_coordinates:{options}")
        assert np.abs(warped.ravel() - at).max() < 2e-6
    with pytest.raises(ValueError, match="leave address and border out"):
        ts.sample(picture, (1, 2), like="scipy/map_coordinates", address="wrap")
    with pytest.raises(ValueError, match="leave precision out"):
        ts.affine(picture, np.eye(2), like="scipy/affine_transform", precision="double")
    with pytest.raises(ValueError, match="leave antialias out"):
        ts.warp(picture, np.zeros((2, 2, 2)), like="scipy/map_coordinates", antialias=True)


def test_the_documented_examples_of_scipy_give_its_numbers():
    ndimage = need("scipy.ndimage")
    a = np.arange(12.0).reshape((4, 3))  # of map_coordinates
    rows, columns = [0.5, 2], [0.5, 1]
    assert np.allclose(ts.sample(a, (np.array(columns), np.array(rows)), "bilinear"), ndimage.map_coordinates(a, [rows, columns], order=1))
    expected = ndimage.map_coordinates(a, [rows, columns], order=3, mode="mirror")
    assert np.abs(ts.sample(a, np.stack([columns, rows], -1), "bspline", address="reflect101", precision="double") - expected).max() < 1e-12
    inside = ts.sample(a, (np.array([0.5, 0.5]), np.array([0.5, 5.0])), "bilinear", outside=-7)
    assert inside[1] == -7
    random = np.random.default_rng(9)
    picture = random.normal(size=(20, 24)).astype(np.float32)
    zoomed = ndimage.zoom(picture, (2, 1.5), order=3, mode="reflect")  # its default corners alignment
    assert np.abs(ts.resize(picture, zoomed.shape, "bspline", align="corners", address="mirror", antialias=False) - zoomed).max() < 2e-5
    like = ts.resize(picture, zoomed.shape, like="scipy/zoom:order=3,mode=reflect")
    assert np.abs(like - zoomed).max() < 2e-5
    turned = ndimage.rotate(picture, 30, reshape=False, order=3, mode="mirror")
    assert np.abs(ts.rotate(picture, 30, "bspline", address="reflect101") - turned).max() < 5e-5


def test_outside_and_derivatives():
    y, x = np.mgrid[0:20, 0:20].astype(float)
    picture = np.sin(0.3 * x) * np.cos(0.2 * y)
    points = np.array([[5.5, 7.25], [10.1, 3.9], [-0.5, 4.0], [19.5, 4.0]])
    values = ts.sample(picture, points, "quintic", outside=np.nan)
    assert np.isnan(values[2:]).all() and np.abs(values[:2] - np.sin(0.3 * points[:2, 0]) * np.cos(0.2 * points[:2, 1])).max() < 1e-4
    slope = ts.sample(picture, points[:2], "quintic", derivative="x")
    assert np.abs(slope - 0.3 * np.cos(0.3 * points[:2, 0]) * np.cos(0.2 * points[:2, 1])).max() < 1e-3
    with pytest.raises(ValueError, match="no continuous derivative"):
        ts.sample(picture, points, "bilinear", derivative="x")
    with pytest.raises(ValueError, match="not 2 long"):
        ts.sample(picture, np.zeros((5, 3)))
    assert ts.sample(np.arange(10.0), np.array([2.5]), "bilinear")[0] == 2.5  # a signal


def test_remap_as_opencv_has_it():
    cv2 = need("cv2")
    random = np.random.default_rng(6)
    picture = random_array(random, (30, 40, 3), "uint8")
    y, x = np.mgrid[0:25, 0:33].astype(np.float32)
    map_x, map_y = (x * 1.1 + 2 * np.sin(y / 5)).astype(np.float32), (y + 2 * np.cos(x / 5)).astype(np.float32)
    theirs = cv2.remap(picture, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101)
    ours = ts.warp(picture, (map_x, map_y), "bilinear", address="reflect101")
    assert ours.dtype == np.uint8 and np.abs(ours.astype(int) - theirs).max() <= 5  # which has 1/32 of a sample as its step
    smooth = ts.warp(np.tile(np.array([[0, 1]], np.float32), (32, 16)), np.stack([x[:16, :16] * 2, y[:16, :16] * 2], -1), "bilinear",
                     antialias=True)
    assert np.abs(smooth[3:-3, 3:-3] - 0.5).max() < 0.2


@pytest.mark.parametrize("channels", [2, 3, 4, 5])
@pytest.mark.parametrize("mode", ["mirror", "clamp"])
@pytest.mark.parametrize("dtype", ["float32", "uint8", "float64"])
def test_coefficients_of_colours_are_those_of_each_channel(channels, mode, dtype):
    picture = np.random.default_rng(channels).uniform(0, 255, (21, 30, channels)).astype(dtype)
    together = ts.prefilter(picture, "bspline", address=mode, channels="last")
    alone = np.stack([ts.prefilter(np.ascontiguousarray(picture[..., c]), "bspline", address=mode) for c in range(channels)], -1)
    assert together.shape == picture.shape and np.abs(together - alone).max() < 2e-4
    out = np.zeros((25, 40, channels), np.float32)
    ts.prefilter(picture, "bspline", address=mode, channels="last", out=out[2:23, 3:33])
    assert np.abs(out[2:23, 3:33] - together).max() < 2e-4 and not out[:2].any() and not out[:, 33:].any()
