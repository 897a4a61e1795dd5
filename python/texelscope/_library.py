"""libtexelscope.so by ctypes: where it is, its structs and functions. What each means is in texelscope_c.h."""

from __future__ import annotations

import ctypes
import os
import weakref
from ctypes import POINTER, byref, c_char_p, c_double, c_float, c_int, c_int32, c_int64, c_size_t, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Callable

from ._errors import Cancelled, DeviceLost, Error, Unavailable
from ._version import __version__

FOLDER = Path(__file__).resolve().parent


def _candidates():
    """Where the library may be, the most explicit place first."""
    if named := os.environ.get("TEXELSCOPE_LIBRARY"):
        yield Path(named)
        return
    yield FOLDER / "libtexelscope.so"  # of a wheel
    builds = FOLDER.parents[1] / "build"  # of a source tree: the newest
    yield from sorted(builds.glob("*/gpu/libtexelscope.so"), key=lambda path: -path.stat().st_mtime)
    soname = "libtexelscope.so." + ".".join(__version__.split(".")[:2])
    if len(FOLDER.parents) > 2:  # LIB/python3/dist-packages/texelscope of an installed tree
        lib = FOLDER.parents[2]
        yield from (path for folder in (lib, *sorted(lib.glob("*-linux-*"))) if (path := folder / soname).exists())
    yield Path(soname)  # of the system


def _load():
    tried = []
    for path in _candidates():
        if path.is_absolute() and not path.exists():
            tried.append(f"{path} (not there)")
            continue
        try:
            if path.parent == FOLDER:  # a wheel brings what the library needs
                for needed in sorted(FOLDER.glob("*.so.*")):
                    ctypes.CDLL(str(needed))
            library = ctypes.CDLL(str(path))
            library.ts_version.restype = c_char_p
            version = library.ts_version().decode()
        except (OSError, AttributeError) as error:
            tried.append(f"{path} ({error})")
            continue
        if version.split(".")[:2] == __version__.split(".")[:2]:
            return library, path
        tried.append(f"{path} (its version is {version}, of this package {__version__})")
    raise ImportError("libtexelscope.so was not found: install libtexelscope-dev, build the target texelscope_library, or set "
                      f"TEXELSCOPE_LIBRARY. Tried: {'; '.join(tried)}")


library, library_path = _load()

U8, U16, F16, F32, I8, I16, I32, U32, I64, U64, F64 = range(11)
HOST = -1
AUTOMATIC, CPU, CUDA = range(3)
CENTERS, CORNERS, ORIGIN, VIEW, AFFINE = range(5)
EXTEND, BACKGROUND, NAN, VALUE = range(4)
NUMBERS, UNIT = range(2)

WEIGHT = ctypes.CFUNCTYPE(c_double, c_void_p, c_double)
PROGRESS = ctypes.CFUNCTYPE(c_int, c_void_p, c_double)
READ = ctypes.CFUNCTYPE(c_int, c_void_p, c_int64, c_int64, c_int32, c_int32, c_void_p, c_size_t)
RELEASE = ctypes.CFUNCTYPE(None, c_void_p)


class Struct(ctypes.Structure):
    """A struct that begins with its size."""

    def __init__(self, *values, **fields):
        super().__init__(ctypes.sizeof(self), *values, **fields)


class BackendOptions(Struct):
    _fields_ = [("size", c_size_t), ("kind", c_int32), ("use_device", c_int32), ("device", c_int32), ("stream", c_void_p),
                ("kept_memory", c_uint64)]


class BackendInfo(Struct):
    _fields_ = [("size", c_size_t), ("kind", c_int32), ("device", c_int32), ("name", c_char_p), ("detail", c_char_p),
                ("stream", c_void_p), ("memory_taken", c_uint64), ("most_memory_taken", c_uint64)]


