#!/usr/bin/env python3
"""Runs `texelscope compare A --reference B --difference ssim|delta-e|flip|gradient --write-map M.npy` on random pictures, and
compares the maps and their figures with float64 models in NumPy and SciPy, written from the papers: SSIM (Wang et al. 2004),
CIEDE2000 (Sharma et al. 2005), FLIP (Andersson et al. 2020 and 2021), GMSD (Xue et al. 2014).

    check_error_maps.py PROGRAM [--cases N] [--seed S]

Exit status: 0 all agree, 1 a number differs, 77 NumPy or SciPy is missing (CTest: SKIP_RETURN_CODE 77)."""

import json
import shlex
import sys

import harness
import numpy as np
from scipy import ndimage

KINDS = ["ssim", "delta-e", "flip", "gradient"]
ALLOWED = {"ssim": 1e-6, "delta-e": 1e-6, "flip": 1e-4, "gradient": 1e-6}  # of values above 1: relative

TO_XYZ = np.array([[10135552 / 24577794, 8788810 / 24577794, 4435075 / 24577794],
                   [2613072 / 12288897, 8788810 / 12288897, 887015 / 12288897],
                   [1425312 / 73733382, 8788810 / 73733382, 70074185 / 73733382]])
WHITE = TO_XYZ.sum(axis=1)


def decoded(v):
    v = np.clip(v, 0, 1)
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)


def response(t):
    d = 6 / 29
    return np.where(t > d ** 3, np.cbrt(t), t / (3 * d * d) + 4 / 29)


def lab(linear, matrix=TO_XYZ):
    x, y, z = np.moveaxis(response(linear @ (matrix / matrix.sum(axis=1)[:, None]).T), -1, 0)
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], -1)


def hunted(linear):
    colour = lab(linear)
    return np.concatenate([colour[..., :1], 0.01 * colour[..., :1] * colour[..., 1:]], -1)


def hyab(p, q):
    return np.abs(p[..., 0] - q[..., 0]) + np.hypot(p[..., 1] - q[..., 1], p[..., 2] - q[..., 2])


def square(radius, function):
    y, x = np.mgrid[-radius:radius + 1, -radius:radius + 1].astype(float)
    return function(x, y)


def sensitivity(degree, a1, b1, a2, b2):
    radius = int(np.ceil(3 * np.sqrt(0.04 / (2 * np.pi ** 2)) * degree))
    taps = square(radius, lambda x, y: sum(
        a * np.sqrt(np.pi / b) * np.exp(-np.pi ** 2 * (x * x + y * y) / degree ** 2 / b) for a, b in ((a1, b1), (a2, b2))))
    return taps / taps.sum()


def feature(degree, point):
    sd = 0.5 * 0.082 * degree

    def taps(x, y):
        g = np.exp(-(x * x + y * y) / (2 * sd * sd))
        return (x * x / sd ** 2 - 1) * g if point else -x * g
    g = square(int(np.ceil(3 * sd)), taps)
    return np.where(g > 0, g / g[g > 0].sum(), g / -g[g < 0].sum())


def filtered(plane, taps):
    return ndimage.correlate(plane, taps, mode="nearest")


def ldr_flip(a, r, degree):
    """Of two pictures in linear light, 0 to 1."""
    filters = [sensitivity(degree, 1, 0.0047, 0, 1e-5), sensitivity(degree, 1, 0.0053, 0, 1e-5),
               sensitivity(degree, 34.1, 0.04, 13.5, 0.025)]
    labs, edges, points = [], [], []
    for picture in (a, r):
        x, y, z = np.moveaxis(picture @ TO_XYZ.T / WHITE, -1, 0)
        opponents = [116 * y - 16, 500 * (x - y), 200 * (y - z)]
        o = [filtered(plane, taps) for plane, taps in zip(opponents, filters)]
        fy = (o[0] + 16) / 116
        xyz = np.stack([fy + o[1] / 500, fy, fy - o[2] / 200], -1) * WHITE
        labs.append(hunted(np.clip(xyz @ np.linalg.inv(TO_XYZ).T, 0, 1)))
        for of, point in ((edges, False), (points, True)):
            taps = feature(degree, point)
            of.append(np.hypot(filtered(y, taps), filtered(y, taps.T)))
    largest = float(hyab(hunted(np.array([0., 1, 0])), hunted(np.array([0., 0, 1])))) ** 0.7
    error, knee = hyab(*labs) ** 0.7, 0.4 * largest
    colour = np.where(error < knee, 0.95 / knee * error, 0.95 + (error - knee) / (largest - knee) * 0.05)
    difference = np.maximum(np.abs(edges[0] - edges[1]), np.abs(points[0] - points[1]))
    return colour ** (1 - np.sqrt(difference / np.sqrt(2)))


