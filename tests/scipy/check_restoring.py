#!/usr/bin/env python3
"""Runs `texelscope compare --restore` on random pictures, and compares its figures with those of a float64 model in
NumPy: shrinking, restoring, shifting and the ideal reduction as matrices along each axis, rotating position by
position.

    check_restoring.py PROGRAM [--cases N] [--seed S]

Exit status: 0 all agree, 1 a figure differs, 77 NumPy or SciPy is missing (CTest: SKIP_RETURN_CODE 77)."""

import json
import math
import shlex
import sys

import harness
import numpy as np
import numpy_reference as reference
from check_metrics import ssim
from scipy import ndimage

METHODS = ["nearest", "bilinear", "catmull-rom", "bspline", "omoms", "quintic"]
FILTERS = ["bilinear", "catmull-rom", "bspline", "quintic"]  # nearest jumps where a widened tap may end
SUPPORT = 9  # samples that the widest method reaches over
EDGE = 60    # coefficients on each side of the samples
# The program computes in float32: its errors of up to 3e-6 add up to 3e-7 in an RMSE.
ROUNDING = 3e-7
ALLOWED = {"rmse": 3e-6, "max_abs": 1e-5, "ssim": 1e-5, "delta_e_mean": 1e-3, "delta_e_95": 5e-3}


def coefficients(n, method, mode):
    """Coefficients −EDGE … n + EDGE − 1 of n samples: a matrix."""
    response = reference.prefilter_taps("iir", method)
    half = len(response) // 2
    index = np.arange(-EDGE, n + EDGE)[:, None] + np.arange(-half, half + 1)
    index, stored = reference.extended(mode, index, n)
    matrix = np.zeros((n + 2 * EDGE, n))
    np.add.at(matrix, (np.arange(n + 2 * EDGE)[:, None], index), response[::-1] * stored)
    return matrix


def resampling(n, x, stretch, method, mode):
    """From n samples to the positions x: a matrix. The weight function is widened by `stretch`."""
    index = np.arange(-EDGE, n + EDGE)
    weights = reference.WEIGHTS[method]((x[:, None] - index) / stretch)
    if stretch > 1:
        weights /= weights.sum(axis=1, keepdims=True)
    return weights @ coefficients(n, method, mode)


def along_axes(image, y, x):
    return np.einsum("jk,klc,il->jic", y, image, x, optimize=True)


def centred(source, output):
    return (np.arange(output) + 0.5) * source / output - 0.5


def resized(image, height, width, method, mode="clamp"):
    x = resampling(image.shape[1], centred(image.shape[1], width), max(1, image.shape[1] / width), method, mode)
    y = resampling(image.shape[0], centred(image.shape[0], height), max(1, image.shape[0] / height), method, mode)
    return along_axes(image, y, x)


def ideal(n, m):
    """From n samples to m: the Fourier series of the mirrored samples, a period of 2n, without what m samples cannot
    hold: a matrix."""
    k = np.arange(1 - m, m)
    spectrum = np.exp(-1j * np.pi / n * np.outer(k, np.arange(2 * n)))
    values = np.exp(1j * np.pi / n * np.outer(centred(n, m), k)) @ spectrum / (2 * n)
    assert np.abs(values[:, :n] + values[:, ::-1][:, :n]).imag.max() < 1e-9
    return (values[:, :n] + values[:, ::-1][:, :n]).real


def shifted(image, step, method):
    y, x = (resampling(n, np.arange(n) + step, 1, method, "mirror") for n in image.shape[:2])
    return along_axes(image, y, x)


def rotated(image, degrees, method):
    height, width, channels = image.shape
    x, y = reference.positions(width, height, width, height, (0, 0), 1, degrees)
    values = reference.interpolate(image, x.ravel(), y.ravel(), method, ["mirror", "mirror"], "iir")
    return values.reshape(height, width, channels)


def lab(srgb):
    v = np.clip(srgb, 0, 1)
    linear = np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)
    xyz = linear @ np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                             [0.0193339, 0.1191920, 0.9503041]]).T
    t = xyz / np.array([0.95047, 1.0, 1.08883])
    f = np.where(t > (6 / 29) ** 3, np.cbrt(t), t * (29 / 6) ** 2 / 3 + 4 / 29)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], axis=-1)


