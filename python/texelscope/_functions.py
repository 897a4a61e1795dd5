"""Functions of arrays: each makes an image, uses it once and gives the result."""

from __future__ import annotations

import math
from ctypes import byref
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

import numpy as np

from . import _library as lib
from ._arrays import is_sequence_of_arrays, memory_of, stacked
from ._backends import Backend
from ._compute import (Progress, backend_of, chosen, free, image_options, is_long, new_request, only_moves, opened, resolved, run,
                       sizes)
from ._double import in_halves
from ._images import _ALIGNMENTS, _rows_of, prefiltered, result_for
from ._layout import Layout, axes_of, layout
from ._methods import Method, MethodLike
from ._plans import Plan, planned, remember
from ._points import sampled


_render_array = lib.library.ts_render_array


def _rendered(array: Any, of: Method, request: lib.Request, shape: Any, factor: Any, channels: Optional[str], backend: Any,
              alpha: Optional[str], linear_light: bool, dtype: Any, out: Any, progress: Progress, name: str,
              key: Optional[tuple] = None) -> Any:
    """A rendering of an array that is used once. key: to prepare further calls by."""
    source = layout(array, channels)
    height, width = source.height, source.width
    if shape is not None or factor is not None:
        height, width = sizes(shape, factor, source.axes, height, width)
    bits = False
    if of.id == "nearest" and alpha is None and not linear_light:
        same = dtype is None and (out is None or memory_of(out).dtype == source.memory.dtype)
        bits = same and only_moves(of, _mixes(request, source, height, width), source.memory, request.outside)
        source = layout(array, channels, True) if bits else source
    options, on = image_options(source, alpha, linear_light), backend_of(source.memory, backend)
    result, struct, numbers = result_for(source, height, width, dtype, out, bits), source.struct(), source.numbers(height * width)
    run(_render_array, request, numbers, progress, name, on.handle, byref(struct), None if options is None else byref(options),
        byref(request), byref(result.struct))
    if key is not None and source.memory.owner is array and result.copied_to is None and not is_long(numbers):
        remember(key, Plan(on, struct, options, request, result.struct, result.array, of))
    return result.take()


def _mixes(request: lib.Request, source: Layout, height: int, width: int) -> bool:
    """Whether antialiasing mixes samples."""
    if not request.antialias:
        return False
    return request.mapping in (lib.VIEW, lib.AFFINE) or height < source.height or width < source.width


def _like(like: Optional[str], of: MethodLike, edges: Optional[str], antialias: Optional[bool]) -> "tuple[Optional[str], bool]":
    """The recipe that a resize names, and whether our own antialiasing is on."""
    if like is not None:
        if edges is not None:
            raise ValueError(f"like={like!r} itself says what lies beyond the edges: leave edges out")
        if of != "catmull-rom":
            raise ValueError(f"like={like!r} itself names the method: leave {of!r} out")
        if antialias is not None:
            like += f"{',' if like.count(':') > like.startswith('like:') else ':'}antialias={str(bool(antialias)).lower()}"
        return like, False
    if edges is None:
        return None, antialias is None or bool(antialias)
    if not isinstance(of, str) or ":" in of:
        raise ValueError("edges= needs a method's plain name; for its parameters write "
                         "like='texelscope/resize:method=bicubic,a=-0.6,edges=normalise'")
    smooth = "true" if antialias is None or antialias else "false"
    return f"texelscope/resize:method={of},edges={edges},antialias={smooth}", False


