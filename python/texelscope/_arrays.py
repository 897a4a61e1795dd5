"""Arrays of NumPy, PyTorch, CuPy and others as memory: where it is, and how new ones of the same library are made."""

from __future__ import annotations

import ctypes
import sys
from typing import Any, Callable, NamedTuple, Optional, Sequence

import numpy as np

from . import _library as lib

_TYPES = {"uint8": lib.U8, "uint16": lib.U16, "float16": lib.F16, "float32": lib.F32, "int8": lib.I8, "int16": lib.I16,
          "int32": lib.I32, "uint32": lib.U32, "int64": lib.I64, "uint64": lib.U64, "float64": lib.F64}
_HALVES = {"complex64": "float32", "complex128": "float64"}
_SIZES = {"uint8": 1, "int8": 1, "uint16": 2, "int16": 2, "float16": 2, "int32": 4, "uint32": 4, "float32": 4, "int64": 8,
          "uint64": 8, "float64": 8, "complex64": 8, "complex128": 16}
_NAMES = {np.dtype(name): name for name in _SIZES}  # of the machine's byte order
address: Callable[[Any], int] = ctypes.addressof
byte_of: Callable[[Any], Any] = ctypes.c_char.from_buffer
COMPLEX = tuple(_HALVES)
LIBRARY_TYPES = {name: _TYPES[_HALVES.get(name, name)] for name in _SIZES}


class Memory(NamedTuple):
    """An array as memory. ``dtype``: its name in NumPy; strides in bytes; ``empty(shape, dtype)`` makes one of its library."""

    pointer: int
    dtype: str
    shape: tuple
    strides: tuple
    device: int  # HOST or a CUDA ordinal
    stream: Optional[int]  # on which its library works now
    owner: Any  # keeps the memory
    empty: Callable[[tuple, str], Any]
    finish: Callable[[Any], Any]  # from what empty() made to what the caller gets

    @property
    def type(self) -> int:
        return LIBRARY_TYPES[self.dtype]

    @property
    def is_complex(self) -> bool:
        return self.dtype in _HALVES

    @property
    def item(self) -> int:
        return _SIZES[self.dtype]

    @property
    def __array_interface__(self) -> dict:
        """For NumPy, of host memory. The view does not keep the memory."""
        return {"data": (self.pointer, False), "typestr": np.dtype(self.dtype).str, "shape": self.shape, "strides": self.strides,
                "version": 3}

    def overlaps(self, other: "Memory") -> bool:
        """Whether the stretches of memory between their first and last bytes do."""
        if type(self.owner) is type(other.owner) is np.ndarray:
            return np.may_share_memory(self.owner, other.owner)
        if self.device != other.device:
            return False
        (begin, end), (other_begin, other_end) = self._reach(), other._reach()
        return begin < other_end and other_begin < end

    def _reach(self) -> "tuple[int, int]":
        steps = [(n - 1) * stride for n, stride in zip(self.shape, self.strides)]
        return self.pointer + sum(s for s in steps if s < 0), self.pointer + self.item + sum(s for s in steps if s > 0)


def _same(result: Any) -> Any:
    return result


def _numpy(array: np.ndarray, finish: Callable[[Any], Any] = _same) -> Memory:
    name = _NAMES.get(array.dtype)
    if name is None:
        array, name = _native(array)
    plain = array.flags.carray and array.size  # then this takes a third of the time
    pointer = address(byte_of(array)) if plain else array.__array_interface__["data"][0]
    return Memory(pointer, name, array.shape, array.strides, lib.HOST, None, array, np.empty, finish)


def _native(array: np.ndarray) -> "tuple[np.ndarray, str]":
    """The array with a type that the library has: other byte orders and long doubles are converted, flags are numbers."""
    kind = array.dtype.kind
    if kind == "b":
        return array.view(np.uint8), "uint8"
    if kind in "iufc":
        wanted = array.dtype.newbyteorder("=") if array.dtype.newbyteorder("=").name in _SIZES else np.dtype(
            np.complex128 if kind == "c" else np.float64)
        array = array.astype(wanted)
        return array, array.dtype.name
    raise ValueError(f"an array of {array.dtype} has no numbers to interpolate: uint8 … uint64, int8 … int64, floats and "
                     "complex do")