def flip(a, r, degree):
    if r.dtype == np.uint8 or r.max() <= 1:
        scale = 255 if r.dtype == np.uint8 else 1
        return ldr_flip(decoded(a / scale), decoded(r / scale), degree)
    a, r = a.astype(float), r.astype(float)
    luminance = np.maximum(r @ [0.2126, 0.7152, 0.0722], 0)
    p, q, s = 0.6 * 0.6 * 2.51 - 0.85 * 0.6 * 0.6 * 2.43, 0.6 * 0.03 - 0.85 * 0.6 * 0.59, -0.85 * 0.14
    x = max(np.roots([p, q, s]))
    start, stop = np.log2(x / luminance.max()), np.log2(x / np.median(luminance))
    maps = []
    for exposure in np.linspace(start, stop, max(2, int(np.ceil(stop - start)))):
        def tone_mapped(v):
            t = 0.6 * 2 ** exposure * np.maximum(v, 0)
            return np.clip(t * (2.51 * t + 0.03) / (t * (2.43 * t + 0.59) + 0.14), 0, 1)
        maps.append(ldr_flip(tone_mapped(a), tone_mapped(r), degree))
    return np.max(maps, axis=0)


def delta_e(p, q):
    """Sharma, Wu & Dalal 2005, equations 2 to 22; hues in degrees."""
    (l1, a1, b1), (l2, a2, b2) = np.moveaxis(p, -1, 0), np.moveaxis(q, -1, 0)
    c = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    g = 0.5 * (1 - np.sqrt(c ** 7 / (c ** 7 + 25.0 ** 7)))
    a1, a2 = (1 + g) * a1, (1 + g) * a2
    c1, c2 = np.hypot(a1, b1), np.hypot(a2, b2)
    h1, h2 = np.degrees(np.arctan2(b1, a1)) % 360, np.degrees(np.arctan2(b2, a2)) % 360
    grey = c1 * c2 == 0
    h = h2 - h1
    dh = np.where(grey, 0, np.where(h > 180 + 1e-9, h - 360, np.where(h < -180 - 1e-9, h + 360, h)))
    mean = np.where(np.abs(h) <= 180 + 1e-9, (h1 + h2) / 2, np.where(h1 + h2 < 360, (h1 + h2 + 360) / 2, (h1 + h2 - 360) / 2))
    mean = np.where(grey, h1 + h2, mean)
    dl, dc, dhh = l2 - l1, c2 - c1, 2 * np.sqrt(c1 * c2) * np.sin(np.radians(dh / 2))
    l, c = (l1 + l2) / 2, (c1 + c2) / 2
    t = (1 - 0.17 * np.cos(np.radians(mean - 30)) + 0.24 * np.cos(np.radians(2 * mean)) +
         0.32 * np.cos(np.radians(3 * mean + 6)) - 0.20 * np.cos(np.radians(4 * mean - 63)))
    rotation = -np.sin(np.radians(60 * np.exp(-((mean - 275) / 25) ** 2))) * 2 * np.sqrt(c ** 7 / (c ** 7 + 25.0 ** 7))
    sl, sc, sh = 1 + 0.015 * (l - 50) ** 2 / np.sqrt(20 + (l - 50) ** 2), 1 + 0.045 * c, 1 + 0.015 * c * t
    return np.sqrt(np.maximum((dl / sl) ** 2 + (dc / sc) ** 2 + (dhh / sh) ** 2 + rotation * dc / sc * dhh / sh, 0))


def ssim(a, r, peak):
    def blur(plane):
        return ndimage.gaussian_filter(plane, 1.5, truncate=3.5)
    c1, c2 = (0.01 * peak) ** 2, (0.03 * peak) ** 2
    maps = []
    for c in range(a.shape[2]):
        x, y = a[..., c], r[..., c]
        mx, my = blur(x), blur(y)
        vx, vy, cov = blur(x * x) - mx * mx, blur(y * y) - my * my, blur(x * y) - mx * my
        maps.append((2 * mx * my + c1) * (2 * cov + c2) / ((mx * mx + my * my + c1) * (vx + vy + c2)))
    whole = np.full(a.shape[:2], np.nan)
    whole[5:-5, 5:-5] = 1 - np.mean(maps, axis=0)[5:-5, 5:-5]
    return whole


def gradient(a, r, peak):
    down, across = a.shape[0] // 2, a.shape[1] // 2
    magnitudes = []
    for picture in (a, r):
        grey = 255 / peak * picture @ np.array([0.298936021293775, 0.587043074451121, 0.114020904255103])
        half = grey[:2 * down, :2 * across].reshape(down, 2, across, 2).mean(axis=(1, 3))
        prewitt = np.array([[1, 0, -1]] * 3) / 3
        magnitudes.append(np.hypot(ndimage.correlate(half, prewitt), ndimage.correlate(half, prewitt.T)))
    m, d = magnitudes
    gms = (2 * m * d + 170) / (m * m + d * d + 170)
    whole = np.full(a.shape[:2], np.nan)
    inner = np.repeat(np.repeat(1 - gms[1:-1, 1:-1], 2, 0), 2, 1)
    whole[2:2 * down - 2, 2:2 * across - 2] = inner
    return whole


