"""NVIDIA Performance Primitives, through ctypes; memory and events are CuPy's."""

import ctypes
import glob
import os

from measuring import Row, copies, on_cupy
from works import AREA, Enlargement, Rotation, Shrinking

NEAREST, LINEAR, CUBIC, SUPER, LANCZOS = 1, 2, 4, 8, 16  # NppiInterpolationMode


class Size(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int)]


class Rect(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_int), ("width", ctypes.c_int), ("height", ctypes.c_int)]


class StreamContext(ctypes.Structure):
    """NppStreamContext of nppdefs.h, which the application fills in."""
    _fields_ = [("stream", ctypes.c_void_p), ("device", ctypes.c_int), ("multiprocessors", ctypes.c_int),
                ("threads_a_multiprocessor", ctypes.c_int), ("threads_a_block", ctypes.c_int),
                ("shared_memory_a_block", ctypes.c_size_t), ("major", ctypes.c_int), ("minor", ctypes.c_int),
                ("stream_flags", ctypes.c_uint), ("reserved", ctypes.c_int)]


def library():
    """libnppig: on the loader's path, below CUDA_HOME or /usr/local/cuda, or among Python's packages."""
    import site

    folders = [os.environ.get("CUDA_HOME", "/usr/local/cuda") + "/lib64", "/usr/lib/x86_64-linux-gnu"]
    folders += [f"{packages}/nvidia/*/lib" for packages in site.getsitepackages()]
    found = ["libnppig.so", "libnppig.so.13", "libnppig.so.12"]
    for folder in folders:
        found += sorted(glob.glob(folder + "/libnppig.so*"))
    for name in found:
        try:
            for needed in glob.glob(os.path.dirname(name) + "/libnppc.so.*") if "/" in name else []:
                ctypes.CDLL(needed, mode=ctypes.RTLD_GLOBAL)
            return ctypes.CDLL(name)
        except OSError:
            continue
    raise ImportError("there is no libnppig")


def context(cupy):
    device = cupy.cuda.Device()
    properties = cupy.cuda.runtime.getDeviceProperties(device.id)
    return StreamContext(cupy.cuda.get_current_stream().ptr or None, device.id, properties["multiProcessorCount"],
                         properties["maxThreadsPerMultiProcessor"], properties["maxThreadsPerBlock"],
                         properties["sharedMemPerBlock"], properties["major"], properties["minor"], 0, 0)


def check(function, status):
    if status != 0:
        raise RuntimeError(f"{function} answers NppStatus {status}")


def images_of(cupy, side, size, texel, count):
    noise = cupy.random.default_rng(1)
    kind, channels = texel
    values = [noise.random((side, side, channels), dtype=cupy.float32) for _ in range(count)]
    if kind == "u8":
        values = [(255 * value).astype(cupy.uint8) for value in values]
    return values, [cupy.empty((size[1], size[0], channels), dtype=value.dtype) for value in values]


def warps(npp, cupy, work, texel, function):
    pixel = texel[1] * (1 if texel[0] == "u8" else 4)
    count = copies(pixel * (work.source ** 2 + work.size[0] * work.size[1]))
    images, out = images_of(cupy, work.source, work.size, texel, count)
    coefficients = ((ctypes.c_double * 3) * 2)(*[(ctypes.c_double * 3)(*row) for row in work.inverse()])
    warp, at = getattr(npp, function), context(cupy)

    def run(k, mode):
        source, target = images[k % count], out[k % count]
        check(function, warp(
            ctypes.c_void_p(source.data.ptr), Size(work.source, work.source), work.source * pixel,
            Rect(0, 0, work.source, work.source), ctypes.c_void_p(target.data.ptr), work.size[0] * pixel,
            Rect(0, 0, *work.size), coefficients, mode, at))

    for mode, name, spec in ((NEAREST, "nearest", "nearest"), (LINEAR, "linear", "bilinear"),
                             (CUBIC, "cubic", "catmull-rom")):
        yield Row(work, f"{function}, {name}", *on_cupy(lambda k: run(k, mode)),
                  "leaves what lies outside the image as it was", work.case(spec))


def resizings(npp, cupy, work, part, modes, differs):
    """Of the part of the image, a Rect, by modes of (NppiInterpolationMode, its name, our method)."""
    function = "nppiResize_8u_C4R_Ctx"
    count = copies(4 * (work.source ** 2 + work.size[0] * work.size[1]))
    images, out = images_of(cupy, work.source, work.size, ("u8", 4), count)
    resize, at = getattr(npp, function), context(cupy)

    def run(k, mode):
        check(function, resize(
            ctypes.c_void_p(images[k % count].data.ptr), work.source * 4, Size(work.source, work.source), part,
            ctypes.c_void_p(out[k % count].data.ptr), work.size[0] * 4, Size(*work.size), Rect(0, 0, *work.size), mode,
            at))

    for mode, name, spec in modes:
        yield Row(work, f"{function}, {name}", *on_cupy(lambda k: run(k, mode)), differs, work.case(spec))


def enlargements(npp, cupy):
    work = Enlargement()
    part = (work.size[0] // 8, work.size[1] // 8)
    middle = Rect((work.source - part[0]) // 2, (work.source - part[1]) // 2, *part)
    yield from resizings(npp, cupy, work, middle, ((NEAREST, "nearest", "nearest"), (LINEAR, "linear", "bilinear"),
                                                   (CUBIC, "cubic", "catmull-rom")),
                         "clamps to the part that is enlarged")


def shrinkings(npp, cupy):
    work = Shrinking("cuda", "u8x4")
    whole = Rect(0, 0, work.source, work.source)
    yield from resizings(npp, cupy, work, whole, ((SUPER, "supersampling", "nearest"),), "nothing: both are the box")
    yield from resizings(npp, cupy, work, whole, ((SUPER, "supersampling", "like:opencv/area"),),
                         "ours rounds as OpenCV does")
    yield from resizings(npp, cupy, work, whole, ((SUPER, "supersampling", AREA),), "nothing: both are the box")
    yield from resizings(npp, cupy, work, whole, ((SUPER, "supersampling", "bilinear"),), "a box, ours a triangle")
    yield from resizings(npp, cupy, work, whole, ((LANCZOS, "Lanczos", "lanczos3"),),
                         "does not widen its filter, and reads about position i · factor: other work")


def rows():
    import cupy

    npp = library()
    yield from warps(npp, cupy, Rotation("cuda", "f32x1", 2048, (2048, 2048)), ("f32", 1), "nppiWarpAffine_32f_C1R_Ctx")
    yield from warps(npp, cupy, Rotation("cuda", "u8x4", 4096, (3840, 2160)), ("u8", 4), "nppiWarpAffine_8u_C4R_Ctx")
    yield from enlargements(npp, cupy)
    yield from shrinkings(npp, cupy)
