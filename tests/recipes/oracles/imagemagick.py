#!/usr/bin/env python3
"""Resizes pictures by ImageMagick: imagemagick.py FOLDER [CASES_A_FUNCTION [PROGRAM]]."""

import os
import shutil
import subprocess
import sys

from _resized_cases import Cases, missing, np

FILTERS = ("Box Triangle Hermite Quadratic Cubic Spline Catrom Mitchell Robidoux RobidouxSharp Gaussian Lagrange Hann Hamming "
           "Blackman Kaiser Bohman Parzen Bartlett Welch Cosine Sinc SincFast Lanczos LanczosSharp Lanczos2 Lanczos2Sharp "
           "LanczosRadius").split()
DEFINES = [("lanczos", "blur", "0.9"), ("lanczos", "blur", "1.3"), ("lanczos", "lobes", "2"), ("lanczos", "lobes", "5"),
           ("mitchell", "blur", "0.8"), ("gaussian", "sigma", "0.8"), ("gaussian", "sigma", "0.3"),
           ("kaiser", "kaiser-beta", "4"), ("cubic", "b", "0.2"), ("lagrange", "lobes", "3"), ("box", "blur", "1.5"),
           ("hann", "lobes", "6"), ("quadratic", "blur", "0.5")]


def program():
    names = sys.argv[3:] or ["magick", "/usr/bin/convert", "convert-im6.q16", "convert-im6.q16hdri", "convert"]
    for name in names:
        if shutil.which(name):
            version = subprocess.run([name, "-version"], capture_output=True, text=True).stdout
            if "ImageMagick" in version and "Q16" in version:
                return name, "HDRI" in version
    missing("ImageMagick Q16")


def ask(exe, picture, operations, width, height):
    h, w, channels = picture.shape
    kind = "rgba" if channels == 4 else "rgb"
    depth = str(8 * picture.dtype.itemsize)
    floats = ["-define", "quantum:format=floating-point"] if picture.dtype == np.float32 else []
    after = ["-depth", depth, *floats] if floats else []
    done = subprocess.run([exe, "-size", f"{w}x{h}", "-depth", depth, "-endian", "LSB", *floats, kind + ":-", *operations,
                           *after, "-endian", "LSB", kind + ":-"], input=picture.tobytes(), stdout=subprocess.PIPE,
                          env=dict(os.environ, MAGICK_THREAD_LIMIT="1"), check=True)
    return np.frombuffer(done.stdout, picture.dtype).reshape(height, width, channels)


def bound(function, type, hdri):
    """Floats of ours against doubles: ties differ, of which whole factors have many."""
    if type == "f32":
        return {"absolute": 2e-6}
    if function in ("point", "sample"):
        return {"levels": 0}
    if hdri:
        return {"levels": 1, "share": 0.03}
    return {"levels": 1, "share": 0.03} if type == "u8" else {"levels": 2, "share": 0.25}


def main():
    exe, hdri = program()
    cases = Cases(sys.argv[1], seed=7)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    build = ["build=hdri"] if hdri else []
    types = ["u8", "u8", "u16", "f32"] if hdri else ["u8", "u8", "u16"]

    def case(function, operations, options, k, type=None, large=False):
        type = type or types[k % len(types)]
        alpha = k % 5 == 4 and type != "f32"
        w, h, W, H = cases.sizes()
        if large:
            w, h, W, H = 300 + w, 300 + h, 26 + W // 4, 26 + H // 4
        picture = cases.picture(w, h, 4 if alpha else 3, type, alpha)
        png = ["png=true"] if not hdri and type == "u8" and k % 3 == 0 and function not in ("point", "sample") else []
        result = ask(exe, picture, operations(W, H) + (["-depth", "8"] if png else []), W, H)
        if function in ("point", "sample"):
            options = []
        elif function not in ("resize", "thumbnail") or hdri:
            options = build + png + options
        else:
            options = png + options
        spec = f"like:imagemagick/{function}" + (":" + ",".join(options) if options else "")
        cases.add(spec, picture, result, type, bound(function, type, hdri), alpha)

    for k in range(count):
        case("resize", lambda W, H: ["-resize", f"{W}x{H}!"], [], k)
        case("thumbnail", lambda W, H: ["-thumbnail", f"{W}x{H}!"], [], k, "u8", k % 2)
        case("sample", lambda W, H: ["-sample", f"{W}x{H}!"], [], k)
        case("scale", lambda W, H: ["-scale", f"{W}x{H}!"], [], k)
        for name in ["Point", *FILTERS]:
            case(name.lower(), lambda W, H: ["-filter", name, "-resize", f"{W}x{H}!"], [], k)
        function, key, value = DEFINES[k % len(DEFINES)]
        more = ["-define", "filter:c=0.4"] if key == "b" else []
        case(function, lambda W, H: ["-filter", function, "-define", f"filter:{key}={value}", *more, "-resize", f"{W}x{H}!"],
             [f"{key}={value}"] + (["c=0.4"] if key == "b" else []), k)
    cases.write()


main()