class MethodInfo(Struct):
    _fields_ = [("size", c_size_t), ("id", c_char_p), ("name", c_char_p), ("summary", c_char_p), ("paper", c_char_p),
                ("spec", c_char_p), ("taps", c_int32), ("order", c_int32), ("order_unfiltered", c_int32),
                ("smoothness", c_int32), ("interpolating", c_int32), ("has_prefilter", c_int32), ("is_recipe", c_int32),
                ("is_kernel", c_int32), ("radius", c_double), ("poles", POINTER(c_double)), ("pole_count", c_int32),
                ("parameter_count", c_int32)]


class ParameterInfo(Struct):
    _fields_ = [("size", c_size_t), ("id", c_char_p), ("name", c_char_p), ("unit", c_char_p), ("summary", c_char_p),
                ("minimum", c_double), ("maximum", c_double), ("standard", c_double), ("value", c_double)]


class FunctionOptions(Struct):
    _fields_ = [("size", c_size_t), ("radius", c_double), ("name", c_char_p), ("normalise", c_int32),
                ("no_prefilter", c_int32)]


class Array(ctypes.Structure):  # and Request: made in every call, with their size given
    _fields_ = [("size", c_size_t), ("data", c_void_p), ("type", c_int32), ("device", c_int32), ("count", c_int64),
                ("height", c_int64), ("width", c_int64), ("channels", c_int64), ("stride_count", c_int64),
                ("stride_y", c_int64), ("stride_x", c_int64), ("stride_channel", c_int64)]


class ImageOptions(Struct):
    _fields_ = [("size", c_size_t), ("copy", c_int32), ("alpha", c_int32), ("linear_light", c_int32), ("signal", c_int32)]


class Request(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("method", c_void_p), ("mapping", c_int32), ("antialias", c_int32), ("pyramid", c_int32),
                ("least_squares", c_int32), ("outside", c_int32), ("values", c_int32), ("derivative", c_int32),
                ("float64", c_int32), ("warp", c_int32), ("warp_strength", c_double), ("outside_value", c_double),
                ("translate_x", c_double), ("translate_y", c_double), ("scale", c_double), ("rotate", c_double),
                ("affine", c_double * 6), ("progress", PROGRESS), ("progress_context", c_void_p)]


class DisplayOptions(Struct):
    _fields_ = [("size", c_size_t), ("exposure", c_float), ("gamma", c_float), ("black", c_float), ("white", c_float),
                ("curve", c_int32), ("channel", c_int32), ("complex_view", c_int32), ("map", c_int32), ("grey_backdrop", c_int32),
                ("invert", c_int32), ("unmarked", c_int32), ("difference", c_int32), ("gain", c_float)]


class DifferenceOptions(Struct):
    _fields_ = [("size", c_size_t), ("kind", c_int32), ("linear", c_int32), ("exposures", c_int32), ("pixels_per_degree", c_double),
                ("peak", c_double)]


class MapFigures(Struct):
    _fields_ = [("size", c_size_t), ("mean", c_double), ("deviation", c_double), ("weighted_median", c_double),
                ("percentile_95", c_double), ("largest", c_double), ("pixels", c_int64), ("worst_x", c_int64), ("worst_y", c_int64),
                ("histogram", c_int64 * 32)]


class Metrics(Struct):
    _fields_ = [("size", c_size_t), ("rmse", c_double), ("max_abs", c_double), ("psnr", c_double), ("ssim", c_double),
                ("pixels", c_int64), ("left_out", c_int64), ("worst_x", c_int64), ("worst_y", c_int64)]


class TileSource(Struct):
    _fields_ = [("size", c_size_t), ("width", c_int64), ("height", c_int64), ("channels", c_int32), ("type", c_int32),
                ("alpha", c_int32), ("tile", c_int32), ("read", READ), ("release", RELEASE), ("context", c_void_p),
                ("memory", c_uint64)]


SIZE_OF_ARRAY, SIZE_OF_REQUEST = ctypes.sizeof(Array), ctypes.sizeof(Request)
ROWS = ctypes.CFUNCTYPE(c_int, c_void_p, POINTER(Array), c_int64)