def resize(array: Any, shape: Any = None, method: MethodLike = "catmull-rom", *, factor: Any = None, like: Optional[str] = None,
           antialias: Optional[bool] = None, edges: Optional[str] = None, align: str = "centers", least_squares: bool = False,
           address: Any = None, border: Any = None, values: str = "numbers", precision: str = "single",
           channels: Optional[str] = None, alpha: Optional[str] = None, linear_light: bool = False, dtype: Any = None,
           out: Any = None, backend: Union[None, str, Backend] = None, progress: Progress = None) -> Any:
    """The array at another size: an array of the same library, device, type and axes.

    array: (H, W), (H, W, C), (C, H, W), with a batch before them, or (W,), a signal; NumPy, PyTorch (CPU and CUDA), CuPy, anything
        with __dlpack__ or __cuda_array_interface__; numbers of any type, complex ones too. A list of arrays gives a list.
    shape: (rows, columns) of the result. factor: instead, pixels per sample, one number or (of rows, of columns); sizes are rounded.
    method: "nearest", "bilinear", "catmull-rom", "bspline", "lanczos3", … (ts.methods()), a ts.Method, a spec with settings.
    like: instead, another library's function, with its rounding: "pillow/bicubic", "torch/bilinear:antialias=true" (ts.recipes()).
    antialias: widens the method along axes that shrink; on by default. With like=, its own option of that name.
    edges: "normalise" leaves taps beyond the edges out and lets the others sum to 1 (as Pillow does); or an address mode.
    align: "centers": the outer edges agree; "corners": the outermost samples; "origin": x = i·(samples / pixels) − ½.
    least_squares: shrinks to the picture that the method enlarges to the nearest one; for bilinear and splines, nearest gives area means.
    address: beyond the edges, "clamp", "border", "wrap", "mirror", "reflect101", or (rows, columns). border: the number there, as
        the engine counts: of uint8 in [0, 1].
    values: "numbers": floats that are made of uint8 are 0 … 255; "unit": 0 … 1, and results of type uint8 are 255 times that.
    precision: "double" computes weights and sums in float64, many times slower, and reads float64 to 48 bits.
    channels: "last", "first" or "none", where the shape could mean two things (see ts.Image). alpha: "straight", "premultiplied".
    linear_light: sRGB-coded samples are interpolated as light.
    dtype: of the result; integers are rounded and clamped. out: an array to write to, which is returned.
    backend: for arrays in host memory, "cpu", "cuda", "auto" or a ts.Backend. progress: True, or a function of the part done.

    Raises ValueError, MemoryError, ts.DeviceLost, ts.Unavailable; KeyboardInterrupt by Ctrl+C.

    >>> import numpy as np
    >>> resize(np.eye(8, dtype=np.uint8) * 255, (4, 4), "bilinear").shape
    (4, 4)
    """
    if type(array) in (list, tuple) and is_sequence_of_arrays(array):
        outs = [None] * len(array) if out is None else out
        if len(outs) != len(array):
            raise ValueError(f"out has {len(outs)} arrays, and there are {len(array)}: one is written for each")
        options = dict(factor=factor, like=like, antialias=antialias, edges=edges, align=align, least_squares=least_squares,
                       address=address, border=border, values=values, precision=precision, alpha=alpha, linear_light=linear_light,
                       dtype=dtype, backend=backend, progress=progress)
        return _of_list(array, outs, channels, lambda each, kind, to: resize(each, shape, method, channels=kind, out=to, **options))
    key = None
    if progress is None and backend is None and precision == "single":
        key, result = planned(array, out, (shape, method, factor, like, antialias, edges, align, least_squares, address, border, values,
                                           channels, alpha, linear_light, dtype))
        if result is not None:
            return result
    if (shape is None) == (factor is None):
        raise ValueError("give either the shape of the result or a factor")
    recipe, smooth = (None, True) if like is edges is antialias is None else _like(like, method, edges, antialias)
    if edges is not None and (address is not None or border is not None):
        raise ValueError("edges= itself says what lies beyond the edges: leave address and border out")
    of = resolved(method, address, border, recipe)
    if of.is_recipe and (align != "centers" or precision != "single"):
        raise ValueError("recipes (like=, edges=) compute in their own way: leave align and precision out")
    request = new_request(of, "extend", values, None, precision)
    if align != "centers":
        request.mapping = chosen(align, _ALIGNMENTS, "alignment")
    request.antialias = smooth
    if least_squares:
        request.least_squares = 1

    def compute(part: Any, kind: Any, to: Any) -> Any:
        return _rendered(part, of, request, shape, factor, channels, backend, alpha, linear_light, kind, to, progress, "resize",
                         key)

    if precision == "single" or of.is_recipe or not _is_linear(alpha, linear_light):
        return compute(array, dtype, out)
    return in_halves(array, of, request, dtype, out, compute)


def _of_list(arrays: Sequence[Any], outs: Sequence[Any], channels: Optional[str], compute: Callable[[Any, Any, Any], Any]) -> list:
    """compute(array, channels, out) of each. Those of a GPU that have the same size and type are computed as a batch."""
    alike: Dict[Any, List[int]] = {}
    for k, array in enumerate(arrays):
        memory = memory_of(array)
        single = memory.device == lib.HOST or outs[k] is not None or len(memory.shape) < 2
        key = k if single else (type(array), memory.shape, memory.strides, memory.dtype, memory.device)
        alike.setdefault(key, []).append(k)
    results: List[Any] = [None] * len(arrays)
    for numbers in alike.values():
        first = numbers[0]
        if len(numbers) == 1:
            results[first] = compute(arrays[first], channels, outs[first])
            continue
        axes = axes_of(memory_of(arrays[first]).shape, channels)
        batch = compute(stacked([arrays[k] for k in numbers]), axes.channels or "none", None)
        for k, result in zip(numbers, batch):
            results[k] = result
    return results


