"""What images and functions have in common: handles, requests, results, progress."""

from __future__ import annotations

import math
import operator
import signal
import sys
import threading
from contextlib import contextmanager
from ctypes import byref, c_void_p
from functools import lru_cache
from typing import Any, Callable, Iterator, List, Optional, SupportsFloat, Tuple, Union

import numpy as np

from . import _library as lib
from ._arrays import COMPLEX, LIBRARY_TYPES, Memory, address, byte_of, memory_of, type_of
from ._backends import Backend, backend_for, check, named_backend
from ._errors import Cancelled
from ._layout import Axes, Layout, layout_of
from ._methods import Method, method, parsed

_ALPHAS = {None: 0, "none": 0, "straight": 1, "premultiplied": 2}
_VALUES = {"numbers": lib.NUMBERS, "unit": lib.UNIT}
_LONG = 1 << 22  # numbers: what takes longer than to start a thread, and can be cancelled
free = lib.library.ts_image_free
_create_image = lib.library.ts_image_create
Progress = Union[None, bool, Callable[[float], Any]]


def chosen(choice: Any, choices: dict, name: str) -> Any:
    try:
        return choices[choice]
    except (KeyError, TypeError):
        words = ", ".join(repr(c) for c in choices if c is not None)
        raise ValueError(f"unknown {name} {choice!r}: choose one of {words}") from None


@lru_cache(maxsize=256)
def _with_address(text: str, address: Optional[str], border: Any) -> Method:
    settings = {}
    if address is not None:
        settings["address"] = address
    if border is not None:
        settings["border"] = border
    return parsed(text).with_(**settings) if settings else parsed(text)


def resolved(description: Any, address: Any = None, border: Any = None, like: Optional[str] = None) -> Method:
    """The method that a call names. address: one mode, or (rows, columns)."""
    if like is not None:
        if not isinstance(like, str):
            raise ValueError(f"a recipe is a text such as 'pillow/bicubic' (ts.recipes()), not {like!r}")
        if address is not None or border is not None:
            raise ValueError(f"like={like!r} itself says what lies beyond the edges: leave address and border out")
        return parsed(like if like.startswith("like:") else f"like:{like}")
    if isinstance(address, (tuple, list)):
        rows, columns = pair(address, "address")
        address = f"{columns}/{rows}"
    if isinstance(border, (list, np.ndarray)):
        border = tuple(float(b) for b in np.atleast_1d(border))
    if isinstance(description, str):
        return _with_address(description, address, border)
    found = method(description)
    settings = {key: value for key, value in (("address", address), ("border", border)) if value is not None}
    return found.with_(**settings) if settings else found


def backend_of(memory: Memory, wanted: Union[None, str, Backend]) -> Backend:
    if isinstance(wanted, Backend):
        return wanted
    if memory.device == lib.HOST and wanted not in (None, "cpu"):
        return named_backend(str(wanted))
    if memory.device != lib.HOST and wanted == "cpu":
        raise ValueError("an array in a GPU's memory cannot be read by the CPU: copy it to the host first")
    return backend_for(memory.device, memory.stream)


def image_options(layout: Layout, alpha: Optional[str] = None, linear_light: bool = False, copy: bool = False) -> Any:
    """How an array is read as an image; None: the defaults."""
    if alpha is None and not linear_light and not copy and not layout.axes.signal:
        return None
    return lib.ImageOptions(copy, chosen(alpha, _ALPHAS, "alpha"), linear_light, layout.axes.signal)


def opened(layout: Layout, backend: Backend, alpha: Optional[str] = None, linear_light: bool = False, copy: bool = False) -> Any:
    """The handle of an image over the array, which the caller frees."""
    options = image_options(layout, alpha, linear_light, copy)
    handle = c_void_p()
    status = _create_image(backend.handle, byref(layout.struct()), None if options is None else byref(options), byref(handle))
    if status:
        check(status)
    return handle