class _TorchTypes(dict):
    """Names of PyTorch's types in NumPy, of those that need no conversion, once they have been asked for."""

    def __missing__(self, dtype: Any) -> str:
        name = str(dtype)[6:]
        if name in _SIZES:
            self[dtype] = name
        return name


TORCH_TYPES = _TorchTypes()


def torch_stream(device: int) -> int:
    """The handle of PyTorch's current stream, 0 for CUDA's default one."""
    torch = sys.modules["torch"]
    raw = getattr(torch._C, "_cuda_getCurrentRawStream", None)  # a tenth of the time
    return int(raw(device) if raw else torch.cuda.current_stream(device).cuda_stream)


def current_stream(memory: "Memory") -> Optional[int]:
    """On which the library of an array in a GPU's memory works by now."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(memory.owner, torch.Tensor):
        return torch_stream(memory.device)
    if isinstance(memory.owner, tuple):  # by DLPack, which says no stream
        return memory.stream
    return memory_of(memory.owner).stream


def _torch(tensor: Any) -> Memory:
    torch = sys.modules["torch"]
    if tensor.requires_grad:
        tensor = tensor.detach()
    name = TORCH_TYPES[tensor.dtype]
    if tensor.is_conj() or tensor.is_neg():
        tensor = tensor.resolve_conj().resolve_neg()
    finish: Callable[[Any], Any] = _same
    if name == "bool":
        tensor, name = tensor.view(torch.uint8), "uint8"
    elif name == "bfloat16":
        tensor, name = tensor.float(), "float32"
        finish = _to_bfloat16
    if name not in _SIZES:
        raise ValueError(f"a tensor of {tensor.dtype} has no numbers to interpolate")
    where = tensor.device
    if where.type not in ("cpu", "cuda") or tensor.layout is not torch.strided:
        raise ValueError(f"a tensor with layout {tensor.layout} on {where} cannot be read: dense ones on cpu and cuda can")
    device, stream = lib.HOST, None
    if where.type == "cuda":
        device = where.index
        stream = torch_stream(device)
    size = _SIZES[name]

    def empty(shape: tuple, dtype: str) -> Any:
        return torch.empty(shape, dtype=getattr(torch, dtype), device=where)

    return Memory(tensor.data_ptr(), name, tuple(tensor.shape), tuple(s * size for s in tensor.stride()), device, stream, tensor,
                  empty, finish)


def _to_bfloat16(tensor: Any) -> Any:
    return tensor.to(sys.modules["torch"].bfloat16) if tensor.dtype == sys.modules["torch"].float32 else tensor


def _packed_strides(shape: tuple, item: int) -> tuple:
    strides = []
    for side in reversed(shape):
        strides.append(item)
        item *= side
    return tuple(reversed(strides))


def _cuda_interface(array: Any) -> Memory:
    """CuPy, Numba and others that have __cuda_array_interface__. Results are CuPy's, or Numba's for Numba's."""
    interface = array.__cuda_array_interface__
    if interface.get("mask") is not None:
        raise ValueError("a masked array cannot be read: fill it first")
    dtype = np.dtype(interface["typestr"])
    name = dtype.name
    if name == "bool":
        name = "uint8"
    if name not in _SIZES or not dtype.isnative:
        raise ValueError(f"an array of {dtype} has no numbers to interpolate")
    shape = tuple(interface["shape"])
    strides = interface.get("strides") or _packed_strides(shape, dtype.itemsize)
    module = type(array).__module__.split(".")[0]
    stream = interface.get("stream")
    if module == "numba":
        import numba.cuda as library  # type: ignore[import-not-found]

        empty = library.device_array
        device = library.get_current_device().id
        stream = stream or 0
    else:
        library = sys.modules.get("cupy")
        if library is None:
            import cupy as library  # type: ignore[import-not-found,no-redef]
        device = getattr(getattr(array, "device", None), "id", None)
        if device is None:
            device = library.cuda.runtime.pointerGetAttributes(interface["data"][0]).device
        stream = library.cuda.get_current_stream().ptr

        def empty(shape: tuple, dtype: str) -> Any:
            with library.cuda.Device(device):
                return library.empty(shape, dtype)

    return Memory(interface["data"][0], name, shape, tuple(strides), int(device), stream, array, empty, _same)


# DLPack (dlpack.h, version 0.8): what a capsule "dltensor" points to.
class _DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