def delta_e(p, q):
    """CIEDE2000 with hues as complex numbers: the mean hue is that of the sum of the two unit vectors."""
    g = np.mean([np.hypot(p[..., 1], p[..., 2]), np.hypot(q[..., 1], q[..., 2])], axis=0) ** 7
    stretch = 1 + 0.5 * (1 - np.sqrt(g / (g + 25.0**7)))
    z1, z2 = stretch * p[..., 1] + 1j * p[..., 2], stretch * q[..., 1] + 1j * q[..., 2]
    c1, c2 = np.abs(z1), np.abs(z2)
    unit1, unit2 = np.where(c1 > 0, z1 / np.maximum(c1, 1e-300), 0), np.where(c2 > 0, z2 / np.maximum(c2, 1e-300), 0)
    hue = np.rad2deg(np.angle(unit1 + unit2)) % 360
    turn = 2 * np.sqrt(c1 * c2) * np.sin(np.angle(z2 * z1.conj()) / 2)
    level, chroma = (p[..., 0] + q[..., 0]) / 2 - 50, (c1 + c2) / 2
    t = (1 - 0.17 * np.cos(np.deg2rad(hue - 30)) + 0.24 * np.cos(np.deg2rad(2 * hue))
         + 0.32 * np.cos(np.deg2rad(3 * hue + 6)) - 0.20 * np.cos(np.deg2rad(4 * hue - 63)))
    dl = (q[..., 0] - p[..., 0]) / (1 + 0.015 * level**2 / np.sqrt(20 + level**2))
    dc, dh = (c2 - c1) / (1 + 0.045 * chroma), turn / (1 + 0.015 * chroma * t)
    bend = -np.sin(np.deg2rad(60 * np.exp(-(((hue - 275) / 25) ** 2)))) * 2 * np.sqrt(chroma**7 / (chroma**7 + 25.0**7))
    return np.sqrt(np.maximum(0, dl**2 + dc**2 + dh**2 + bend * dc * dh))


def smooth_noise(rng, height, width, channels):
    """Noise that a lens has blurred, so that there is something to restore."""
    noise = ndimage.gaussian_filter(rng.normal(0, 1, (height, width, channels)), (2, 2, 0), mode="wrap")
    return np.clip(0.5 + 0.2 * noise / noise.std(), 0, 1)


def inside(shape, margin=None, radius=None):
    y, x = np.mgrid[: shape[0], : shape[1]]
    if radius is not None:
        return np.hypot(x - (shape[1] - 1) / 2, y - (shape[0] - 1) / 2) <= radius
    return (x >= margin) & (x < shape[1] - margin) & (y >= margin) & (y < shape[0] - margin)


def expected(original, picture, where):
    error = (picture - original)[where]
    rmse = math.sqrt((error**2).mean())
    figures = {"rmse": rmse, "psnr": -20 * math.log10(rmse) if rmse > 0 else None, "max_abs": float(np.abs(error).max()),
               "ssim": ssim(picture, original, where, 1.0)}
    if original.shape[2] == 3:
        difference = delta_e(lab(picture), lab(original))[where]
        figures |= {"delta_e_mean": float(difference.mean()), "delta_e_95": float(np.percentile(difference, 95))}
    return figures


def compare(program, folder, stored, words, restore, where, counts, truth=None):
    """`restore(image, method)`: the model. `truth`: what it is compared with, by default the image."""
    source = folder / "in.npy"
    np.save(source, stored)
    command = [program, "compare", str(source), "--panes", "; ".join(METHODS), "--backend", "cpu", "--json", "-"] + words
    methods = {m["spec"].split(":")[0]: m for m in json.loads(harness.run(command))["methods"]}
    original = stored / 255.0
    for method in METHODS:
        picture = restore(original, method)
        if picture is None:
            continue
        for region, mask in (("interior", where), ("all", np.ones(where.shape, bool))):
            got = methods[method][region]
            if got["pixels"] != mask.sum():
                raise AssertionError(f"{method}, {region}: {got['pixels']} pixels, not {mask.sum()}\n    {shlex.join(command)}")
            figures = expected(original if truth is None else truth, picture, mask)
            allowed = ALLOWED | {"psnr": 1e-3 + 20 * math.log10(1 + ROUNDING / max(figures["rmse"], 1e-12))}
            for name, value in figures.items():
                if (got[name] is None) != (value is None) or (value is not None and abs(got[name] - value) > allowed[name]):
                    raise AssertionError(f"{method}, {region}: {name} is {got[name]!r}, not {value!r}\n    {shlex.join(command)}")
                counts["figures"] += 1