def new_request(of: Method, outside: Any = "extend", values: str = "numbers", derivative: Optional[str] = None,
                precision: str = "single") -> lib.Request:
    request = lib.Request(lib.SIZE_OF_REQUEST, of.handle)
    if outside != "extend":
        if outside == "background":
            request.outside = lib.BACKGROUND
        else:
            if isinstance(outside, str) or not isinstance(outside, SupportsFloat):
                raise ValueError(f"unknown outside {outside!r}: choose 'extend', 'background', or a number (nan, 0, …)")
            number = float(outside)
            request.outside = lib.NAN if math.isnan(number) else lib.VALUE
            request.outside_value = 0.0 if math.isnan(number) else number
    if values != "numbers":
        request.values = chosen(values, _VALUES, "values")
    if derivative is not None:
        request.derivative = chosen(derivative, {"x": 1, "y": 2}, "derivative")
    if precision != "single":
        request.float64 = chosen(precision, {"single": 0, "double": 1}, "precision")
    return request


def dtype_name(dtype: Any, is_complex: bool) -> str:
    """The name of a type as NumPy or torch call it. Raises ValueError for what results of complex numbers, or of others, cannot have."""
    text = str(dtype)
    try:
        name = text[6:] if text.startswith("torch.") else np.dtype(dtype).name
    except TypeError:
        name = ""
    if name not in LIBRARY_TYPES:
        raise ValueError(f"results cannot have the type {dtype!r}: choose one of {', '.join(LIBRARY_TYPES)}")
    if (name in COMPLEX) != is_complex:
        raise ValueError(f"results of {'complex' if is_complex else 'real'} numbers cannot be {name}: take .real, .imag or abs() of "
                         "complex ones, and give real ones .astype() before")
    return name


def pair(two: Any, name: str) -> tuple:
    if isinstance(two, (str, bytes)) or not hasattr(two, "__len__") or len(two) != 2:
        raise ValueError(f"{name} is a pair, not {two!r}")
    return tuple(two)


class Result:
    """Where a result goes: a new array of the input's library, or the caller's. `packed`: its images, rows, columns and channels."""

    __slots__ = ("array", "finish", "copied_to", "struct")

    def __init__(self, of: Memory, shape: tuple, dtype: Optional[str], out: Any, axes: Axes, bits: bool,
                 packed: "tuple[int, int, int, int]") -> None:
        self.copied_to: Any = None
        self.finish = of.finish if dtype is None and out is None else None
        if out is None and of.empty is np.empty and axes.channels != "first" and not bits:  # the most common, in the least time
            name = dtype or of.dtype
            self.array: Any = np.empty(shape, name)
            self.struct = lib.Array(lib.SIZE_OF_ARRAY, address(byte_of(self.array)), LIBRARY_TYPES[name], lib.HOST, *packed)
            return
        if out is None:
            self.array = of.empty(shape, dtype or of.dtype)
            memory = memory_of(self.array)
        else:
            memory = memory_to_write(out, shape, of.is_complex)
            self.array = out
        layout = None if out is not None and memory.overlaps(of) else layout_of(memory, axes, bits)
        if layout is None:  # through a packed array
            self.copied_to, self.array = self.array, of.empty(shape, memory.dtype)
            layout = layout_of(memory_of(self.array), axes, bits)
            assert layout is not None
        self.struct = layout.struct()

    def take(self) -> Any:
        if self.copied_to is not None:
            memory = memory_of(self.copied_to)
            if memory.device == lib.HOST:
                np.asarray(memory)[...] = np.asarray(memory_of(self.array))
            else:
                self.copied_to[...] = self.array
            return self.copied_to
        return self.finish(self.array) if self.finish else self.array


def memory_to_write(out: Any, shape: tuple, is_complex: bool) -> Memory:
    """The memory of the caller's array for results of this shape. Raises ValueError for one that cannot be written."""
    name = type_of(out)
    if name is None:
        raise ValueError(f"out must be an array of one of {', '.join(LIBRARY_TYPES)}, not {getattr(out, 'dtype', type(out).__name__)}")
    memory = memory_of(out)
    if memory.shape != shape:
        raise ValueError(f"out has the shape {memory.shape}: it must have {shape}")
    if memory.is_complex != is_complex:
        raise ValueError(f"out is of {name}: results of complex numbers are complex, and only they")
    if not (out.flags.writeable if type(out) is np.ndarray else getattr(getattr(out, "flags", None), "writeable", True)):
        raise ValueError("out cannot be written: it is read-only")
    return memory