def _is_linear(alpha: Optional[str], linear_light: bool) -> bool:
    """Whether results of a sum are the sum of results."""
    return alpha != "straight" and not linear_light


def _of_positions(method: MethodLike, address: Any, border: Any, like: Optional[str], precision: str) -> Method:
    """The method, or the recipe, that positions are read by."""
    of = resolved(method, address, border, like)
    if of.is_recipe and precision != "single":
        raise ValueError("recipes (like=) compute in their own way: leave precision out")
    return of


def affine(array: Any, matrix: Any, method: MethodLike = "catmull-rom", *, shape: Any = None, like: Optional[str] = None,
           antialias: bool = False, outside: Any = "extend", address: Any = None, border: Any = None, derivative: Optional[str] = None,
           values: str = "numbers", precision: str = "single", channels: Optional[str] = None, alpha: Optional[str] = None,
           linear_light: bool = False, dtype: Any = None, out: Any = None, backend: Union[None, str, Backend] = None,
           progress: Progress = None) -> Any:
    """The array under an affine map.

    matrix: 2×3 (or 3×3, or 2×2 without translation): pixel (i, j), column and row, reads the sample-space point matrix · (i, j, 1),
        x first. This is the direction of scipy.ndimage.affine_transform (whose axes are rows first) and of cv2.WARP_INVERSE_MAP.
    shape: (rows, columns) of the result, by default the array's.
    outside: the value at positions outside the samples: "extend" (as the address modes do), a number, nan.
    derivative: "x" or "y": the slope along that axis of sample space, per sample.
    like: instead of a method, another library's rule for positions: "scipy/affine_transform:order=3,mode=mirror", "skimage/warp".
    For the others see ts.resize; antialias is off by default.
    """
    of, row = _of_positions(method, address, border, like, precision), _rows_of(matrix)
    request = new_request(of, outside, values, derivative, precision)
    request.mapping, request.antialias = lib.AFFINE, bool(antialias)
    request.affine[:] = row

    def compute(part: Any, kind: Any, to: Any) -> Any:
        return _rendered(part, of, request, shape, None, channels, backend, alpha, linear_light, kind, to, progress, "affine")

    if precision == "single" or not _is_linear(alpha, linear_light):
        return compute(array, dtype, out)
    return in_halves(array, of, request, dtype, out, compute)


def rotate(array: Any, degrees: float, method: MethodLike = "catmull-rom", *, expand: bool = False, **options: Any) -> Any:
    """The array turned counterclockwise about its centre.

    expand: the result is large enough for all of it; else it has the array's size. Options as of ts.affine, like="scipy/rotate".
    """
    angle = math.radians(float(degrees))
    cosine, sine = _exact(math.cos(angle)), _exact(math.sin(angle))
    source = layout(array, options.get("channels"))
    if source.axes.signal:
        raise ValueError("a signal cannot be turned: give a picture")
    height, width = source.height, source.width
    rows, columns = height, width
    if options.get("shape") is not None:
        rows, columns = sizes(options["shape"], None, source.axes, height, width)
    elif expand:
        columns = max(1, math.ceil(abs(width * cosine) + abs(height * sine) - 1e-9))
        rows = max(1, math.ceil(abs(width * sine) + abs(height * cosine) - 1e-9))
    options["shape"] = rows, columns
    out_y, out_x = (rows - 1) / 2, (columns - 1) / 2
    x, y = (width - 1) / 2, (height - 1) / 2
    matrix = [[cosine, -sine, x - cosine * out_x + sine * out_y], [sine, cosine, y - sine * out_x - cosine * out_y]]
    return affine(array, matrix, method, **options)


def _exact(number: float) -> float:
    """Multiples of 90° are exact."""
    return float(round(number)) if abs(number - round(number)) < 1e-15 else number