def random_picture(rng, least, most):
    shape = [int(side) for side in rng.integers(least, most, 2)]
    return (smooth_noise(rng, *shape, int(rng.choice([1, 3]))) * 255).round().astype(np.uint8)


def on_a_tie(shape, small):
    """Whether nearest has to choose between two samples somewhere."""
    return any(np.abs(centred(s, n) % 1 - 0.5).min() < 1e-6 for n, s in zip(shape, small))


def check_shrinking(program, rng, folder, counts):
    factor = float(rng.choice([1.5, 2, 3, 4, 2 + rng.random() * 3]))
    margin = math.ceil(SUPPORT * factor)
    stored = random_picture(rng, 2 * margin + 20, 2 * margin + 60)
    small = [max(1, int(math.floor(side / factor + 0.5))) for side in stored.shape[:2]]
    shrinker = str(rng.choice(FILTERS))

    def restore(image, method):
        if method == "nearest" and on_a_tie(image.shape, small):
            return None
        return resized(resized(image, *small, shrinker), *image.shape[:2], method)

    words = ["--restore", repr(factor), "--shrink-with", shrinker]
    compare(program, folder, stored, words, restore, inside(stored.shape, margin=margin), counts)


def check_shifting(program, rng, folder, counts):
    times, step = int(rng.integers(1, 5)), float(rng.uniform(-1.4, 1.4))
    margin = math.ceil(math.ceil(abs(step) * times) + SUPPORT / 2 * (times + 1))
    stored = random_picture(rng, 2 * margin + 20, 2 * margin + 40)

    def restore(image, method):
        for _ in range(times):
            image = shifted(image, step, method)
        image = shifted(image, round(times * step) - times * step, method)
        return shifted(image, -round(times * step), "nearest")

    words = ["--restore", f"shift:{step!r}x{times}"]
    compare(program, folder, stored, words, restore, inside(stored.shape, margin=margin), counts)


def check_rotating(program, rng, folder, counts):
    stored = random_picture(rng, 26, 32)
    times, degrees = int(rng.integers(1, 4)), float(rng.uniform(5, 85))

    def restore(image, method):
        if method == "nearest":
            return None  # a position may be on a tie
        for _ in range(times):
            image = rotated(image, degrees, method)
        return rotated(image, -math.remainder(times * degrees, 360), method)

    words = ["--restore", f"rotate:{times}x{degrees!r}"]
    compare(program, folder, stored, words, restore, inside(stored.shape, radius=0.45 * min(stored.shape[:2])), counts)


def check_reducing(program, rng, folder, counts):
    factor = float(rng.choice([1.5, 2, 3, 1 + rng.random() * 4]))
    stored = random_picture(rng, math.ceil(33 * factor), math.ceil(33 * factor) + 40)
    small = [int(math.floor(side / factor + 0.5)) for side in stored.shape[:2]]
    truth = along_axes(stored / 255.0, *(ideal(n, m) for n, m in zip(stored.shape, small)))

    def reduce(image, method):
        return None if method == "nearest" else resized(image, *small, method, "mirror")

    compare(program, folder, stored, ["--restore", f"shrink:{factor!r}"], reduce, inside(small, margin=8), counts, truth)


def main():
    counts = {"figures": 0}

    def summary(cases, failures):
        return f"{4 * cases} pictures restored, {counts['figures']} figures; {failures} pictures differ"

    return harness.main(__doc__, [check_shrinking, check_shifting, check_rotating, check_reducing], counts, 5, summary,
                        lambda cases: None if counts["figures"] else "nothing was compared")


if __name__ == "__main__":
    sys.exit(main())