class Follower:
    """Reports progress and lets Ctrl+C through while a function of the library runs."""

    def __init__(self, progress: Progress, name: str) -> None:
        self.error: Optional[BaseException] = None
        self.signalled: List[Any] = []
        self.report: Callable[[float], Any] = _nothing
        self.end: Callable[[], Any] = _nothing
        if progress is True:
            self._show(name)
        elif callable(progress):
            self.report = progress
        self.callback = lib.PROGRESS(self._called)

    def _called(self, _context: Any, part: float) -> int:
        try:
            if part >= 0:
                self.report(part)
            return bool(self.signalled)
        except BaseException as error:  # raised again in run()
            self.error = error
            return 1

    def _show(self, name: str) -> None:
        try:
            from tqdm.auto import tqdm  # type: ignore[import-untyped]
        except ImportError:
            self.report = lambda part: print(f"\r{name}: {100 * part:3.0f} %", end="", file=sys.stderr, flush=True)
            self.end = lambda: print(file=sys.stderr)
            return
        bar = tqdm(total=100, desc=name, unit="%", leave=False)
        self.report = lambda part: bar.update(round(100 * part) - bar.n)
        self.end = bar.close

    def run(self, function: Callable[..., int], *arguments: Any) -> None:
        with self._signals():
            try:
                check(function(*arguments))
            except Cancelled:
                if self.error is not None:
                    raise self.error from None
                if not self.signalled:
                    raise
            finally:
                self.end()
        if self.error is not None:
            raise self.error

    @contextmanager
    def _signals(self) -> Iterator[None]:
        """Ctrl+C, which must not raise in a callback, cancels; then what handles it is called, which raises KeyboardInterrupt."""
        before = signal.getsignal(signal.SIGINT) if threading.current_thread() is threading.main_thread() else None
        if not callable(before):
            yield
            return
        signal.signal(signal.SIGINT, lambda *signalled: self.signalled.append(signalled))
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
        if self.signalled:
            before(*self.signalled[0])
            raise Cancelled("the computation was cancelled")


def _nothing(*_: Any) -> None:
    pass


def is_long(numbers: int) -> bool:
    """Whether a call takes so long that Ctrl+C must be able to cancel it: in the main thread, which is told of it."""
    return numbers >= _LONG and threading.current_thread() is threading.main_thread()


def run(function: Callable[..., int], request: lib.Request, numbers: int, progress: Progress, name: str, *arguments: Any) -> None:
    """Calls a function of the library, one of whose arguments is the request; long ones can be cancelled by Ctrl+C."""
    if not progress and not is_long(numbers):
        status = function(*arguments)
        if status:
            check(status)
        return
    follower = Follower(progress, name)
    request.progress = follower.callback
    follower.run(function, *arguments)


def sizes(shape: Any, factor: Any, axes: Axes, height: int, width: int) -> Tuple[int, int]:
    """Height and width of a result, from a shape or a factor."""
    if shape is not None:
        try:
            numbers = [operator.index(n) for n in shape] if hasattr(shape, "__len__") else [operator.index(shape)]
        except TypeError:
            raise ValueError(f"a shape has whole numbers, not {shape!r}") from None
        if min(numbers, default=0) < 1:
            raise ValueError(f"the sides of a shape are at least 1: {shape!r} has none")
        if len(numbers) == 1 and axes.signal:
            return 1, numbers[0]
        if len(numbers) != 2 or axes.signal:
            raise ValueError(f"the shape must be (rows, columns), or one number for a signal, not {shape!r}")
        return numbers[0], numbers[1]
    factors = [float(f) for f in np.atleast_1d(factor)]
    if len(factors) == 1:
        factors *= 2
    if len(factors) != 2 or not all(f > 0 and math.isfinite(f) for f in factors):
        raise ValueError(f"a factor is a number above 0, or (of rows, of columns), not {factor!r}")
    down, across = (max(1, math.floor(n * f + 0.5)) for n, f in zip((height, width), factors))
    return (1 if axes.signal else down), across


def only_moves(of: Method, mixes: bool, memory: Memory, outside: int) -> bool:
    """Whether nearest copies numbers that float32 does not hold: then their bits are moved."""
    return (not mixes and memory.item >= 4 and memory.dtype not in ("float32", "complex64") and outside == lib.EXTEND
            and "border" not in of.spec)
