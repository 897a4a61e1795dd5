"""Pictures as a screen shows them, and differences of two."""

from __future__ import annotations

from ctypes import byref
from typing import Any, NamedTuple, Optional, Tuple

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
_KINDS = {"absolute": 0, "signed": 1, "squared": 2, "relative": 3, "delta-e": 4, "ssim": 5, "flip": 6, "gradient": 7}


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
    if options.difference >= _KINDS["delta-e"]:
        raise ValueError(f"a map is shown as display(difference(a, b, '{difference}'), white=…, map=…)")
    shape = (source.height, source.width, 4)
    result = Result(source.memory._replace(dtype="uint8"), shape, "uint8", out, Axes(0, "last"), False, (1, source.height, source.width, 4))
    _with_images(lib.library.ts_display, source, None if against is None else other, alpha, new_request(method("nearest")), progress,
                 "display", byref(options), byref(result.struct))
    return result.take()


class MapFigures(NamedTuple):
    """Figures of a map of errors, in its unit; NaN, and (-1, -1), of a map without values.

    deviation: of 1 − GMS it is GMSD. weighted_median: half of the sum of all errors is in smaller ones. This one and percentile_95
    are rounded to 1/65536, of ΔE2000 to 1/512. worst: (row, column) of the largest. pixels: with a value. histogram: numbers of
    pixels in 32 equal columns from 0 to the largest.
    """

    mean: float
    deviation: float
    weighted_median: float
    percentile_95: float
    largest: float
    worst: Tuple[int, int]
    pixels: int
    histogram: Tuple[int, ...]


def difference(a: Any, b: Any, kind: str = "signed", *, figures: bool = False, pixels_per_degree: Optional[float] = None,
               exposures: Optional[bool] = None, linear: bool = False, peak: float = 0.0, values: str = "numbers",
               channels: Optional[str] = None, alpha: Optional[str] = None, dtype: Any = None, out: Any = None,
               progress: Progress = None) -> Any:
    """How a picture differs from b, which is right, pixel by pixel: float32, or `dtype`; both of the same shape.

    kind, of the shape of a: "signed", a − b; "absolute"; "squared"; "relative", |a − b| / |b|, what it is divided by being at least
        1/255 of the range. Of shape (rows, columns), 0 where the pictures agree, NaN where a pixel is not finite:
        "delta-e": ΔE2000 of each pixel, about 1 is just noticeable (Sharma, Wu & Dalal 2005).
        "flip": how much is seen when both take turns, 0 … 1 (Andersson et al. 2020).
        "ssim": 1 − SSIM, 0 … 2, the mean of the channels; NaN within 5 pixels of the edge (Wang et al. 2004).
        "gradient": 1 − GMS, 0 … 1, of 2×2 pixels; NaN in the outermost 2 pixels (Xue et al. 2014).
    figures: True for (map, MapFigures) of a map.
    pixels_per_degree: of "flip", the picture's pixels in a degree of sight, 5 … 400; by default 67.02.
    exposures: of "flip", whether the largest over the exposures of linear light counts (Andersson et al. 2021), instead of what a
        screen shows, 0 … 1; by default if b has floats above 1, or is linear.
    linear: whether floats are linear light; colours are sRGB-coded otherwise. Alpha, which `alpha` names, is over black.
    peak: of "ssim" and "gradient"; by default 255 of uint8, 65535 of uint16, else 1.
    values: of the first four, "numbers" as stored, of uint8 0 … 255; "unit" 0 … 1. For figures of values see ts.measure.

    >>> import numpy as np
    >>> float(difference(np.full((2, 2), 10, np.uint8), np.full((2, 2), 12, np.uint8))[0, 0])
    -2.0
    """
    first, second = _picture(a, channels, "a difference"), _picture(b, channels, "a difference")
    is_map = chosen(kind, _KINDS, "kind") >= _KINDS["delta-e"]
    if figures and not is_map:
        raise ValueError(f"figures are those of a map of errors: \"{kind}\" has those of ts.measure")
    planes = not is_map and layout(a, channels).axes.channels == "first"
    shape = (first.height, first.width) if is_map else first.memory.shape
    is_complex = first.memory.is_complex and not is_map
    name = dtype_name(dtype, is_complex) if dtype is not None else "complex64" if is_complex else "float32"
    result = Result(first.memory._replace(dtype="float32") if is_map else first.memory, shape, name, None if planes else out,
                    Axes(0, None) if is_map else first.axes, False, (1, first.height, first.width, 1 if is_map else first.channels))
    request = new_request(method("nearest"), values=values)
    options = lib.DifferenceOptions(_KINDS[kind], linear, {None: 0, False: 1, True: 2}[exposures], float(pixels_per_degree or 0), float(peak))
    found = lib.MapFigures()
    _with_images(lib.library.ts_difference, first, second, alpha, request, progress, "difference", byref(options),
                 byref(result.struct), byref(found) if figures else None)
    picture = result.take()
    if planes:
        picture = picture.permute(2, 0, 1) if hasattr(picture, "permute") else picture.transpose(2, 0, 1)
        if out is not None:
            out[...] = picture
            picture = out
    if not figures:
        return picture
    return picture, MapFigures(found.mean, found.deviation, found.weighted_median, found.percentile_95, found.largest,
                               (found.worst_y, found.worst_x), found.pixels, tuple(found.histogram))


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
