#!/usr/bin/env python3
"""Resizes pictures by torchvision on the CPU: torchvision.py FOLDER [CASES_A_FUNCTION]."""

import os
import sys
import warnings

from _resized_cases import Cases, missing, np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path = [folder for folder in sys.path if os.path.abspath(folder or ".") != HERE]  # files here are named as libraries
warnings.simplefilter("ignore")
try:
    import torch
    import torchvision
    import torchvision.transforms as transforms
    from PIL import Image
except ImportError:
    missing("torchvision")

VERSION = tuple(int(part) for part in torchvision.__version__.split(".")[:2])
OF_TENSORS = ["nearest", "bilinear", "bicubic"]
OF_IMAGES = ["nearest", "box", "bilinear", "hamming", "bicubic", "lanczos"]


def main():
    torch.set_num_threads(1)
    cases = Cases(sys.argv[1], seed=33)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    for number in range(5 * count):
        w, h, W, H = cases.sizes()
        pil = number % 3 == 0
        type = "u8" if pil or number % 2 else "f32"
        interpolation = str(cases.rng.choice(OF_IMAGES if pil else OF_TENSORS))
        picture = cases.picture(w, h, 3, type)
        mode = getattr(transforms.InterpolationMode, interpolation.upper())
        antialias = interpolation == "nearest" or bool(cases.rng.random() < 0.5)
        options = [f"interpolation={interpolation}"] if interpolation != "bilinear" else []
        bound = {"levels": 0} if type == "u8" else {"absolute": 2e-6}
        resize = transforms.Resize
        if pil:
            options.append("image=pil")
            result = np.asarray(resize((H, W), mode)(Image.fromarray(picture)))
        else:
            if not antialias:
                options.append("antialias=false")
            if type == "u8" and interpolation != "nearest":
                if VERSION >= (0, 16) and number % 4 == 1:
                    import torchvision.transforms.v2 as v2
                    resize = v2.Resize
                    options.append("v2=true")
                else:
                    bound = {"levels": 1, "share": 0.02}  # values often are halves
            asked = None if interpolation == "nearest" and VERSION < (0, 15) else antialias
            tensor = torch.from_numpy(np.ascontiguousarray(picture.transpose(2, 0, 1)))
            result = resize((H, W), mode, antialias=asked)(tensor).numpy().transpose(1, 2, 0)
        cases.add("like:torchvision/resize" + (":" + ",".join(options) if options else ""), picture, result, type, bound)
    cases.write()


main()
