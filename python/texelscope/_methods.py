"""Methods: a weight function, or another library's way to resize, with all settings."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Union

import numpy as np

from . import _library as lib


class Parameter(NamedTuple):
    """A tunable number of a method."""

    id: str
    name: str
    unit: str
    summary: str
    minimum: float
    maximum: float
    standard: float
    value: float


class Method(lib.Handle):
    """A method of interpolation with its settings; made by ts.method().

    It is callable: ``m(x)`` are its weights at distances x (samples). Methods do not change: ``m.with_(a=-0.75)`` is another.
    """

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self.handle = handle
        self._own(handle, lib.library.ts_method_free)
        info = lib.MethodInfo()
        lib.check(lib.library.ts_method_get_info(handle, ctypes.byref(info)))
        self.id: str = info.id.decode()
        self.name: str = info.name.decode()
        self.summary: str = info.summary.decode()
        self.paper: str = info.paper.decode()
        self.spec: str = info.spec.decode()
        self.taps: int = info.taps
        self.radius: float = info.radius
        self.order: int = info.order
        self.order_unfiltered: int = info.order_unfiltered
        self.smoothness: int = info.smoothness
        self.interpolating: bool = bool(info.interpolating)
        self.has_prefilter: bool = bool(info.has_prefilter)
        self.is_recipe: bool = bool(info.is_recipe)
        self.is_kernel: bool = bool(info.is_kernel)
        self.poles: tuple = tuple(info.poles[k] for k in range(info.pole_count))
        self._parameter_count = info.parameter_count

    @property
    def parameters(self) -> List[Parameter]:
        """Its tunable numbers, with their ranges and values."""
        found = []
        for index in range(self._parameter_count):
            info = lib.ParameterInfo()
            lib.check(lib.library.ts_method_get_parameter(self.handle, index, ctypes.byref(info)))
            found.append(Parameter(info.id.decode(), info.name.decode(), info.unit.decode(), info.summary.decode(), info.minimum,
                                   info.maximum, info.standard, info.value))
        return found

    def with_(self, **settings: Any) -> "Method":
        """The same method with other settings: parameters, address, border, prefilter, path, coefficients.

        Raises ValueError for a setting that it does not have, and for recipes, whose options are in their text.
        """
        handle = lib.made(lib.library.ts_method_copy, self.handle)
        try:
            for key, value in settings.items():
                lib.check(lib.library.ts_method_set(handle, key.encode(), _setting(value).encode()))
        except BaseException:
            lib.library.ts_method_free(handle)
            raise
        return Method(handle)

    def __call__(self, x: Any) -> np.ndarray:
        """Weights at distances x from the sample, in samples; float64 of the shape of x."""
        return self._evaluated(lib.library.ts_method_weights, x)

    def gain(self, frequency: Any) -> np.ndarray:
        """Factors by which waves of these frequencies (cycles per sample) pass, the prefilter included."""
        return self._evaluated(lib.library.ts_method_gains, frequency)

    def spectrum(self, count: int = 257, highest: float = 2.0) -> "tuple[np.ndarray, np.ndarray]":
        """(frequencies, gains) from 0 to `highest` cycles per sample. 1/2 is the Nyquist frequency; beyond it are images."""
        frequencies = np.linspace(0.0, highest, count)
        return frequencies, self.gain(frequencies)

    def _evaluated(self, function: Any, at: Any) -> np.ndarray:
        x = np.array(at, np.float64, order="C")
        y = np.empty_like(x)
        lib.check(function(self.handle, x.ctypes.data, y.ctypes.data, x.size))
        return y if x.ndim else y[()]

    def __repr__(self) -> str:
        return f"<texelscope method {self.name}: {self.spec if len(self.spec) < 200 else self.id}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Method) and (self is other or (self.spec == other.spec and self.id != "custom"))

    def __hash__(self) -> int:
        return hash(self.spec)

    def __copy__(self) -> "Method":
        return self

    def __deepcopy__(self, _memo: Any) -> "Method":
        return self

    def __reduce__(self) -> "tuple[Any, ...]":
        try:
            parsed(self.spec)
        except ValueError:
            raise TypeError("a method that was made of a function cannot be pickled: pickle what makes it") from None
        return parsed, (self.spec,)


MethodLike = Union[str, Method]


def _setting(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (tuple, list)):
        return ":".join(repr(float(v)) for v in value)
    return repr(float(value))


def method(description: "Union[str, Method, Callable[[Any], Any]]", *, radius: Optional[float] = None, name: str = "Custom",
           normalise: bool = False, prefilter: bool = True, **settings: Any) -> Method:
    """A method from its name, a text, or a function.

    description: a spec such as "bspline", "bc:b=0.2", "like:pillow/bicubic"; the text of a weight function
        (docs/weights.md) or of a CUDA kernel (docs/kernels.md); or a Python function of an array of distances that returns
        weights.
    radius: of a function, 0.25 … 8 samples: it is zero outside −radius ≤ x < radius. The function is called while the method is
        made only: it is kept as polynomials, to 2e-13.
    normalise: of a function, whether weights are divided by their sum at each phase.
    prefilter: of a function, whether a prefilter is derived that makes it interpolate.
    settings: parameters of the method, address="mirror", border=0.5, prefilter="fir15" (of named methods), path="hardware".

    Raises ValueError for names, settings and functions that are not valid.

    >>> method("bspline").order
    4
    >>> method(lambda x: 1 - abs(x), radius=1).interpolating
    True
    """
    if isinstance(description, Method):
        return description.with_(**settings) if settings else description
    if isinstance(description, str):
        if prefilter is not True:
            settings["prefilter"] = prefilter or "none"
        found = parsed(description)
        return found.with_(**settings) if settings else found
    if not callable(description):
        raise ValueError(f"a method is a name, a text or a function, not {description!r}")
    if radius is None:
        raise ValueError("a function needs a radius: beyond that many samples it is zero")
    found = _of_function(description, radius, name, normalise, prefilter)
    return found.with_(**settings) if settings else found


def _of_function(function: Callable[[Any], Any], radius: float, name: str, normalise: bool, prefilter: bool) -> Method:
    raised: Dict[str, BaseException] = {}

    @lib.WEIGHT
    def weight(_context: Any, x: float) -> float:
        try:
            return float(np.asarray(function(np.float64(x))).reshape(()))
        except BaseException as error:  # noqa: B902  it must not leave a callback; raised again below
            raised.setdefault("error", error)
            return float("nan")

    options = lib.FunctionOptions(radius, name.encode(), normalise, not prefilter)
    try:
        return Method(lib.made(lib.library.ts_method_from_function, weight, None, ctypes.byref(options)))
    except ValueError:
        if raised:
            raise raised["error"] from None
        raise


@lru_cache(maxsize=256)
def parsed(text: str) -> Method:
    """The method of a spec or of a text."""
    make = lib.library.ts_method_from_text if "\n" in text else lib.library.ts_method_parse
    return Method(lib.made(make, text.encode()))


def methods() -> List[Method]:
    """All built-in methods, in the order of the menus."""
    return [parsed(name) for name in _names(lib.library.ts_method_id)]


def recipes() -> List[str]:
    """What other libraries do, as specs: "like:pillow/bicubic", …"""
    return _names(lib.library.ts_recipe_name)


def _names(function: Any) -> List[str]:
    found: List[str] = []
    while (name := function(len(found))) is not None:
        found.append(name.decode())
    return found
