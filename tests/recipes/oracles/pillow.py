#!/usr/bin/env python3
"""Resizes pictures by Pillow: pillow.py FOLDER [CASES_A_FUNCTION]."""

import sys

from _resized_cases import Cases, missing, np

try:
    import PIL
    from PIL import Image
except ImportError:
    missing("Pillow")

FILTERS = ["nearest", "box", "bilinear", "hamming", "bicubic", "lanczos"]
VERSION = tuple(int(part) for part in PIL.__version__.split(".")[:2])


def image_of(picture):
    if picture.dtype == np.float32:
        return Image.fromarray(picture[..., 0], "F")
    if picture.dtype == np.uint16:
        return Image.fromarray(picture[..., 0], "I;16")
    return Image.fromarray(picture[..., 0] if picture.shape[2] == 1 else picture)


def array_of(image, alpha):
    values = np.array(image)
    values = values[..., None] if values.ndim == 2 else values
    if alpha:
        values[values[..., -1] == 0] = 0  # what has no opacity has no colour
    return values


def main():
    cases = Cases(sys.argv[1], seed=31)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    rng = cases.rng
    for name in FILTERS + ["reduce", "thumbnail"]:
        resample = getattr(Image.Resampling, (name if name in FILTERS else "bicubic").upper())
        for k in range(count):
            type, channels = [("u8", 3), ("f32", 1), ("u8", 1), ("u8", 4), ("u16", 1)][k % 5]
            # From 11.0 on it resizes 16 bits, and from 12.3 on it clips them.
            since = {"nearest": (0, 0), "bicubic": (12, 3), "lanczos": (12, 3)}.get(name, (11, 0))
            if type == "u16" and (name in ("reduce", "thumbnail") or VERSION < since):
                type, channels = "u8", 3
            w, h, W, H = cases.sizes()
            if h > 100 * w:
                h = 100 * w  # from 12.3 on these are resized along y first
            alpha = channels == 4
            picture = cases.picture(w, h, channels, type, alpha)
            if alpha:  # copies keep the colours of what has no opacity
                picture[picture[..., -1] == 0] = 0
            image, spec = image_of(picture), f"like:pillow/{name}"
            if name == "reduce":
                factor = int(rng.integers(1, 15))
                image = image.reduce(factor)
                spec += f":factor={factor}"
            elif name == "thumbnail":
                gap = float(rng.choice([1, 1.5, 2, 3]))
                image.thumbnail((W, H), reducing_gap=gap)
                spec += f":reducing_gap={gap:g}" if gap != 2 else ""
            elif name != "nearest" and type != "u16" and k % 4 == 3:
                gap = float(rng.choice([1, 1.5, 2, 3]))
                image = image.resize((W, H), resample, reducing_gap=gap)
                spec += f":reducing_gap={gap:g}"
            else:
                image = image.resize((W, H), resample)
            bound = {"f32": {"absolute": 1e-6}, "u16": {"levels": 2, "share": 0.02}}.get(type, {"levels": 0})
            if name == "nearest":
                bound = {"absolute": 0} if type == "f32" else {"levels": 0}
            cases.add(spec, picture, array_of(image, alpha), type, bound, alpha)
    cases.write()


main()