_CODES = {0: "int", 1: "uint", 2: "float", 5: "complex", 6: "bool"}
_ON_HOST, _ON_CUDA = (1, 3), (2, 13)  # kDLCPU, kDLCUDAHost; kDLCUDA, kDLCUDAManaged
_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def _dlpack(array: Any) -> Memory:
    """Anything else with __dlpack__: JAX and others. The capsule, which is not consumed, keeps the memory."""
    kind, device = array.__dlpack_device__()
    if kind not in _ON_HOST and kind not in _ON_CUDA:
        raise ValueError(f"an array on a device of DLPack's kind {int(kind)} cannot be read: those of the CPU and CUDA can")
    on_host = kind in _ON_HOST
    capsule = array.__dlpack__() if on_host else array.__dlpack__(stream=1)  # ordered before CUDA's default stream
    tensor = _DLTensor.from_address(_pointer_of(capsule, b"dltensor"))
    name = f"{_CODES.get(tensor.code, '?')}{tensor.bits}"
    name = "uint8" if name == "bool8" else name
    if name not in _SIZES or tensor.lanes != 1:
        raise ValueError(f"an array of DLPack's type {tensor.code}, {tensor.bits} bits, has no numbers to interpolate")
    item = _SIZES[name]
    shape = tuple(tensor.shape[: tensor.ndim])
    strides = tuple(s * item for s in tensor.strides[: tensor.ndim]) if tensor.strides else _packed_strides(shape, item)
    pointer = (tensor.data or 0) + tensor.byte_offset
    library = array.__array_namespace__() if hasattr(array, "__array_namespace__") else sys.modules[
        type(array).__module__.split(".")[0]]
    convert = getattr(library, "from_dlpack", None) or getattr(getattr(library, "dlpack", None), "from_dlpack", None)
    if on_host:
        return Memory(pointer, name, shape, strides, lib.HOST, None, (array, capsule), np.empty, convert or _same)
    import cupy  # type: ignore[import-not-found]

    return Memory(pointer, name, shape, strides, int(device), 0, (array, capsule), cupy.empty, convert or _same)


def memory_of(array: Any) -> Memory:
    """Any array as memory, without a copy where its type allows. Raises ValueError for what holds no numbers."""
    if type(array) is np.ndarray:
        return _numpy(array)
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(array, torch.Tensor):  # and what other libraries derive from it
        return _torch(array if type(array) is torch.Tensor else array.as_subclass(torch.Tensor))
    if isinstance(array, np.ma.MaskedArray):
        raise ValueError("a masked array cannot be read: fill it first")
    if isinstance(array, np.ndarray):
        return _numpy(np.asarray(array))
    if hasattr(array, "__cuda_array_interface__"):
        return _cuda_interface(array)
    if hasattr(array, "__dlpack__") and hasattr(array, "__dlpack_device__"):
        return _dlpack(array)
    if isinstance(array, (str, bytes)) or array is None:
        raise ValueError(f"{array!r} is no array: give a NumPy, PyTorch or CuPy array, or what has __dlpack__")
    return _numpy(np.asarray(array))


def type_of(array: Any) -> Optional[str]:
    """The name of an array's type in NumPy; None for no array, and for what is converted to be read."""
    if type(array) is np.ndarray:
        return _NAMES.get(array.dtype)
    name = str(getattr(array, "dtype", None)).rpartition(".")[2]
    return name if name in _SIZES else None


def stacked(arrays: "Sequence[Any]") -> Any:
    """Arrays of a GPU, of one size and type, as one with a first axis more: where they lie evenly apart in one piece of memory,
    as parts of a batch do, without a copy."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(arrays[0], torch.Tensor):
        import cupy  # type: ignore[import-not-found]

        return cupy.stack([cupy.asarray(array) for array in arrays])
    first = arrays[0]
    starts = [array.storage_offset() for array in arrays]
    step = starts[1] - starts[0]
    whole = first.storage().data_ptr()
    if step > 0 and all(b - a == step for a, b in zip(starts, starts[1:])) and all(a.storage().data_ptr() == whole for a in arrays):
        return first.as_strided((len(arrays), *first.shape), (step, *first.stride()))
    return torch.stack(list(arrays))


def is_sequence_of_arrays(value: Any) -> bool:
    """A list or tuple of arrays: a batch of any sizes."""
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(hasattr(v, "shape") for v in value)
