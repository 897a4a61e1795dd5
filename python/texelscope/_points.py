"""Points and maps of coordinates."""

from __future__ import annotations

import math
from ctypes import byref
from typing import Any, Optional

import numpy as np

from . import _library as lib
from ._arrays import Memory, memory_of
from ._compute import Progress, Result, dtype_name, memory_to_write, run
from ._images import float_name
from ._layout import Axes, Layout


_PLAIN, _SIGNAL = Axes(0, None), Axes(0, None, signal=True)


def _as_floats(array: Any) -> Any:
    """float32 and float64 as they are, whole numbers as float64."""
    memory = memory_of(array)
    if memory.dtype in ("float32", "float64"):
        return array
    if memory.is_complex:
        raise ValueError("points are real numbers x and y, not complex ones")
    return array.double() if hasattr(array, "double") else np.asarray(array, np.float64)


def _together(x: Any, y: Any) -> Any:
    """Points from two arrays of coordinates."""
    if hasattr(x, "data_ptr") or hasattr(y, "data_ptr"):
        import torch  # type: ignore[import-not-found]

        return torch.stack(torch.broadcast_tensors(torch.as_tensor(x), torch.as_tensor(y)), -1)
    if hasattr(x, "__cuda_array_interface__"):
        import cupy  # type: ignore[import-not-found]

        return cupy.stack(cupy.broadcast_arrays(x, y), -1)
    return np.stack(np.broadcast_arrays(np.asarray(x), np.asarray(y)), -1)


def _points_struct(points: Any, signal: bool) -> "tuple[lib.Array, tuple, Any]":
    """The points as an array of the library, their shape, and what keeps their memory."""
    if isinstance(points, tuple) and not signal:
        if len(points) != 2:
            raise ValueError("points are an array of (x, y) along its last axis, or a pair of arrays x, y")
        points = _together(*points)
    if not hasattr(points, "shape"):
        points = np.asarray(points, np.float64)
    points = _as_floats(points)
    memory = memory_of(points)
    if not signal and (len(memory.shape) < 1 or memory.shape[-1] != 2):
        raise ValueError(f"points have x and y along their last axis, which is not 2 long: their shape is {memory.shape}; or give a "
                         "tuple of two arrays (x, y)")
    shape = memory.shape if signal else memory.shape[:-1]
    coordinates = 1 if signal else 2
    if len(shape) > 2:
        memory = _packed(memory)
    if len(shape) == 2:
        height, width = shape
        stride_y, stride_x = memory.strides[0], memory.strides[1]
    else:
        height, width = 1, math.prod(shape)
        stride_y, stride_x = 0, (memory.strides[len(shape) - 1] if shape else memory.item * coordinates)
    step = memory.item if signal else memory.strides[-1]
    array = lib.Array(lib.SIZE_OF_ARRAY, memory.pointer, memory.type, memory.device, 1, height, width, coordinates, 0, stride_y, stride_x, step)
    return array, shape, memory.owner


def _packed(memory: Memory) -> Memory:
    array = memory.owner
    return memory_of(array.contiguous() if hasattr(array, "contiguous") else array.copy())


def sampled(handle: Any, source: Layout, request: lib.Request, points: Any, dtype: Any, out: Any, progress: Progress,
            like_source: bool = False) -> Any:
    """Values of an opened image at points, of shape (batch, points, channels) in the order of the image's axes."""
    array, shape, keeps = _points_struct(points, source.axes.signal)
    if 0 in shape:
        return _of_no_points(source, shape, dtype, out, like_source)
    if len(shape) == 1 and source.axes == _PLAIN and out is None and not like_source:  # the most common, with the least around it
        kind = float_name(source.memory.dtype) if dtype is None else dtype_name(dtype, source.memory.is_complex)
        result = Result(source.memory, shape, kind, None, _SIGNAL, False, (1, 1, array.width, source.channels))
        run(lib.library.ts_sample, request, array.width + source.height * source.width, progress, "sample", handle, byref(request),
            byref(array), byref(result.struct))
        del keeps
        return result.take()
    axes = source.axes
    flat, whole = _shape_with(source, (array.height, array.width)), _shape_with(source, shape)
    name: Optional[str] = None if like_source else float_name(source.memory.dtype)
    if dtype is not None:
        name = dtype_name(dtype, source.memory.is_complex)
    picture = Axes(axes.batch, axes.channels)
    result = Result(source.memory, flat, name, None if out is None else _reshaped(out, whole, flat), picture, False,
                    (source.images, array.height, array.width, source.channels))
    numbers = source.numbers(array.height * array.width)
    run(lib.library.ts_sample, request, numbers, progress, "sample", handle, byref(request), byref(array), byref(result.struct))
    del keeps
    taken = result.take()
    return out if out is not None else taken.reshape(whole) if whole != flat else taken


def _shape_with(source: Layout, points: tuple) -> tuple:
    """The shape of an image's values at points of this shape."""
    of, axes = source.memory.shape, source.axes
    channels = (of[axes.channel],) if axes.channels else ()
    return of[: axes.batch] + (channels + points if axes.channels == "first" else points + channels)


def _of_no_points(source: Layout, shape: tuple, dtype: Any, out: Any, like_source: bool) -> Any:
    memory, whole = source.memory, _shape_with(source, shape)
    if out is not None:
        memory_to_write(out, whole, memory.is_complex)
        return out
    if dtype is not None:
        return memory.empty(whole, dtype_name(dtype, memory.is_complex))
    return memory.finish(memory.empty(whole, memory.dtype if like_source else float_name(memory.dtype)))


def _reshaped(out: Any, whole: tuple, flat: tuple) -> Any:
    memory = memory_of(out)
    if memory.shape != whole:
        raise ValueError(f"out has the shape {memory.shape}: it must have {whole}")
    if whole == flat:
        return out
    view = out.reshape(flat)
    if memory_of(view).pointer != memory.pointer:
        raise ValueError("out must be packed to be written at points of this shape")
    return view