def pictures(rng):
    height, width = (int(n) for n in rng.integers(30, 90, 2))
    y, x = np.mgrid[0:height, 0:width]
    r = np.stack([0.5 + 0.4 * np.sin(rng.uniform(0.05, 1) * x + rng.uniform(0.05, 1) * y + c) for c in range(3)], -1)
    r[:, width // 2:] *= rng.uniform(0.2, 1)
    r = np.clip(r + rng.normal(0, 0.03, r.shape), 0, 1)
    a = np.clip(r * rng.uniform(0.9, 1.1) + rng.normal(0, rng.choice([0.002, 0.03, 0.2]), r.shape), 0, 1)
    choice = rng.integers(3)
    if choice == 0:
        return (255 * a).round().astype(np.uint8), (255 * r).round().astype(np.uint8)
    return tuple((v * (1 if choice == 1 else 30 * r)).astype(np.float32) for v in (a, r))


def model(kind, a, r, shown, degree):
    """`shown`: a as a pane has it, in float32; its reference is in float64."""
    integers = r.dtype == np.uint8
    peak = 1.0 if integers else float(r.max()) - float(r.min())
    x, y = shown.astype(float), r.astype(float) / (255 if integers else 1)
    if kind == "flip":
        return flip(a, r, degree)
    if kind == "delta-e":
        srgb = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]])
        return delta_e(lab(decoded(x), srgb), lab(decoded(y), srgb))
    return ssim(x, y, peak) if kind == "ssim" else gradient(x, y, peak)


def check(program, rng, folder, counts):
    a, r = pictures(rng)
    np.save(folder / "a.npy", a)
    np.save(folder / "r.npy", r)
    kind, degree = str(rng.choice(KINDS)), float(np.float32(rng.uniform(10, 120)))
    command = [program, "compare", str(folder / "a.npy"), "--reference", str(folder / "r.npy"), "--panes", "nearest",
               "--difference", kind, "--write-map", str(folder / "map.npy"), "--json", "-", "--backend", "cpu"]
    if kind == "flip":
        command += ["--pixels-per-degree", repr(degree)]
    figures = json.loads(harness.run(command))["panes"][0]["map"]
    harness.run([program, "render", str(folder / "a.npy"), "-o", str(folder / "shown.npy"), "--method", "nearest"])
    got, shown = np.load(folder / "map.npy").astype(float).reshape(a.shape[:2]), np.load(folder / "shown.npy")
    expected = model(kind, a, r, shown.reshape(a.shape), degree)
    text = shlex.join(command)
    if not np.array_equal(np.isnan(got), np.isnan(expected)):
        raise AssertionError(f"{kind}: other pixels are compared\n    {text}")
    error = np.nanmax(np.abs(got - expected) / np.maximum(1, expected))
    counts["largest " + kind] = max(counts.get("largest " + kind, 0), error)
    if not error <= ALLOWED[kind]:
        raise AssertionError(f"{kind}: the map is off by {error:.3g}\n    {text}")
    values = np.sort(expected[~np.isnan(expected)])
    median = values[np.searchsorted(np.cumsum(values), values.sum() / 2)]
    allowed = {"mean": ALLOWED[kind], "deviation": 10 * ALLOWED[kind], "largest": ALLOWED[kind] * max(1, values[-1]),
               "weighted_median": 0.01}
    for name, value in {"mean": values.mean(), "deviation": values.std(), "largest": values[-1],
                        "weighted_median": median}.items():
        if abs(figures[name] - value) > allowed[name]:
            raise AssertionError(f"{kind}: {name} is {figures[name]!r}, not {value!r}\n    {text}")
    if figures["pixels"] != values.size or sum(figures["histogram"]) != values.size:
        raise AssertionError(f"{kind}: {figures['pixels']} pixels, not {values.size}\n    {text}")
    counts[kind] = counts.get(kind, 0) + 1


def main():
    counts = {}

    def summary(cases, failures):
        offs = ", ".join(f"{kind} {counts.get(kind, 0)} (off by {counts.get('largest ' + kind, 0):.2g})" for kind in KINDS)
        return f"{cases} maps: {offs}; {failures} differ"

    def broken(cases):
        return "a kind of map was not compared: more cases are needed" if any(k not in counts for k in KINDS) else None

    return harness.main(__doc__, [check], counts, 24, summary, broken)


if __name__ == "__main__":
    sys.exit(main())
