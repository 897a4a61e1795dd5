"""A float64 evaluation of docs/fidelity.md in NumPy: prefilter and weight function together are one long separable
weight function over the samples, extended indefinitely by the address modes."""

import numpy as np

# Poles of the prefilters: the roots within the unit circle of the weight functions' values at the integers.
POLES = {
    "quadratic": [np.sqrt(8.0) - 3.0],
    "quartic": [root.real for root in np.roots([1.0, 76.0, 230.0, 76.0, 1.0]) if abs(root) < 1],
    "bspline": [np.sqrt(3.0) - 2.0],
    "omoms": [(np.sqrt(105.0) - 13.0) / 8.0],
    "quintic": [root.real for root in np.roots([1.0, 26.0, 66.0, 26.0, 1.0]) if abs(root) < 1],
    "omoms5": [root.real for root in np.roots([107.0, 1792.0, 4122.0, 1792.0, 107.0]) if abs(root) < 1],
    "septic": [root.real for root in np.roots([1.0, 120.0, 1191.0, 2416.0, 1191.0, 120.0, 1.0]) if abs(root) < 1],
}
REACH = 60  # taps of the exact prefilter on each side: |z|^60 = 5e-17 for the slowest pole


def cubic_bspline(x):
    x = np.abs(x)
    inner = 2 / 3 - x**2 + x**3 / 2
    return np.where(x < 1, inner, np.where(x < 2, (2 - x) ** 3 / 6, 0.0))


def quadratic_bspline(x):
    x = np.abs(x)
    binomial = [1, -3, 3, -1]
    return sum(b * np.maximum(0.0, 1.5 - x - k) ** 2 for k, b in enumerate(binomial)) / 2


def quartic_bspline(x):
    x = np.abs(x)
    binomial = [1, -5, 10, -10, 5, -1]
    return sum(b * np.maximum(0.0, 2.5 - x - k) ** 4 for k, b in enumerate(binomial)) / 24


def quintic_bspline(x):
    x = np.abs(x)
    binomial = [1, -6, 15, -20, 15, -6, 1]
    return sum(b * np.maximum(0.0, 3 - x - k) ** 5 for k, b in enumerate(binomial)) / 120


def septic_bspline(x):
    x = np.abs(x)
    binomial = [1, -8, 28, -56, 70, -56, 28, -8, 1]
    return sum(b * np.maximum(0.0, 4 - x - k) ** 7 for k, b in enumerate(binomial)) / 5040


def omoms(x):  # Blu, Thévenaz & Unser 2001: the cubic B-spline and its second derivative / 42
    x = np.abs(x)
    bend = np.where(x < 1, 3 * x - 2, np.where(x < 2, 2 - x, 0.0))
    return cubic_bspline(x) + bend / 42


def omoms5(x):  # the quintic B-spline with its second derivative / 33 and its fourth / 7920
    def second_difference(f):
        return lambda x: f(x - 1) - 2 * f(x) + f(x + 1)

    linear = WEIGHTS["bilinear"]
    return (quintic_bspline(x) + second_difference(cubic_bspline)(x) / 33
            + second_difference(second_difference(linear))(x) / 7920)


def keys(x):
    x = np.abs(x)
    inner = 1.5 * x**3 - 2.5 * x**2 + 1
    return np.where(x < 1, inner, np.where(x < 2, -0.5 * x**3 + 2.5 * x**2 - 4 * x + 2, 0.0))


WEIGHTS = {
    "nearest": lambda x: ((x >= -0.5) & (x < 0.5)).astype(float),
    "bilinear": lambda x: np.maximum(0.0, 1 - np.abs(x)),
    "bspline": cubic_bspline,
    "catmull-rom": keys,
    "quadratic": quadratic_bspline,
    "quartic": quartic_bspline,
    "quintic": quintic_bspline,
    "omoms": omoms,
    "omoms5": omoms5,
    "septic": septic_bspline,
}


def prefilter_taps(prefilter, method):
    """Impulse response, centre in the middle; prefilter is "none", "iir" or "firN"."""
    if prefilter == "none" or method not in POLES:
        return np.ones(1)
    taps = np.ones(1)
    for pole in POLES[method]:
        taps = np.convolve(taps, pole ** np.abs(np.arange(-REACH, REACH + 1)))
    half = REACH if prefilter == "iir" else int(prefilter[3:]) // 2
    taps = taps[len(taps) // 2 - half : len(taps) // 2 + half + 1]
    return taps / taps.sum()


def extended(mode, index, n):
    """Stored sample for each index, and whether there is one (border has none outside)."""
    if mode == "clamp":
        return np.clip(index, 0, n - 1), np.ones(index.shape, bool)
    if mode == "border":
        return np.clip(index, 0, n - 1), (index >= 0) & (index < n)
    if mode == "wrap":
        return index % n, np.ones(index.shape, bool)
    if mode == "reflect101":
        folded = index % max(2 * n - 2, 1)
        return np.minimum(folded, 2 * n - 2 - folded) if n > 1 else folded, np.ones(index.shape, bool)
    folded = index % (2 * n)
    return np.where(folded < n, folded, 2 * n - 1 - folded), np.ones(index.shape, bool)


def positions(width, height, out_width, out_height, translate, scale, rotate):
    """Sample-space x and y of every output pixel, out_height × out_width each."""
    turn = np.deg2rad(np.longdouble(rotate))
    c, s = np.cos(turn), np.sin(turn)
    if rotate % 90 == 0:
        c, s = np.round(c), np.round(s)
    j, i = np.mgrid[:out_height, :out_width].astype(np.longdouble)
    i -= np.longdouble(out_width - 1) / 2
    j -= np.longdouble(out_height - 1) / 2
    x = np.longdouble(width - 1) / 2 + translate[0] + scale * (c * i - s * j)
    y = np.longdouble(height - 1) / 2 + translate[1] + scale * (s * i + c * j)
    return x, y


def axis_taps(x, n, mode, method, prefilter):
    """Sample indices and weights of every position, and whether there is such a sample: three arrays, positions × taps."""
    response = prefilter_taps(prefilter, method)
    half, reach = len(response) // 2, 4  # septic: eight taps
    base = np.floor(x)
    fraction = (x - base).astype(float)
    offsets = np.arange(-reach - half, reach + half + 1)
    weight = np.zeros((len(x), len(offsets)))
    for k in range(-reach, reach + 1):
        w = WEIGHTS[method](fraction - k)
        weight[:, k + reach : k + reach + 2 * half + 1] += w[:, None] * response
    index, stored = extended(mode, base.astype(np.int64)[:, None] + offsets, n)
    return index, weight, stored


def interpolate(image, x, y, method, address, prefilter, border=0.0):
    """image: H×W×C float64; x, y: 1-D; border: the value beyond a border, one or C of them. Returns len(x) × C."""
    height, width, _ = image.shape
    xi, xw, xs = axis_taps(x, width, address[0], method, prefilter)
    yi, yw, ys = axis_taps(y, height, address[1], method, prefilter)
    result = np.empty((len(x), image.shape[2]))
    for n in range(len(x)):
        taps = np.where((ys[n][:, None] & xs[n])[..., None], image[np.ix_(yi[n], xi[n])], border)
        result[n] = np.einsum("j,jic,i->c", yw[n], taps, xw[n])
    return result
