#!/usr/bin/env python3
"""Resizes pictures by PyTorch on the CPU: torch.py FOLDER [CASES_A_FUNCTION]."""

import os
import sys
import warnings

from _resized_cases import Cases, missing, np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path = [folder for folder in sys.path if os.path.abspath(folder or ".") != HERE]  # files here are named as libraries
sys.modules.pop("torch", None)
try:
    import torch
    import torch.nn.functional as F
except ImportError:
    missing("torch")

VERSION = tuple(int(part) for part in torch.__version__.split(".")[:2])
FLOATS = {"absolute": 2e-6}
LEVELS = {"levels": 0}


def tensor_of(picture):
    return torch.from_numpy(np.ascontiguousarray(picture.transpose(2, 0, 1))[None])


def array_of(tensor):
    return tensor[0].numpy().transpose(1, 2, 0)


def spec_of(name, standard, **options):
    """Options that are not standard, as the command line has them."""
    set_ = [f"{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in options.items()
            if value != standard[key]]
    return f"like:torch/{name}" + (":" + ",".join(set_) if set_ else "")


def interpolate(cases, name, number):
    rng = cases.rng
    filtered = name in ("bilinear", "bicubic")
    options = {}
    if filtered:
        options["antialias"] = bool(number & 1)
        options["align_corners"] = bool(number & 2)
    type = "u8" if filtered and number % 5 == 4 and VERSION >= (2, 1) else "f32"
    w, h, W, H = cases.sizes()
    picture = cases.picture(w, h, int(rng.choice([1, 3, 4])), type)
    standard = {"antialias": False, "align_corners": False, "scale_factor": 0, "dtype": "float32", "version": "2"}
    if filtered and VERSION < (2, 0):
        options["version"] = "1.13"
    given = {key: value for key, value in options.items() if key != "version"}
    if name != "area" and number % 3 == 2:
        factor = float(rng.choice([0.25, 0.37, 0.5, 0.7, 1.3, 2, 2.3, 3]))
        W, H = int(np.floor(w * factor)), int(np.floor(h * factor))
        if min(W, H) < 1 or W == w or H == h:
            return
        options["scale_factor"] = factor if factor != int(factor) else int(factor)
        given["scale_factor"] = factor
    else:
        given["size"] = (H, W)
    if options.get("antialias") and VERSION >= (2, 0) and 1 in (W, H):  # not reproduced, as the record says
        return
    if filtered and given["antialias"] is False:
        del given["antialias"]
    result = array_of(F.interpolate(tensor_of(picture), mode=name, **given))
    if type == "u8":
        options["dtype"] = "uint8"
    bound = LEVELS if type == "u8" else {"absolute": 0} if name.startswith("nearest") else FLOATS
    cases.add(spec_of(name, standard, **options), picture, result, type, bound)


def grid_sample(cases, number):
    mode = ("bilinear", "nearest", "bicubic")[number % 3]
    padding_mode = ("zeros", "border", "reflection")[number // 3 % 3]
    corners = bool(number // 9 % 2)
    w, h, W, H = cases.sizes()
    picture = cases.picture(w, h, int(cases.rng.choice([1, 3, 4])), "f32")
    grid = F.affine_grid(torch.tensor([[[1.0, 0, 0], [0, 1, 0]]]), (1, 1, H, W), align_corners=corners)
    result = array_of(F.grid_sample(tensor_of(picture), grid, mode=mode, padding_mode=padding_mode, align_corners=corners))
    standard = {"mode": "bilinear", "padding_mode": "zeros", "align_corners": False}
    spec = spec_of("grid_sample", standard, mode=mode, padding_mode=padding_mode, align_corners=corners)
    cases.add(spec, picture, result, "f32", {"absolute": 0} if mode == "nearest" else {"absolute": 3e-6 if VERSION < (2, 0) else 7e-6})


def main():
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    cases = Cases(sys.argv[1], seed=32)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    for name in ("nearest", "nearest-exact", "bilinear", "bicubic", "area"):
        for number in range(count):
            interpolate(cases, name, number)
    for number in range(2 * count):
        grid_sample(cases, number)
    cases.write()


main()
