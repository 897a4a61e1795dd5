"""libvips' resize on the CPU, from memory to memory, through ctypes."""

import ctypes
import ctypes.util
import os

from measuring import Row, on_host
from works import Shrinking

UCHAR = 0                          # VipsBandFormat
LINEAR, CUBIC, LANCZOS3 = 1, 2, 5  # VipsKernel


def library(threads):
    os.environ["VIPS_CONCURRENCY"] = str(threads)  # read by vips_init
    name = ctypes.util.find_library("vips")
    if not name:
        raise ImportError("there is no libvips")
    vips = ctypes.CDLL(name)
    vips.vips_image_new_from_memory.restype = ctypes.c_void_p
    vips.vips_image_write_to_memory.restype = ctypes.c_void_p
    vips.vips_error_buffer.restype = vips.vips_version_string.restype = ctypes.c_char_p
    if vips.vips_init(b"peers") != 0:
        raise ImportError(vips.vips_error_buffer().decode())
    vips.vips_cache_set_max(0)  # the same operation on the same image would be remembered
    glib = ctypes.CDLL(ctypes.util.find_library("glib-2.0"))
    gobject = ctypes.CDLL(ctypes.util.find_library("gobject-2.0"))
    return vips, glib, gobject


def rows(threads=2):
    import numpy as np

    vips, glib, gobject = library(threads)
    work = Shrinking("cpu", "u8x4")
    noise = np.random.default_rng(1).integers(0, 256, (work.source, work.source, 4), dtype=np.uint8)
    image = ctypes.c_void_p(vips.vips_image_new_from_memory(
        ctypes.c_void_p(noise.ctypes.data), ctypes.c_size_t(noise.nbytes), work.source, work.source, 4, UCHAR))

    def resize(kernel):
        out, size = ctypes.c_void_p(), ctypes.c_size_t()
        scale = ctypes.c_double(work.size[0] / work.source)
        if vips.vips_resize(image, ctypes.byref(out), scale, b"kernel", kernel, b"gap", ctypes.c_double(0), None) != 0:
            raise RuntimeError(vips.vips_error_buffer().decode())
        pixels = ctypes.c_void_p(vips.vips_image_write_to_memory(out, ctypes.byref(size)))
        if not pixels or size.value != 4 * work.size[0] * work.size[1]:
            raise RuntimeError("libvips gave no picture of the size that was asked for")
        glib.g_free(pixels)
        gobject.g_object_unref(out)

    version = vips.vips_version_string().decode().split("-")[0]
    for kernel, name, spec in ((LINEAR, "linear", "bilinear"), (CUBIC, "cubic", "catmull-rom"),
                               (LANCZOS3, "lanczos3", "lanczos3")):
        yield Row(work, f"libvips {version} resize, {name}", *on_host(lambda k: resize(kernel)),
                  f"{threads} threads, as ours; weights in fixed point, rounds to 8 bits between the passes; allocates "
                  "its result", work.case(spec))
