"""Requests in float64 of arrays that float32 does not hold."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import _library as lib
from ._arrays import memory_of
from ._compute import dtype_name, memory_to_write
from ._methods import Method


def in_halves(array: Any, of: Method, request: lib.Request, dtype: Any, out: Any, compute: Callable[[Any, Any, Any], Any]) -> Any:
    """What compute(array, dtype, out) gives for a request in float64, which reads float32: host arrays that this does not hold are
    computed as the sum of two that it does, which have 48 bits together."""
    memory = memory_of(array)
    if memory.device != lib.HOST or memory.item < 4 or memory.dtype in ("float32", "complex64"):
        return compute(array, dtype, out)
    numbers = np.asarray(memory)
    wide = "complex128" if memory.is_complex else "float64"
    name = memory.dtype if dtype is None else dtype_name(dtype, memory.is_complex)
    single = "complex64" if memory.is_complex else "float32"
    high = numbers.astype(single)
    with np.errstate(invalid="ignore"):
        low = (numbers - high.astype(wide)).astype(single)
    low[~np.isfinite(high)] = 0
    result = compute(high, wide, None)
    request.outside_value = 0  # is in the first half
    without_border = of.with_(border=0.0) if "border=" in of.spec else of
    request.method = without_border.handle
    result += compute(low, wide, None)
    array = memory.empty(result.shape, name) if out is None else out
    _store(result, np.asarray(memory_to_write(array, result.shape, memory.is_complex)), request.values == lib.UNIT)
    return memory.finish(array) if out is None else out


def _store(values: np.ndarray, to: np.ndarray, unit: bool) -> None:
    """As the library does: whole numbers are rounded, halves away from zero, and clamped; NaN is 0."""
    if to.dtype.kind in "fc":
        to[...] = values
        return
    info = np.iinfo(to.dtype)
    if to.dtype in (np.uint8, np.uint16):
        values = (values * info.max if unit else values).astype(np.float32)
    values = np.where(np.isnan(values), 0, values)
    whole = np.rint(values)
    halves = np.abs(values - np.trunc(values)) == 0.5
    whole[halves] = (np.trunc(values) + np.sign(values))[halves]
    inside = (whole > info.min) & (whole < info.max)
    to[...] = np.where(whole > 0, np.array(info.max, to.dtype), np.array(info.min, to.dtype))
    to[inside] = whole[inside].astype(to.dtype)