_FUNCTIONS = {  # that return a status
    "ts_backend_create": [POINTER(BackendOptions), POINTER(c_void_p)],
    "ts_backend_get_info": [c_void_p, POINTER(BackendInfo)],
    "ts_backend_synchronize": [c_void_p],
    "ts_method_parse": [c_char_p, POINTER(c_void_p)],
    "ts_method_from_text": [c_char_p, POINTER(c_void_p)],
    "ts_method_from_function": [WEIGHT, c_void_p, POINTER(FunctionOptions), POINTER(c_void_p)],
    "ts_method_copy": [c_void_p, POINTER(c_void_p)],
    "ts_method_set": [c_void_p, c_char_p, c_char_p],
    "ts_method_get_info": [c_void_p, POINTER(MethodInfo)],
    "ts_method_get_parameter": [c_void_p, c_int32, POINTER(ParameterInfo)],
    "ts_method_weights": [c_void_p, c_void_p, c_void_p, c_size_t],
    "ts_method_gains": [c_void_p, c_void_p, c_void_p, c_size_t],
    "ts_image_create": [c_void_p, POINTER(Array), POINTER(ImageOptions), POINTER(c_void_p)],
    "ts_render": [c_void_p, POINTER(Request), POINTER(Array)],
    "ts_render_array": [c_void_p, POINTER(Array), POINTER(ImageOptions), POINTER(Request), POINTER(Array)],
    "ts_sample": [c_void_p, POINTER(Request), POINTER(Array), POINTER(Array)],
    "ts_prefilter": [c_void_p, POINTER(Request), POINTER(Array)],
    "ts_display": [c_void_p, POINTER(Request), c_void_p, POINTER(DisplayOptions), POINTER(Array)],
    "ts_difference": [c_void_p, POINTER(Request), c_void_p, POINTER(DifferenceOptions), POINTER(Array), POINTER(MapFigures)],
    "ts_compare": [c_void_p, POINTER(Array), POINTER(Array), c_double, POINTER(Metrics)],
    "ts_tiled_create": [c_void_p, POINTER(TileSource), POINTER(c_void_p)],
    "ts_tiled_render": [c_void_p, POINTER(Request), c_int64, c_int64, ROWS, c_void_p],
}
for _name, _types in _FUNCTIONS.items():
    getattr(library, _name).argtypes = _types
    getattr(library, _name).restype = c_int
for _name in ("ts_backend_free", "ts_method_free", "ts_image_free", "ts_tiled_free"):
    getattr(library, _name).argtypes = [c_void_p]
    getattr(library, _name).restype = None
library.ts_image_is_in_place.argtypes = [c_void_p]
library.ts_set_error.argtypes = [c_char_p]
library.ts_set_error.restype = None
for _name in ("ts_last_error", "ts_why_no_cuda"):
    getattr(library, _name).restype = c_char_p
for _name in ("ts_method_id", "ts_recipe_name"):
    getattr(library, _name).argtypes = [c_int32]
    getattr(library, _name).restype = c_char_p

_EXCEPTIONS = {1: ValueError, 2: MemoryError, 3: DeviceLost, 4: Cancelled, 5: Unavailable, 6: OSError}


def check(status: int) -> None:
    """Raises the exception of a status other than 0, with the library's sentence."""
    if status:
        raise _EXCEPTIONS.get(status, Error)(library.ts_last_error().decode())


def made(function, *arguments) -> c_void_p:
    """The handle that a create function makes."""
    handle = c_void_p()
    check(function(*arguments, byref(handle)))
    return handle


class Handle:
    """Owns a handle of the library, which is freed with it."""

    def _own(self, handle: c_void_p, free: Callable[[c_void_p], None]) -> None:
        self._free = weakref.finalize(self, free, handle)
        self._free.atexit = False

    def __reduce__(self) -> "str | tuple[Any, ...]":
        raise TypeError(f"{type(self).__name__} objects cannot be copied or pickled: make another one")


def why_no_cuda() -> str:
    """Why no CUDA device computes here, one sentence; empty if one does."""
    return library.ts_why_no_cuda().decode()
