#!/usr/bin/env python3
"""Resizes pictures by libvips: libvips.py FOLDER [CASES_A_FUNCTION]."""

import ctypes
import ctypes.util
import os
import sys

from _resized_cases import Cases, missing, np

KERNELS = ["nearest", "linear", "cubic", "mitchell", "lanczos2", "lanczos3"]
FORMATS = {np.dtype(np.uint8): 0, np.dtype(np.uint16): 2, np.dtype(np.float32): 6}
TYPES = {0: np.uint8, 2: np.uint16, 6: np.float32}


class Vips:
    def __init__(self):
        name = ctypes.util.find_library("vips")
        if not name:
            missing("libvips")
        self.vips, self.objects = ctypes.CDLL(name), ctypes.CDLL(ctypes.util.find_library("gobject-2.0"))
        self.free = ctypes.CDLL(ctypes.util.find_library("glib-2.0")).g_free
        self.vips.vips_init(b"texelscope")
        self.vips.vips_image_new_from_memory_copy.restype = ctypes.c_void_p
        self.vips.vips_image_new_from_memory_copy.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 4
        self.vips.vips_image_write_to_memory.restype = ctypes.c_void_p

    def version(self):
        return tuple(self.vips.vips_version(part) for part in range(2))

    def ask(self, function, picture, *arguments):
        picture = np.ascontiguousarray(picture)
        h, w, channels = picture.shape
        read = ctypes.c_void_p(self.vips.vips_image_new_from_memory_copy(picture.ctypes.data, picture.nbytes, w, h, channels,
                                                                         FORMATS[picture.dtype]))
        made, size = ctypes.c_void_p(), ctypes.c_size_t()
        # What thumbnails are made of is a colour space: sRGB or gray.
        named = ctypes.c_void_p()
        self.vips.vips_copy(read, ctypes.byref(named), b"interpretation", ctypes.c_int(1 if channels < 3 else 22), None)
        if getattr(self.vips, "vips_" + function)(named, ctypes.byref(made), *arguments, None) != 0:
            self.vips.vips_error_clear()
            return None
        data = self.vips.vips_image_write_to_memory(made, ctypes.byref(size))
        W, H, format = (getattr(self.vips, "vips_image_get_" + of)(made) for of in ("width", "height", "format"))
        result = np.frombuffer(ctypes.string_at(data, size.value), TYPES[format]).reshape(H, W, channels)
        self.free(ctypes.c_void_p(data))
        for image in (read, named, made):
            self.objects.g_object_unref(image)
        return result


def bound(kernel, type, shrinks, mixed):
    if type == "f32":
        return {"absolute": 1 if mixed and kernel == "nearest" else 2e-6}
    if shrinks:
        return {"levels": 0}
    if kernel == "nearest":  # ties depend on the strips that the enlargement of the other axis asks for
        return {"levels": 255 if type == "u8" else 65535, "share": 0.02} if mixed else {"levels": 0}
    if kernel == "linear":
        return {"levels": 1, "share": 0.03} if type == "u8" else {"levels": 32, "share": 1}
    return {"levels": 0} if type == "u8" else {"levels": 1, "share": 0.005}


def main():
    os.environ["VIPS_CONCURRENCY"] = "1"
    vips = Vips()
    cases = Cases(sys.argv[1], seed=5)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    newer = vips.version() >= (8, 15)
    if vips.version() >= (8, 19):
        missing("libvips before 8.19")  # which enlarges otherwise
    for which, kernel in enumerate(KERNELS):
        for k in range(count):
            type, channels = ("u8", "u16", "u8", "f32")[k % 4], (3, 1, 4)[k % 3]
            w, h, W, H = cases.sizes()
            picture = cases.picture(w, h, channels, type)
            scale, vscale, options = 1 / (w / W), 1 / (h / H), ["version=8.18"] if newer else []
            if k % 5 == 4:
                scale, vscale = (round(float(np.exp(cases.rng.uniform(-2.5, 1))), 4) for _ in range(2))
                options += [f"scale={scale}", f"vscale={vscale}"]
            result = vips.ask("resize", picture, ctypes.c_double(scale), b"vscale", ctypes.c_double(vscale), b"kernel",
                              ctypes.c_int(which))
            if result is None or (k % 5 != 4 and result.shape[:2] != (H, W)):
                continue
            spec = f"like:libvips/{kernel}" + (":" + ",".join(options) if options else "")
            cases.add(spec, picture, result, type, bound(kernel, type, scale <= 1 and vscale <= 1, (scale - 1) * (vscale - 1) < 0))
    for k in range(count):
        channels = (3, 1, 4)[k % 3]
        w, h, W, H = cases.sizes()
        picture = cases.picture(w, h, channels, "u8", channels == 4)
        result = vips.ask("thumbnail_image", picture, ctypes.c_int(W), b"height", ctypes.c_int(H), b"size", ctypes.c_int(3))
        if result is not None and result.shape[:2] == (H, W):
            cases.add("like:libvips/thumbnail" + (":version=8.18" if newer else ""), picture, result, "u8",
                      {"levels": 255, "share": 1} if channels == 4 else {"levels": 0}, channels == 4)
    cases.write()


main()
