"""Image: an array on a backend, which keeps what is made of it."""

from __future__ import annotations

import math
from ctypes import byref
from typing import Any, Optional, Union

import numpy as np

from . import _library as lib
from ._arrays import current_stream
from ._backends import LEGACY_STREAM, Backend
from ._compute import (Progress, Result, backend_of, chosen, dtype_name, free, new_request, opened, pair, resolved, run, sizes)
from ._layout import Layout, layout
from ._methods import Method, MethodLike

_render = lib.library.ts_render
_ALIGNMENTS = {"centers": lib.CENTERS, "corners": lib.CORNERS, "origin": lib.ORIGIN}
_WARPS = {"swirl": 1, "barrel": 2, "ripple": 3, "plane": 4}


class Image(lib.Handle):
    """An array as an image, read in place where it can be: coefficients and smaller images made of it are kept for later calls.

    array: of NumPy, PyTorch, CuPy, or anything with __dlpack__ or __cuda_array_interface__. It must not change as long as the
        image is used (make another image if it did), unless copy=True.
    channels: "last" (…, H, W, C), "first" (…, C, H, W), "none" (…, H, W); axes before the picture are a batch. Without it, (H, W),
        and the axis of three or four that has up to 4 entries; if that could be two, ValueError. One axis is a signal.
    alpha: "straight" or "premultiplied": of 2 or 4 channels, the last is alpha. Straight alpha needs host memory.
    linear_light: whether the samples are sRGB-coded and are interpolated as light. Needs host memory.
    Work on CUDA is enqueued on the current stream of the array's library; if that becomes another one, what was kept is made again.
    backend: for arrays in host memory, "cpu" (default), "cuda", "auto" or a ts.Backend.
    """

    def __init__(self, array: Any, *, channels: Optional[str] = None, alpha: Optional[str] = None, linear_light: bool = False,
                 copy: bool = False, backend: Union[None, str, Backend] = None) -> None:
        self._layout = layout(array, channels)
        self._follows = self._layout.memory.device != lib.HOST and not isinstance(backend, Backend) and not copy
        self._options = (alpha, linear_light, copy)
        self._open(backend_of(self._layout.memory, backend))
        if copy:
            self._layout = self._layout._replace(memory=self._layout.memory._replace(owner=None))

    def _open(self, backend: Backend) -> None:
        self.backend = backend
        self._opened = opened(self._layout, backend, *self._options)
        self._own(self._opened, free)

    @property
    def _handle(self) -> Any:
        """The image's handle; if its array's library works on another CUDA stream by now, that of a new image on it."""
        if self._follows:
            memory = self._layout.memory
            stream = current_stream(memory)
            if (stream or LEGACY_STREAM) != self.backend.stream:
                self._free()
                self._open(backend_of(memory._replace(stream=stream), None))
        return self._opened

    @property
    def shape(self) -> tuple:
        """The shape of the array."""
        return self._layout.memory.shape

    @property
    def dtype(self) -> str:
        """The name of the array's type in NumPy."""
        return self._layout.memory.dtype

    @property
    def in_place(self) -> bool:
        """Whether the samples are read where they are, without a copy."""
        return bool(lib.library.ts_image_is_in_place(self._handle))

    def render(self, method: MethodLike = "catmull-rom", *, shape: Any = None, scale: float = 1.0, rotate: float = 0.0,
               translate: Any = (0.0, 0.0), matrix: Any = None, warp: Any = None, antialias: bool = False,
               outside: Any = "extend", address: Any = None, border: Any = None, like: Optional[str] = None,
               derivative: Optional[str] = None, values: str = "numbers", precision: str = "single", dtype: Any = None,
               out: Any = None, progress: Progress = None) -> Any:
        """The image under a view.

        Pixel (i, j), column and row, reads the sample at c_src + translate + scale·R(rotate)·((i, j) − c_out), where c are the centres of
        image and output; or, with matrix=[[xx, xy, x0], [yx, yy, y0]], at (xx·i + xy·j + x0, yx·i + yy·j + y0).

        shape: (rows, columns) of the result; the array's by default. scale: samples per pixel, above 1 zooms out. rotate: degrees,
        the picture turns counterclockwise. translate: (x, y) in samples. warp: ("swirl" | "barrel" | "ripple" | "plane", strength).
        derivative: "x" or "y": the slope along it, per sample. precision: "double" computes in float64, of samples in float32.
        For the others see ts.resize and ts.sample.
        """
        view = self._layout
        height, width = (view.height, view.width) if shape is None else sizes(shape, None, view.axes, view.height, view.width)
        chosen_method = resolved(method, address, border, like)
        request = new_request(chosen_method, outside, values, derivative, precision)
        request.antialias = bool(antialias)
        if matrix is None:
            request.mapping = lib.VIEW
            request.scale, request.rotate = float(scale), float(rotate)
            request.translate_x, request.translate_y = (float(t) for t in pair(translate, "translate"))
            if not (request.scale > 0 and math.isfinite(request.scale)):
                raise ValueError(f"a scale is a finite number above 0, not {scale!r}")
        else:
            request.mapping = lib.AFFINE
            request.affine[:] = _rows_of(matrix)
        if warp is not None:
            kind, strength = pair(warp, "warp")
            request.warp, request.warp_strength = chosen(kind, _WARPS, "warp"), float(strength)
        return self._rendered(request, height, width, dtype, out, progress, "render")

    def resize(self, shape: Any = None, method: MethodLike = "catmull-rom", *, factor: Any = None, like: Optional[str] = None,
               antialias: bool = True, align: str = "centers", least_squares: bool = False, outside: Any = "extend",
               address: Any = None, border: Any = None, values: str = "numbers", precision: str = "single", dtype: Any = None,
               out: Any = None, progress: Progress = None) -> Any:
        """The whole image at another size: see ts.resize."""
        view = self._layout
        if (shape is None) == (factor is None):
            raise ValueError("give either the shape of the result or a factor")
        height, width = sizes(shape, factor, view.axes, view.height, view.width)
        chosen_method = resolved(method, address, border, like)
        request = new_request(chosen_method, outside, values, None, precision)
        request.mapping = chosen(align, _ALIGNMENTS, "alignment")
        request.antialias = bool(antialias) and not chosen_method.is_recipe
        request.least_squares = bool(least_squares)
        return self._rendered(request, height, width, dtype, out, progress, "resize")

    def sample(self, points: Any, method: MethodLike = "catmull-rom", *, antialias: bool = False, outside: Any = "extend",
               address: Any = None, border: Any = None, derivative: Optional[str] = None, values: str = "numbers",
               precision: str = "single", dtype: Any = None, out: Any = None, progress: Progress = None) -> Any:
        """Values at points: see ts.sample; with antialias the points are a map of coordinates: see ts.warp."""
        from ._points import sampled

        request = new_request(resolved(method, address, border), outside, values, derivative, precision)
        request.antialias = bool(antialias)
        return sampled(self._handle, self._layout, request, points, dtype, out, progress)

    def prefilter(self, method: MethodLike = "bspline", *, address: Any = None, border: Any = None, values: str = "numbers",
                  dtype: Any = None, out: Any = None, progress: Progress = None) -> Any:
        """The coefficients of a method: see ts.prefilter."""
        return prefiltered(self._handle, self._layout, resolved(method, address, border), values, dtype, out, progress)

    def display(self, **options: Any) -> Any:
        """The image as a screen shows it: see ts.display."""
        from ._showing import display

        owner = self._layout.memory.owner
        if owner is None:
            raise ValueError("an image made with copy=True has no array left: display() that")
        axes = self._layout.axes
        options.setdefault("channels", None if axes.signal or len(self.shape) == 2 else axes.channels or "none")
        options.setdefault("alpha", self._options[0])
        return display(owner, **options)

    def _rendered(self, request: lib.Request, height: int, width: int, dtype: Any, out: Any, progress: Progress,
                  name: str) -> Any:
        return rendered(self._handle, self._layout, request, height, width, dtype, out, progress, name)

    def __repr__(self) -> str:
        return f"<texelscope image of shape {self.shape}, {self.dtype}, on {self.backend.name}>"


