#!/usr/bin/env python3
"""Scales gray pictures by libswscale: swscale.py FOLDER [CASES_A_FUNCTION]."""

import ctypes
import ctypes.util
import sys

from _resized_cases import Cases, missing, np

FLAGS = {"fast_bilinear": 1, "bilinear": 2, "bicubic": 4, "neighbor": 0x10, "area": 0x20, "gauss": 0x80, "sinc": 0x100,
         "lanczos": 0x200, "spline": 0x400}
ACCURATE, NO_PARAMETER = 0x40000, 123456


class Scaler:
    def __init__(self):
        names = [ctypes.util.find_library(of) for of in ("swscale", "avutil")]
        if not all(names):
            missing("libswscale")
        self.scaler, self.util = (ctypes.CDLL(name) for name in names)
        self.util.av_log_set_level(ctypes.c_int(-8))
        self.scaler.sws_getContext.restype = ctypes.c_void_p

    # Rows that code of any width may read and write.
    def plane(self, width, height, dtype):
        stride = (width * dtype.itemsize + 127) // 64 * 64 + 64
        memory = np.zeros(stride * (height + 2) + 64, np.uint8)
        start = -memory.ctypes.data % 64
        return memory, memory[start:start + stride * height].reshape(height, stride), stride

    def ask(self, picture, W, H, flags, parameters):
        h, w, _ = picture.shape
        dtype, wide = picture.dtype, picture.dtype.itemsize
        kept_in, source, source_stride = self.plane(w, h, dtype)
        kept_out, target, target_stride = self.plane(W, H, dtype)
        source[:, :w * wide] = np.ascontiguousarray(picture[..., 0]).view(np.uint8).reshape(h, -1)
        format = ctypes.c_int(self.util.av_get_pix_fmt(b"gray" if wide == 1 else b"gray16le"))
        context = self.scaler.sws_getContext(ctypes.c_int(w), ctypes.c_int(h), format, ctypes.c_int(W), ctypes.c_int(H), format,
                                             ctypes.c_int(flags), None, None, (ctypes.c_double * 2)(*parameters))
        if not context:
            return None
        pointers, strides = ctypes.c_void_p * 4, ctypes.c_int * 4
        self.scaler.sws_scale(ctypes.c_void_p(context), pointers(source.ctypes.data), strides(source_stride), ctypes.c_int(0),
                              ctypes.c_int(h), pointers(target.ctypes.data), strides(target_stride))
        self.scaler.sws_freeContext(ctypes.c_void_p(context))
        return np.ascontiguousarray(target[:, :W * wide]).view(dtype).reshape(H, W, 1)


def main():
    scaler = Scaler()
    cases = Cases(sys.argv[1], seed=17)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    for function, flag in FLAGS.items():
        for k in range(count):
            type, accurate = ("u8", "u8", "u16")[k % 3], k % 4 != 3
            w, h, W, H = cases.sizes()
            if (w, h) == (W, H) or (function == "sinc" and type == "u16"):  # which overflows there
                continue
            options, parameters = ["accurate_rnd=true"] if accurate else [], [NO_PARAMETER, NO_PARAMETER]
            if function == "bicubic" and k % 5 == 0:
                parameters = [0.25, 0.5]
                options += ["param0=0.25", "param1=0.5"]
            if function == "lanczos" and k % 5 == 0:
                parameters[0] = 4
                options.append("param0=4")
            picture = cases.picture(w, h, 1, type)
            result = scaler.ask(picture, W, H, flag | (ACCURATE if accurate else 0), parameters)
            if result is None:
                continue
            spec = f"like:swscale/{function}" + (":" + ",".join(options) if options else "")
            # Without accurate_rnd the last two rows are computed otherwise.
            cases.add(spec, picture, result, type, {"levels": 0} if accurate or type == "u16" else {"levels": 4, "share": 1})
    cases.write()


main()
