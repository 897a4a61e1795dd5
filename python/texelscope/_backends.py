"""Backends: one for each thread and device (and CUDA stream), made when it is first used."""

from __future__ import annotations

import ctypes
import os
import threading
from collections import OrderedDict
from typing import Any, Optional

from . import _library as lib
from ._errors import DeviceLost

_of_thread = threading.local()
_MOST_KEPT = 8
LEGACY_STREAM = 1  # CUDA's default stream, as a handle


class Backend(lib.Handle):
    """Who computes: ``Backend("cpu")``, ``Backend("cuda", device=0, stream=handle)``.

    Functions make one of their own for each thread, so this is for those who want to choose. A backend may be used by several
    threads, which then wait for each other. stream: a cudaStream_t as an integer (torch.cuda.Stream.cuda_stream,
    cupy.cuda.Stream.ptr); 0 is CUDA's default stream, None a stream of the backend's own.
    Raises ts.Unavailable without such a device.
    """

    def __init__(self, kind: str = "auto", device: Optional[int] = None, stream: Optional[int] = None,
                 kept_memory: int = 0) -> None:
        kinds = {"auto": lib.AUTOMATIC, "cpu": lib.CPU, "cuda": lib.CUDA}
        if kind not in kinds:
            raise ValueError(f"unknown backend {kind!r}: choose one of {', '.join(kinds)}")
        options = lib.BackendOptions(kinds[kind], device is not None, device or 0,
                                     stream if stream is None else stream or LEGACY_STREAM, kept_memory)
        self.handle = lib.made(lib.library.ts_backend_create, ctypes.byref(options))
        self._own(self.handle, lib.library.ts_backend_free)
        info = self._info()
        self.kind = "cuda" if info.kind == lib.CUDA else "cpu"
        self.device = int(info.device)
        self.name = info.name.decode()
        self.detail = info.detail.decode()
        self.stream = info.stream

    def _info(self) -> lib.BackendInfo:
        info = lib.BackendInfo()
        lib.check(lib.library.ts_backend_get_info(self.handle, ctypes.byref(info)))
        return info

    @property
    def memory_taken(self) -> int:
        """Bytes of images, coefficients and results on the way, now."""
        return int(self._info().memory_taken)

    @property
    def most_memory_taken(self) -> int:
        """The most bytes so far."""
        return int(self._info().most_memory_taken)

    def synchronize(self) -> None:
        """Waits for all enqueued work."""
        lib.check(lib.library.ts_backend_synchronize(self.handle))

    def __repr__(self) -> str:
        return f"<texelscope backend {self.kind}: {self.name}>"


def _kept() -> "OrderedDict[Any, Backend]":
    try:
        return _of_thread.backends
    except AttributeError:
        _of_thread.backends = OrderedDict()
        return _of_thread.backends


def plans_of_thread() -> "dict[Any, Any]":
    """This thread's prepared calls (_plans.py), the least recently used first."""
    try:
        return _of_thread.plans
    except AttributeError:
        _of_thread.plans = {}
        return _of_thread.plans


def backend_for(device: int, stream: Optional[int]) -> Backend:
    """This thread's backend for arrays of a device (HOST or a CUDA ordinal) and stream."""
    kept, key = _kept(), (device, stream)
    backend = kept.get(key)
    if backend is None:
        backend = Backend("cpu") if device == lib.HOST else Backend("cuda", device, stream)
        kept[key] = backend
        if len(kept) > _MOST_KEPT:
            kept.popitem(last=False)
    return backend


def named_backend(name: str) -> Backend:
    """This thread's backend of a kind, for arrays in host memory."""
    kept = _kept()
    if name not in kept:
        kept[name] = Backend(name)
    return kept[name]


def forget(error: BaseException) -> None:
    """After a lost device the next call makes a fresh backend."""
    if isinstance(error, DeviceLost):
        _kept().clear()
        plans_of_thread().clear()


def check(status: int) -> None:
    """Raises the exception of a status other than 0."""
    try:
        lib.check(status)
    except DeviceLost as error:
        forget(error)
        raise


def _forget_all() -> None:
    _of_thread.__dict__.clear()


os.register_at_fork(after_in_child=_forget_all)  # threads and devices of the parent are not here
