"""The examples of SciPy's documentation (scipy.ndimage) give SciPy's numbers, and those printed there."""

import numpy as np
import pytest
import texelscope as ts
from conftest import need


def picture():
    """In place of the photograph of those examples, which is downloaded."""
    y, x = np.mgrid[0:96, 0:128]
    return 128 + 60 * np.sin(x / 5.0) * np.cos(y / 7.0) + 50 * np.sin(x * y / 900.0)


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5])
def test_zoom(order):
    ndimage = need("scipy.ndimage")
    given = picture()
    for factor in (3.0, 0.5, (1.5, 0.7)):
        expected = ndimage.zoom(given, factor, order=order, mode="mirror")
        ours = ts.resize(given, expected.shape, like=f"scipy/zoom:order={order},mode=mirror")
        assert ours.shape == expected.shape and np.abs(ours - expected).max() < 2e-4  # of 256
    assert ts.resize(given, ndimage.zoom(given, 3.0).shape, like="scipy/zoom").shape == (288, 384)


def test_rotate():
    ndimage = need("scipy.ndimage")
    given = picture()
    kept = ndimage.rotate(given, 45, reshape=False)  # order 3, zero outside
    assert np.abs(ts.rotate(given, 45, "bspline", address="reflect101", outside=0, precision="double") - kept).max() < 1e-9
    whole = ndimage.rotate(given, 45, reshape=True)
    ours = ts.rotate(given, 45, "bspline", expand=True, shape=whole.shape, address="reflect101", outside=0, precision="double")
    assert np.abs(ours - whole).max() < 1e-9


def test_map_coordinates():
    ndimage = need("scipy.ndimage")
    a = np.arange(12.0).reshape((4, 3))
    y, x = [0.5, 2], [0.5, 1]
    assert ts.sample(a, (x, y), "bilinear").tolist() == [2.0, 7.0] == ndimage.map_coordinates(a, [y, x], order=1).tolist()
    inds = np.array([[0.5, 2], [0.5, 4]])
    assert ts.sample(a, (inds[1], inds[0]), "bilinear", outside=-33.3).tolist() == [2.0, -33.3]
    assert ts.sample(a, (inds[1], inds[0]), "bilinear", address="clamp").tolist() == [2.0, 8.0]  # mode nearest
    for order, method in ((0, "nearest"), (2, "quadratic"), (3, "bspline"), (5, "quintic")):
        for mode, address in (("mirror", "reflect101"), ("reflect", "mirror"), ("grid-wrap", "wrap")):
            expected = ndimage.map_coordinates(a, [y, x], order=order, mode=mode)
            ours = ts.sample(a, (x, y), method, address=address, precision="double")
            bound = 2e-2 if order > 1 and mode == "reflect" else 1e-9  # SciPy begins that filter with an approximation
            assert np.abs(ours - expected).max() < bound, (order, mode)


def test_affine_transform_and_shift():
    ndimage = need("scipy.ndimage")
    given = picture()
    matrix, offset = np.array([[0.9, 0.2], [-0.1, 1.1]]), np.array([3.0, -2.0])
    expected = ndimage.affine_transform(given, matrix, offset, mode="mirror")
    ours = ts.affine(given, [[matrix[1, 1], matrix[1, 0], offset[1]], [matrix[0, 1], matrix[0, 0], offset[0]]], "bspline",
                     address="reflect101", precision="double")
    assert np.abs(ours - expected).max() < 1e-9
    moved = ndimage.shift(given, (2.5, -1.25), mode="mirror")
    assert np.abs(ts.affine(given, [[1, 0, 1.25], [0, 1, -2.5]], "bspline", address="reflect101", precision="double") - moved).max() < 1e-9


def test_spline_filter():
    ndimage = need("scipy.ndimage")
    given = picture()
    for order, method in ((2, "quadratic"), (3, "bspline"), (4, "quartic"), (5, "quintic")):
        ours = ts.prefilter(given, method, address="reflect101")
        expected = ndimage.spline_filter(given, order)
        assert np.abs(ours - expected).max() < 1e-5 * np.abs(expected).max(), order