def sample(array: Any, points: Any, method: MethodLike = "catmull-rom", *, like: Optional[str] = None, outside: Any = "extend",
           address: Any = None, border: Any = None, derivative: Optional[str] = None, values: str = "numbers", precision: str = "single",
           channels: Optional[str] = None, alpha: Optional[str] = None, linear_light: bool = False, dtype: Any = None,
           out: Any = None, backend: Union[None, str, Backend] = None, progress: Progress = None) -> Any:
    """Values at points: an array of shape (…) for points of shape (…, 2), with the array's axis of channels.

    points: (x, y) along the last axis, or a pair of arrays (x, y): column and row, sample i sits at i, the first at 0. Of a signal, x.
    outside: "extend" (as the address modes do), or the value of points outside [0, n − 1]: nan, 0, … A point that is nan gives nan.
    derivative: "x" or "y": the slope, per sample; of a smooth method.
    like: instead of a method, another library's rule for positions: "scipy/map_coordinates:order=3,mode=mirror".
    dtype: by default that of the array, and float32 for integers. For the others see ts.resize.

    >>> import numpy as np
    >>> float(sample(np.arange(12.0).reshape(3, 4), (1.5, 1.0), "bilinear"))
    5.5
    """
    of = _of_positions(method, address, border, like, precision)
    request = new_request(of, outside, values, derivative, precision)

    def compute(part: Any, kind: Any, to: Any) -> Any:
        return _sampled(part, request, points, channels, backend, alpha, linear_light, kind, to, progress)

    if precision == "single" or not _is_linear(alpha, linear_light):
        return compute(array, dtype, out)
    if dtype is None and "int" in memory_of(array).dtype:
        dtype = "float64"
    return in_halves(array, of, request, dtype, out, compute)


def _sampled(array: Any, request: lib.Request, points: Any, channels: Optional[str], backend: Any, alpha: Optional[str],
             linear_light: bool, dtype: Any, out: Any, progress: Progress, like_source: bool = False) -> Any:
    source = layout(array, channels)
    handle = opened(source, backend_of(source.memory, backend), alpha, linear_light)
    try:
        return sampled(handle, source, request, points, dtype, out, progress, like_source)
    finally:
        free(handle)


def warp(array: Any, map: Any, method: MethodLike = "catmull-rom", *, like: Optional[str] = None,  # noqa: A002
         antialias: bool = False, outside: Any = "extend", address: Any = None, border: Any = None, values: str = "numbers",
         precision: str = "single", channels: Optional[str] = None, alpha: Optional[str] = None, linear_light: bool = False,
         dtype: Any = None, out: Any = None, backend: Union[None, str, Backend] = None, progress: Progress = None) -> Any:
    """The array through a map of coordinates: pixel (row, column) of the result reads the sample-space point map[row, column].

    map: (rows, columns, 2), x first, or a pair of arrays (x, y) (as cv2.remap has them).
    antialias: widens the method where neighbouring points are more than a sample apart; the map must be in host memory.
    The result has the array's type. For the others, and for like, see ts.sample.
    """
    of = _of_positions(method, address, border, like, precision)
    if of.is_recipe and antialias:
        raise ValueError("recipes (like=) say themselves whether they antialias: leave antialias out")
    request = new_request(of, outside, values, None, precision)
    request.antialias = bool(antialias)

    def compute(part: Any, kind: Any, to: Any) -> Any:
        return _sampled(part, request, map, channels, backend, alpha, linear_light, kind, to, progress, like_source=True)

    if precision == "single" or not _is_linear(alpha, linear_light):
        return compute(array, dtype, out)
    return in_halves(array, of, request, dtype, out, compute)


def prefilter(array: Any, method: MethodLike = "bspline", *, address: Any = None, border: Any = None, values: str = "numbers",
              channels: Optional[str] = None, dtype: Any = None, out: Any = None,
              backend: Union[None, str, Backend] = None, progress: Progress = None) -> Any:
    """Coefficients of a method with a prefilter: an array of the same shape, such that Σ c(k)·w(l − k) are the samples.

    address: how the samples continue beyond the edges, for which the filter is exact: "reflect101" is SciPy's mode "mirror",
        "mirror" its "reflect", "wrap" its "grid-wrap". Of "clamp" and "border" coefficients beyond the edges count too, which are not
        returned.
    dtype: float32 for integers by default; computed in float32. Compare scipy.ndimage.spline_filter. progress: see ts.resize.
    """
    of = resolved(method, address, border)
    source = layout(array, channels)
    handle = opened(source, backend_of(source.memory, backend))
    try:
        return prefiltered(handle, source, of, values, dtype, out, progress)
    finally:
        free(handle)
