#!/usr/bin/env python3
"""Compares pictures that `texelscope resize` shrinks by 3 to 100 with those of Pillow, in floats: away from the edges, where
Pillow leaves taps out, both are weighted sums of all samples by the same widened function.

    tests/scipy/check_against_pillow.py build/release/texelscope [--cases N] [--seed S]"""

import sys

import harness
import numpy as np

try:
    from PIL import Image
except ImportError as missing:
    print(f"skipped: {missing}; install python3-pil to compare with Pillow")
    sys.exit(77)

TOLERANCE = 2e-6
FILTERS = {"nearest": (Image.BOX, 0.5), "bilinear": (Image.BILINEAR, 1), "catmull-rom": (Image.BICUBIC, 2),
           "lanczos3": (Image.LANCZOS, 3)}  # with their radii


def check(program, rng, folder, counts):
    width, height = (int(n) for n in rng.integers(9, 17, 2))
    # Whole and odd factors: a box has no ties, at which Pillow takes the sample on the other side.
    factors = 2 * rng.integers(1, 50, 2) + 1
    samples = rng.random((height * factors[1], width * factors[0]), dtype=np.float32)
    method = list(FILTERS)[int(rng.integers(len(FILTERS)))]
    filter, radius = FILTERS[method]
    np.save(folder / "in.npy", samples)
    harness.run([program, "resize", str(folder / "in.npy"), "-o", str(folder / "out.npy"), "--size",
                 f"{width}x{height}", "--method", method])
    expected = np.asarray(Image.fromarray(samples, "F").resize((width, height), filter))
    edge = int(np.ceil(radius - 0.5))
    inside = (slice(edge, height - edge), slice(edge, width - edge))
    error = np.abs(np.load(folder / "out.npy") - expected)[inside].max()
    if not error <= TOLERANCE:
        raise AssertionError(f"{method}, {samples.shape} to {expected.shape}: off by {error:.3g}")
    counts[method] = counts.get(method, 0) + 1


def main():
    counts = {}
    return harness.main(__doc__, [check], counts, 16,
                        lambda cases, failures: f"{cases} pictures against Pillow: {counts}; {failures} differ",
                        lambda cases: None if len(counts) == len(FILTERS) else f"only {sorted(counts)} were compared")


if __name__ == "__main__":
    sys.exit(main())
