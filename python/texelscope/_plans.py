"""Calls prepared by earlier ones: of the same shapes, types and options, only the addresses are new."""

from __future__ import annotations

import sys
from ctypes import byref
from typing import Any, Optional, Tuple

import numpy as np

from . import _library as lib
from ._arrays import TORCH_TYPES, address, byte_of, torch_stream
from ._backends import Backend, check, plans_of_thread

_render_array = lib.library.ts_render_array
_MOST_KEPT = 256


class Plan:
    """A call of ts_render_array() without the addresses of its arrays."""

    __slots__ = ("backend", "source", "result", "references", "shape", "dtype", "device", "kept")

    def __init__(self, backend: Backend, source: lib.Array, options: Any, request: lib.Request, result: lib.Array, like: Any,
                 kept: Any) -> None:
        self.backend, self.source, self.result, self.kept = backend.handle, source, result, (backend, options, request, kept)
        self.references = byref(source), None if options is None else byref(options), byref(request), byref(result)
        self.shape, self.dtype = tuple(like.shape), like.dtype
        self.device = None if type(like) is np.ndarray else like.device

    def run(self, pointer: int, out: Optional[np.ndarray]) -> Any:
        """A new array, or `out`, computed from the one at this address."""
        result: Any
        if self.device is None:
            result = np.empty(self.shape, self.dtype) if out is None else out
            self.result.data = address(byte_of(result))
        else:
            result = sys.modules["torch"].empty(self.shape, dtype=self.dtype, device=self.device)
            self.result.data = result.data_ptr()
        self.source.data = pointer
        status = _render_array(self.backend, *self.references)
        if status:
            check(status)
        return result


def planned(array: Any, out: Any, options: tuple) -> "Tuple[Any, Any]":
    """A key for remember(), and the result if there is a plan for it. Without a key, no plan can be made. out: None, or where the
    result goes."""
    kind = type(array)
    try:
        if kind is np.ndarray:
            dtype = array.dtype
            key: Any = (array.shape, array.strides, dtype.num, dtype.isnative, options)
            if out is not None:
                if not _is_packed_elsewhere(out, array):
                    return None, None
                key = (*key, out.shape, out.dtype.num)
        elif out is None and (torch := sys.modules.get("torch")) and kind is torch.Tensor and array.dtype in TORCH_TYPES and not (
                array.is_neg() or array.is_conj()):
            where = array.device
            stream = torch_stream(where.index) if where.type == "cuda" else None
            key = (array.shape, array.stride(), array.dtype, where, stream, options)
        else:
            return None, None
        plans = plans_of_thread()
        if not plans:
            hash(key)  # which an empty dictionary does not ask for
        plan = plans.pop(key, None)  # so that what interrupts this call makes one of its own
    except (TypeError, RuntimeError):  # options that cannot be kept; layouts without strides
        return None, None
    if plan is None:
        return key, None
    if kind is np.ndarray:
        pointer = address(byte_of(array)) if array.flags.carray else array.__array_interface__["data"][0]
    else:
        pointer = array.data_ptr()
    result = plan.run(pointer, out)
    plans[key] = plan
    return key, result


def _is_packed_elsewhere(out: Any, array: np.ndarray) -> bool:
    return (type(out) is np.ndarray and out.flags.carray and out.dtype.isnative and not np.may_share_memory(out, array))


def remember(key: Optional[tuple], plan: Plan) -> None:
    plans = plans_of_thread()
    plans[key] = plan
    if len(plans) > _MOST_KEPT:
        del plans[next(iter(plans))]
