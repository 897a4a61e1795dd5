#!/usr/bin/env python3
"""Resizes random pictures with the polar methods and with ImageMagick's `-filter … -distort Resize`, and compares. ImageMagick
must compute in floats (HDRI): Debian's imagemagick-6.q16hdri.

    check_against_imagemagick.py PROGRAM [--cases N] [--seed S]

Two facts of ImageMagick's code are in the way of equal pixels (resample.c). Its weights come from a table of 1024 steps of the
squared distance, without interpolation, so that its pictures differ from those of the weight function by up to 0.008 (jincs)
and 0.003 (cubics) of the samples' range. And samples beyond the edges do not count, which is neither of the address modes
here: the program's picture with zeros beyond the edges is divided by that of a picture of ones. Three comparisons:

    the program and a NumPy model of the weight function             4e-6, the program's float32
    ImageMagick and the same model with ImageMagick's table          1e-5 for jincs; 0.006 for cubics, whose radius of 2 puts
                                                                     many distances on a step exactly, where rounding decides
    the program and ImageMagick                                      0.015, the table's steps

Exit status: 0 all agree, 1 a picture differs, 77 NumPy, SciPy or ImageMagick is missing (CTest: SKIP_RETURN_CODE 77)."""

import shlex
import shutil
import subprocess
import sys

import harness
import numpy as np
from scipy.special import j1, jn_zeros

ZERO_1, ZERO_3 = jn_zeros(1, 3)[[0, 2]] / np.pi
TABLE = 1024
EXACT, STEPS = 4e-6, 0.015


def jinc(r):
    x = np.pi * np.maximum(r, 1e-9)
    return 2 * j1(x) / x


def windowed_jinc(blur):
    radius = ZERO_3 * blur
    return lambda r: np.where(r < radius, jinc(r / blur) * jinc(r / blur * ZERO_1 / ZERO_3), 0), radius


def keys_cubic(b):
    c = (1 - b) / 2

    def weight(r):
        inner = ((12 - 9 * b - 6 * c) * r**3 + (-18 + 12 * b + 6 * c) * r**2 + 6 - 2 * b) / 6
        outer = ((-b - 6 * c) * r**3 + (6 * b + 30 * c) * r**2 + (-12 * b - 48 * c) * r + 8 * b + 24 * c) / 6
        return np.where(r < 1, inner, np.where(r < 2, outer, 0))

    return weight, 2.0


# ImageMagick's name: id, weight function with its radius, and how well ImageMagick's table is modelled.
FILTERS = {
    "Lanczos": ("ewa-lanczos", windowed_jinc(1), 1e-5),
    "LanczosSharp": ("ewa-lanczossharp", windowed_jinc(0.9812505644269356), 1e-5),
    "Robidoux": ("ewa-robidoux", keys_cubic(12 / (19 + 9 * np.sqrt(2))), 6e-3),
    "RobidouxSharp": ("ewa-robidouxsharp", keys_cubic(6 / (13 + 7 * np.sqrt(2))), 6e-3),
}


def model(picture, width, height, weight, radius, table):
    """The picture resized, with the weights of ImageMagick's table or exact ones. Samples beyond the edges do not count."""
    rows, columns = picture.shape
    step_x, step_y = columns / width, rows / height
    wide_x, wide_y = max(step_x, 1), max(step_y, 1)
    x = (np.arange(width) + 0.5) * step_x - 0.5
    y = (np.arange(height) + 0.5) * step_y - 0.5
    squared_x = ((np.arange(columns)[None, :] - x[:, None]) / wide_x) ** 2
    squared_y = ((np.arange(rows)[None, :] - y[:, None]) / wide_y) ** 2
    result = np.empty((height, width))
    for j in range(height):
        squared = squared_y[j][:, None, None] + squared_x.T[None, :, :]  # row, column, output column
        if table:
            step = np.floor(squared / radius**2 * TABLE)
            weights = np.where(step < TABLE, weight(np.sqrt(np.minimum(step, TABLE - 1) / TABLE) * radius), 0)
        else:
            weights = weight(np.sqrt(squared))
        result[j] = (weights * picture[:, :, None]).sum((0, 1)) / weights.sum((0, 1))
    return result


