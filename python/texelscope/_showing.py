"""Pictures as a screen shows them, and differences of two."""

from __future__ import annotations

from ctypes import byref
from typing import Any, Optional

import numpy as np

from . import _library as lib
from ._arrays import memory_of
from ._compute import Progress, Result, backend_of, chosen, dtype_name, free, new_request, opened, run
from ._layout import Axes, Layout, layout, layout_of
from ._methods import method

_CURVES = {"none": 0, "reinhard": 1, "aces": 2}
_CHANNELS = {"all": 0, "first": 1, "second": 2, "third": 3, "alpha": 4, "luma": 5}
_COMPLEX = {"polar": 0, "parts": 1, "magnitude": 2, "phase": 3, "domain": 4}
_MAPS = {"none": 0, "grey": 1, "ember": 2, "lagoon": 3, "balance": 4}
_KINDS = {"absolute": 0, "signed": 1, "squared": 2, "relative": 3, "deltaE": 4}


def _picture(array: Any, channels: Optional[str], what: str) -> Layout:
    """One picture of up to four channels, which lie side by side, if need be in a copy."""
    source = layout(array, channels)
    if source.images > 1 or source.channels > 4:
        raise ValueError(f"{what} is of one picture of up to four channels, not of the shape {source.memory.shape}: choose one")
    if source.axes.channels != "first":
        return source
    memory = source.memory
    planes = memory.owner if memory.device != lib.HOST or hasattr(memory.owner, "permute") else np.asarray(memory)
    last = planes[(0,) * source.axes.batch]  # one picture
    last = last.permute(1, 2, 0).contiguous() if hasattr(last, "permute") else last.transpose(1, 2, 0).copy()
    found = layout_of(memory_of(last), Axes(0, "last"))
    assert found is not None
    return found._replace(memory=found.memory._replace(empty=memory.empty, finish=memory.finish))


def display(array: Any, *, exposure: float = 0.0, gamma: float = 1.0, black: Optional[float] = None, white: Optional[float] = None,
            curve: str = "none", channel: str = "all", complex: str = "polar", map: str = "none", invert: bool = False,  # noqa: A002
            backdrop: str = "checkerboard", mark_nonfinite: bool = True, against: Any = None, difference: str = "absolute",
            gain: float = 8.0, channels: Optional[str] = None, alpha: Optional[str] = None, out: Any = None,
            progress: Progress = None) -> Any:
    """An array as a screen shows it: uint8 of shape (rows, columns, 4), red, green, blue and an opaque alpha.

    The steps, in this order: black and white, numbers as stored (by default 0 and 1, of uint8 255, of uint16 65535); exposure in
    stops, −16 … 16; curve, "none", "reinhard" or "aces", which brings what is above 1 onto the screen; gamma; invert; map.
    channel: "all", "first", "second", "third", "alpha" or "luma". complex: "polar", "parts", "magnitude", "phase", "domain".
    map: colours of a single channel or a difference: "grey", "ember", "lagoon", "balance"; "none": grey, or the channels' own.
    backdrop: "checkerboard" or "grey", behind what is not opaque. mark_nonfinite: NaN magenta, +∞ yellow, −∞ cyan.
    against: another array of the same shape: the difference from it is shown; 1/gain of the unit range is the end of the map.
    difference: "absolute", "signed", "squared", "relative". For the others see ts.resize.

    >>> import numpy as np
    >>> display(np.linspace(0, 1, 12, dtype=np.float32).reshape(3, 4), map="ember").shape
    (3, 4, 4)
    """
    source = _picture(array, channels, "a display")
    if against is not None:
        other = _picture(against, channels, "a display")
    levels = {"uint8": 255.0, "uint16": 65535.0}.get(source.memory.dtype, 1.0)
    low, high = 0.0 if black is None else float(black), levels if white is None else float(white)
    options = lib.DisplayOptions(float(exposure), float(gamma), low, high, chosen(curve, _CURVES, "curve"),
                                 chosen(channel, _CHANNELS, "channel"), chosen(complex, _COMPLEX, "complex view"),
                                 chosen(map, _MAPS, "map"), chosen(backdrop, {"checkerboard": 0, "grey": 1}, "backdrop"), invert,
                                 not mark_nonfinite, chosen(difference, _KINDS, "difference"), float(gain))
    if options.difference == _KINDS["deltaE"]:
        raise ValueError("deltaE is shown as display(difference(a, b, 'deltaE'), white=…, map=…)")
    shape = (source.height, source.width, 4)
    result = Result(source.memory._replace(dtype="uint8"), shape, "uint8", out, Axes(0, "last"), False, (1, source.height, source.width, 4))
    _with_images(lib.library.ts_display, source, None if against is None else other, alpha, new_request(method("nearest")), progress,
                 "display", byref(options), byref(result.struct))
    return result.take()


def difference(a: Any, b: Any, kind: str = "signed", *, values: str = "numbers", channels: Optional[str] = None,
               alpha: Optional[str] = None, dtype: Any = None, out: Any = None, progress: Progress = None) -> Any:
    """How two pictures of the same shape differ, pixel by pixel: float32, or `dtype`.

    kind: "signed", a − b; "absolute"; "squared"; "relative", |a − b| / |b|, what it is divided by being at least 1/255 of the range;
        "deltaE", ΔE2000 of sRGB-coded colours, of shape (rows, columns): about 1 is just noticeable.
    values: "numbers" as stored, of uint8 0 … 255; "unit" 0 … 1. For figures of the whole see ts.measure.

    >>> import numpy as np
    >>> float(difference(np.full((2, 2), 10, np.uint8), np.full((2, 2), 12, np.uint8))[0, 0])
    -2.0
    """
    first, second = _picture(a, channels, "a difference"), _picture(b, channels, "a difference")
    colours = chosen(kind, _KINDS, "kind") == _KINDS["deltaE"]
    planes = not colours and layout(a, channels).axes.channels == "first"
    shape = (first.height, first.width) if colours else first.memory.shape
    name = dtype_name(dtype, first.memory.is_complex) if dtype is not None else "complex64" if first.memory.is_complex else "float32"
    result = Result(first.memory, shape, name, None if planes else out, Axes(0, None) if colours else first.axes, False,
                    (1, first.height, first.width, 1 if colours else first.channels))
    request = new_request(method("nearest"), values=values)
    _with_images(lib.library.ts_difference, first, second, alpha, request, progress, "difference", _KINDS[kind], byref(result.struct))
    if not planes:
        return result.take()
    found = result.take()
    found = found.permute(2, 0, 1) if hasattr(found, "permute") else found.transpose(2, 0, 1)
    if out is None:
        return found
    out[...] = found
    return out


def _with_images(function: Any, first: Layout, second: Optional[Layout], alpha: Optional[str], request: lib.Request,
                 progress: Progress, name: str, *arguments: Any) -> None:
    """Calls it with an image, the request and another image, which may be missing."""
    if second is not None and (first.height, first.width, first.channels) != (second.height, second.width, second.channels):
        raise ValueError(f"pictures of the shapes {first.memory.shape} and {second.memory.shape} differ everywhere: give two of the "
                         "same shape")
    backend = backend_of(first.memory, None)
    handles = [opened(source, backend, alpha) for source in (first, second) if source is not None]
    try:
        run(function, request, 4 * first.numbers(first.height * first.width), progress, name, handles[0], byref(request),
            handles[1] if len(handles) > 1 else None, *arguments)
    finally:
        for handle in handles:
            free(handle)