def rendered(handle: Any, source: Layout, request: lib.Request, height: int, width: int, dtype: Any, out: Any,
             progress: Progress, name: str) -> Any:
    """A rendering of an opened image into a new array, or `out`."""
    result = result_for(source, height, width, dtype, out)
    run(_render, request, source.numbers(height * width), progress, name, handle, byref(request), byref(result.struct))
    return result.take()


def result_for(source: Layout, height: int, width: int, dtype: Any, out: Any, bits: bool = False) -> Result:
    """Where pictures of this size go that are made of an array."""
    kind = None if dtype is None else dtype_name(dtype, source.memory.is_complex)
    return Result(source.memory, source.shape_with(height, width), kind, out, source.axes, bits,
                  (source.images, height, width, source.channels))


def prefiltered(handle: Any, source: Layout, method: Method, values: str, dtype: Any, out: Any, progress: Progress) -> Any:
    memory = source.memory
    name = float_name(memory.dtype) if dtype is None else dtype_name(dtype, memory.is_complex)
    result = Result(memory, memory.shape, name, out, source.axes, False, (source.images, source.height, source.width, source.channels))
    request = new_request(method, values=values)
    run(lib.library.ts_prefilter, request, source.numbers(source.height * source.width), progress, "prefilter", handle,
        byref(request), byref(result.struct))
    return result.take()


def float_name(dtype: str) -> str:
    """The type that holds values between the samples: floats as they are, of integers float32."""
    return dtype if dtype.startswith(("float", "complex")) else "float32"


def _rows_of(matrix: Any) -> list:
    """[xx, xy, x0, yx, yy, y0] of a 2×3, 3×3 or 2×2 matrix."""
    m = np.asarray(matrix, np.float64)
    if not np.isfinite(m).all():
        raise ValueError("the numbers of a matrix are finite")
    if m.shape == (3, 3) and np.allclose(m[2], (0, 0, 1), atol=0):
        m = m[:2]
    if m.shape == (2, 2):
        m = np.column_stack([m, (0, 0)])
    if m.shape != (2, 3):
        raise ValueError(f"a matrix has 2 rows of 3 numbers (or a third row 0 0 1), not the shape {m.shape}")
    return m.ravel().tolist()