def write_pfm(path, picture):
    header = f"Pf\n{picture.shape[1]} {picture.shape[0]}\n-1.0\n".encode()
    path.write_bytes(header + picture[::-1].astype("<f4").tobytes())


def read_pfm(path):
    kind, size, scale, data = path.read_bytes().split(b"\n", 3)
    width, height = map(int, size.split())
    channels = 3 if kind == b"PF" else 1
    values = np.frombuffer(data, "<f4" if float(scale) < 0 else ">f4").reshape(height, width, channels)
    return values[::-1, :, 0].astype(float)


def imagemagick():
    """The command, if it computes in floats."""
    for name in ("convert-im6.q16hdri", "magick", "convert"):
        if not shutil.which(name):
            continue
        said = subprocess.run([name, "-version"], capture_output=True, text=True).stdout
        if "ImageMagick" in said and "HDRI" in said:
            return name
    return None


CONVERT = imagemagick()
if CONVERT is None:
    print("skipped: no ImageMagick that computes in floats; install imagemagick-6.q16hdri")
    sys.exit(77)


def resized(program, picture, size, method, folder):
    np.save(folder / "in.npy", picture.astype(np.float32))
    harness.run([program, "resize", str(folder / "in.npy"), "-o", str(folder / "out.npy"), "--size", size, "--method",
                 f"{method}:address=border", "--backend", "cpu"])
    return np.load(folder / "out.npy").astype(float)


def check(program, rng, folder, counts):
    rows, columns = (int(n) for n in rng.integers(8, 32, 2))
    # Shrunk by less than 4, beyond which the program reads a smaller image.
    width, height = (max(3, int(n * rng.uniform(0.3, 2.5))) for n in (columns, rows))
    picture = rng.normal(0.4, 0.6, (rows, columns)).clip(0, 1).astype(np.float32)
    name = str(rng.choice(list(FILTERS)))
    method, (weight, radius), modelled = FILTERS[name]
    size = f"{width}x{height}"
    write_pfm(folder / "in.pfm", picture)
    command = [CONVERT, str(folder / "in.pfm"), "-filter", name, "-distort", "Resize", size + "!", "+repage", "-define",
               "quantum:format=floating-point", str(folder / "out.pfm")]
    harness.run(command)
    theirs = read_pfm(folder / "out.pfm")
    ours = resized(program, picture, size, method, folder) / resized(program, np.ones_like(picture), size, method, folder)
    exact = model(picture.astype(float), width, height, weight, radius, False)
    table = model(picture.astype(float), width, height, weight, radius, True)
    for what, a, b, tolerated in (("the program and the weight function", ours, exact, EXACT),
                                  ("ImageMagick and the model of its table", theirs, table, modelled),
                                  ("the program and ImageMagick", ours, theirs, STEPS)):
        error = np.abs(a - b).max()
        counts[what] = max(counts.get(what, 0), error)
        assert error <= tolerated, f"{what} differ by {error:.3g}, {rows}×{columns}: {shlex.join(command)}"
    counts.setdefault("filters", set()).add(name)


if __name__ == "__main__":
    counts = {}

    def summary(cases, failures):
        largest = ", ".join(f"{what} {counts[what]:.2g}" for what in counts if what != "filters")
        return f"{cases} cases, {failures} differ; largest differences: {largest}"

    def broken(cases):
        missing = set(FILTERS) - counts.get("filters", set())
        return f"{cases} cases are too few: none of {', '.join(sorted(missing))}" if missing else None

    sys.exit(harness.main(__doc__, [check], counts, 40, summary, broken))
