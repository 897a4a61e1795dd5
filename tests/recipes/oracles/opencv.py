#!/usr/bin/env python3
"""Resizes pictures by OpenCV: opencv.py FOLDER [CASES_A_FUNCTION]."""

import sys

from _resized_cases import Cases, missing, np

try:
    import cv2
except ImportError:
    missing("OpenCV")

FUNCTIONS = ["nearest", "nearest_exact", "linear", "linear_exact", "cubic", "lanczos4", "area"]


def bound(function, type):
    if type == "f32":
        return {"absolute": 2e-6}
    if function == "cubic":
        return {"levels": 1, "share": 0.002}
    if function == "linear_exact" and type == "u16":
        return {"levels": 1, "share": 0.002}
    return {"levels": 0}


def main():
    if hasattr(cv2, "ipp"):
        cv2.ipp.setUseIPP(False)
    cv2.setNumThreads(1)
    version = int(cv2.__version__.split(".")[0])
    cases = Cases(sys.argv[1], seed=3)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    for function in FUNCTIONS:
        method = getattr(cv2, "INTER_" + function.upper())
        for k in range(count):
            type = ("u8", "u16", "f32")[k % 3]
            channels = (1, 3, 4, 2)[k // 3 % 4]
            w, h, W, H = cases.sizes()
            if k % 5 == 4:
                w, h = 2 * W, 2 * H
            picture = cases.picture(w, h, channels, type)
            spec = f"like:opencv/{function}"
            if function == "nearest_exact":
                if version >= 5:
                    spec += ":version=5"
            elif k % 4 == 3:
                fx, fy = (round(float(np.exp(cases.rng.uniform(-1.5, 1))), 4) for _ in range(2))
                if round(w * fx) >= 1 and round(h * fy) >= 1:
                    result = cv2.resize(picture, None, fx=fx, fy=fy, interpolation=method)
                    result = result.reshape(*result.shape[:2], channels)
                    cases.add(f"{spec}:fx={fx},fy={fy}", picture, result, type, bound(function, type))
                    continue
            result = cv2.resize(picture, (W, H), interpolation=method).reshape(H, W, channels)
            cases.add(spec, picture, result, type, bound(function, type))
    cases.write()


main()
