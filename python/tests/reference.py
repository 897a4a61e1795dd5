"""Interpolation in float64, written from the definitions: weights, address modes, positions."""

import numpy as np


def keys(x, a=-0.5):
    x = np.abs(x)
    return np.where(x < 1, (a + 2) * x**3 - (a + 3) * x**2 + 1,
                    np.where(x < 2, a * (x**3 - 5 * x**2 + 8 * x - 4), 0.0))


def triangle(x):
    return np.maximum(0, 1 - np.abs(x))


def lanczos3(x):
    return np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0.0)


# Name: the function, its radius, whether the weights are divided by their sum.
METHODS = {"bilinear": (triangle, 1, False), "catmull-rom": (keys, 2, False), "lanczos3": (lanczos3, 3, True)}


def index(i, n, mode):
    """The sample that stands for index i of a row of n."""
    i = np.asarray(i)
    if mode == "clamp":
        return np.clip(i, 0, n - 1)
    if mode == "wrap":
        return i % n
    period = 2 * n if mode == "mirror" else max(1, 2 * n - 2)
    i = i % period
    return np.where(i < n, i, period - (1 if mode == "mirror" else 0) - i)


def along(values, positions, method, mode, axis, stretch=1.0):
    """Values at positions along an axis, by a method widened `stretch` times."""
    weight, radius, divided = METHODS[method]
    values = np.moveaxis(np.asarray(values, np.complex128 if np.iscomplexobj(values) else np.float64), axis, -1)
    reach = int(np.ceil(radius * stretch)) + 1
    taps = np.floor(positions)[:, None].astype(int) + np.arange(-reach, reach + 1)
    weights = weight((positions[:, None] - taps) / stretch)
    if divided or stretch > 1:
        weights = weights / weights.sum(-1, keepdims=True)
    read = values[..., index(taps, values.shape[-1], mode)]
    return np.moveaxis((read * weights).sum(-1), -1, axis)


def centers(n, count):
    return (np.arange(count) + 0.5) * (n / count) - 0.5


def resized(picture, shape, method, mode="clamp", antialias=True, axes=(0, 1)):
    for axis, count in zip(axes, shape):
        n = picture.shape[axis]
        picture = along(picture, centers(n, count), method, mode, axis, max(1.0, n / count) if antialias else 1.0)
    return picture


def at_points(picture, points, method, mode="clamp"):
    """picture (H, W), points (n, 2) as x, y."""
    weight, radius, divided = METHODS[method]
    values = []
    for x, y in points:
        rows, columns = (int(np.floor(p)) + np.arange(-radius, radius + 2) for p in (y, x))
        wy, wx = weight(y - rows), weight(x - columns)
        if divided:
            wy, wx = wy / wy.sum(), wx / wx.sum()
        values.append(wy @ picture[np.ix_(index(rows, picture.shape[0], mode), index(columns, picture.shape[1], mode))] @ wx)
    return np.array(values)
