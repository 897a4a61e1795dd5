#!/usr/bin/env python3
"""Runs `texelscope compare` on random images and views, and compares RMSE, PSNR, largest error and SSIM with figures
that NumPy and SciPy compute from the picture that `texelscope render` writes and a float64 reference.

    check_metrics.py PROGRAM [--cases N] [--seed S]

Exit status: 0 all agree, 1 a figure differs, 77 NumPy or SciPy is missing (CTest: SKIP_RETURN_CODE 77)."""

import json
import math
import shlex
import sys

import harness
import numpy as np
import numpy_reference as reference
from scipy import ndimage

PANES = ["nearest", "bilinear", "bspline:prefilter=none", "bspline:prefilter=fir5", "bspline:path=hardware", "lanczos3",
         "catmull-rom:path=hardware"]
METHODS = ["bilinear", "bspline"]  # for the reference
RADIUS = 5  # of SSIM's window of 11×11


def random_case(rng):
    """Zoomed in, so that a pixel is on a tie of nearest only by chance: those views are rotated."""
    channels = int(rng.integers(1, 5))
    shape = (int(rng.integers(12, 40)), int(rng.integers(12, 40)), channels)
    integers = rng.random() < 0.5
    stored = rng.random(shape) if integers else rng.normal(0.3, 2.0, shape)
    return {
        "stored": (stored * 255).round().astype(np.uint8) if integers else stored.astype(np.float32),
        "panes": [str(p) for p in rng.choice(PANES, 3, replace=False)],
        "method": str(rng.choice(METHODS)),
        "translate": [float(t) for t in rng.uniform(-4, 4, 2)],
        "scale": float(rng.uniform(0.2, 1.1)),
        "rotate": float(rng.uniform(5, 85)),
        "size": [int(s) for s in rng.integers(8, 50, 2)],
        "select": sorted(map(float, rng.uniform(0, 12, 2))) + sorted(map(float, rng.uniform(0, 12, 2)))
        if rng.random() < 0.4 else None,
    }


def compare(program, case, folder):
    """The program's figures, its pictures, and the command that made the figures."""
    source, out = folder / "in.npy", folder / "out.npy"
    np.save(source, case["stored"])
    view = ["--translate", "{!r},{!r}".format(*case["translate"]), "--scale", repr(case["scale"]), "--rotate",
            repr(case["rotate"]), "--size", "{}x{}".format(*case["size"]), "--backend", "cpu"]
    command = [program, "compare", str(source), "--panes", "; ".join(case["panes"]), "--reference", case["method"],
               "--outside", "extend", "--antialias", "off", "--json", "-"] + view
    if case["select"]:
        x0, x1, y0, y1 = case["select"]
        command += ["--select", f"{x0!r},{y0!r},{x1!r},{y1!r}"]
    figures = json.loads(harness.run(command))["panes"]
    pictures = []
    for pane in case["panes"]:
        harness.run([program, "render", str(source), "-o", str(out), "--method", pane] + view)
        pictures.append(np.load(out).astype(float).reshape(case["size"][1], case["size"][0], -1))
    return figures, pictures, shlex.join(command)


def ssim(a, r, compared, peak):
    """Wang et al. 2004 with SciPy's Gaussian of σ 1.5, cut at 3.5 σ: 11 taps. None if no window fits."""
    def blur(image):
        return ndimage.gaussian_filter(image, 1.5, truncate=3.5, mode="constant")

    window = np.ones((2 * RADIUS + 1,) * 2)
    valid = ndimage.binary_erosion(compared, window, border_value=0)
    if not valid.any():
        return None
    c1, c2 = (0.01 * peak) ** 2, (0.03 * peak) ** 2
    means = []
    for channel in range(a.shape[2]):
        x, y = a[..., channel], r[..., channel]
        mx, my = blur(x), blur(y)
        vx, vy, cov = blur(x * x) - mx * mx, blur(y * y) - my * my, blur(x * y) - mx * my
        index = ((2 * mx * my + c1) * (2 * cov + c2)) / ((mx * mx + my * my + c1) * (vx + vy + c2))
        means.append(index[valid].mean())
    return float(np.mean(means))


def check(program, rng, folder, counts):
    case = random_case(rng)
    figures, pictures, command = compare(program, case, folder)
    stored = case["stored"]
    image = stored.astype(np.float64) / (255 if stored.dtype == np.uint8 else 1)
    peak = 1.0 if stored.dtype == np.uint8 else float(stored.max() - stored.min())
    width, height = case["size"]
    x, y = (p.ravel() for p in reference.positions(image.shape[1], image.shape[0], width, height, case["translate"],
                                                   case["scale"], case["rotate"]))
    exact = reference.interpolate(image, x, y, case["method"], ["clamp", "clamp"], "iir").reshape(height, width, -1)
    compared = np.ones((height, width), bool)
    if case["select"]:
        x0, x1, y0, y1 = case["select"]
        compared = ((x0 <= x) & (x < x1) & (y0 <= y) & (y < y1)).reshape(height, width)
    for pane, picture in zip(figures, pictures):
        error = (picture - exact)[compared]
        expected = {"rmse": None, "max_abs": None, "psnr": None, "ssim": None}
        if error.size:
            rmse = math.sqrt((error ** 2).mean())
            expected = {"rmse": rmse, "max_abs": float(np.abs(error).max()), "psnr": 20 * math.log10(peak / rmse),
                        "ssim": ssim(picture, exact, compared, peak)}
        # The program's float64 reference and this one differ by their rounding.
        allowed = {"rmse": 1e-9 * peak, "max_abs": 1e-9 * peak, "psnr": 1e-3, "ssim": 1e-8}
        if pane["pixels"] != compared.sum():
            raise AssertionError(f"{pane['spec']}: {pane['pixels']} pixels compared, not {compared.sum()}\n    {command}")
        for name, value in expected.items():
            got = pane[name]
            if (got is None) != (value is None) or (got is not None and abs(got - value) > allowed[name]):
                raise AssertionError(f"{pane['spec']}: {name} is {got!r}, not {value!r}\n    {command}")
        counts["panes"] += 1
        counts["with SSIM"] += expected["ssim"] is not None


def main():
    counts = {"panes": 0, "with SSIM": 0}

    def summary(cases, failures):
        return f"{cases} comparisons, {counts['panes']} panes, {counts['with SSIM']} with SSIM; {failures} differ"

    def broken(cases):
        if cases >= 20 and counts["with SSIM"] == 0:
            return "no case had an SSIM: the choice of cases is broken"
        return None

    return harness.main(__doc__, [check], counts, 20, summary, broken)


if __name__ == "__main__":
    sys.exit(main())
