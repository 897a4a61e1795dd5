"""Images that are not in memory: read by a function, rendered row after row."""

from __future__ import annotations

import ctypes
import weakref
from typing import Any, Callable, Optional, Tuple, Union

import numpy as np

from . import _library as lib
from ._arrays import _TYPES
from ._backends import Backend, backend_for, named_backend
from ._compute import Progress, chosen, new_request, pair, resolved, run, sizes
from ._images import _ALIGNMENTS
from ._layout import Axes
from ._methods import MethodLike

Read = Callable[[int, int, int, int], Any]
Take = Callable[[np.ndarray, int], Any]


class TiledImage(lib.Handle):
    """An image of any size that a function reads by regions; rendered in bounded memory.

    read: ``read(row, column, rows, columns)`` returns an array (rows, columns) or (rows, columns, C); it is called from several threads.
    A numpy.memmap, zarr or h5py array is one by ``lambda y, x, h, w: array[y:y+h, x:x+w]``.
    shape: (H, W) or (H, W, C) with C from 1 to 4. dtype: name of the type in NumPy. tile: side of the squares that are read most cheaply.
    memory: bytes that all of it may take, at least 32 MiB.
    """

    def __init__(self, read: Read, shape: Tuple[int, ...], dtype: Any = "uint8", *, tile: int = 512, memory: int = 0,
                 backend: Union[None, str, Backend] = None) -> None:
        name = np.dtype(dtype).name
        if name not in _TYPES or len(shape) not in (2, 3):
            raise ValueError(f"a tiled image is (H, W) or (H, W, C) of numbers that are not complex, not {shape} of {name}")
        self.shape, self.dtype = tuple(int(n) for n in shape), name
        self._channels = self.shape[2] if len(self.shape) == 3 else 1
        self._read = read
        self.backend = backend if isinstance(backend, Backend) else named_backend(backend) if backend else backend_for(lib.HOST, None)
        self._error: Optional[BaseException] = None
        own = weakref.ref(self)

        def called(_context: Any, x: int, y: int, width: int, height: int, to: int, row_bytes: int) -> int:
            image = own()
            return image._fill(x, y, width, height, to, row_bytes) if image else 1

        self._callback = lib.READ(called)
        source = lib.TileSource(self.shape[1], self.shape[0], self._channels, _TYPES[name], 0, tile, self._callback,
                                lib.RELEASE(0), None, memory)
        self._handle = lib.made(lib.library.ts_tiled_create, self.backend.handle, ctypes.byref(source))
        self._own(self._handle, lib.library.ts_tiled_free)

    def _fill(self, x: int, y: int, width: int, height: int, to: int, row_bytes: int) -> int:
        try:
            region = np.asarray(self._read(y, x, height, width), self.dtype).reshape(height, width * self._channels)
            memory: Any = (ctypes.c_ubyte * (row_bytes * (height - 1) + region.shape[1] * region.itemsize)).from_address(to)
            rows: Any = np.ndarray(region.shape, self.dtype, memory, strides=(row_bytes, region.itemsize))
            rows[...] = region
            return 0
        except BaseException as error:  # raised again by render()
            self._error = error
            lib.library.ts_set_error(str(error).encode() or b"the samples of a tile could not be read")
            return 1

    def resize(self, shape: Tuple[int, int], method: MethodLike = "catmull-rom", *, antialias: bool = True, align: str = "centers",
               address: Any = None, border: Any = None, values: str = "numbers", take: Optional[Take] = None,
               progress: Progress = None) -> Optional[np.ndarray]:
        """The whole image at another size, float32; or, with take(rows, first_row), handed over from the top as it is made.

        values: "numbers" as stored (of uint8 0 … 255), "unit" 0 … 1.
        """
        request = new_request(resolved(method, address, border))
        request.mapping = chosen(align, _ALIGNMENTS, "alignment")
        request.antialias = bool(antialias)
        return self._rendered(request, shape, values, take, progress)

    def render(self, shape: Tuple[int, int], method: MethodLike = "catmull-rom", *, scale: float = 1.0, rotate: float = 0.0,
               translate: Tuple[float, float] = (0.0, 0.0), antialias: bool = True, outside: Any = "extend", address: Any = None,
               border: Any = None, values: str = "numbers", take: Optional[Take] = None,
               progress: Progress = None) -> Optional[np.ndarray]:
        """The part that a view shows, as ts.Image.render: float32, or handed over by take(rows, first_row)."""
        request = new_request(resolved(method, address, border), outside)
        request.mapping, request.antialias, request.pyramid = lib.VIEW, bool(antialias), 1
        request.scale, request.rotate, (request.translate_x, request.translate_y) = scale, rotate, pair(translate, "translate")
        return self._rendered(request, shape, values, take, progress)

    def _rendered(self, request: lib.Request, shape: Tuple[int, int], values: str, take: Optional[Take],
                  progress: Progress) -> Optional[np.ndarray]:
        height, width = sizes(shape, None, Axes(0, None), 1, 1)
        unit = {"uint8": 255.0, "uint16": 65535.0}.get(self.dtype, 1.0) if chosen(values, {"numbers": 0, "unit": 1}, "values") == 0 else 1.0
        whole = None if take else np.empty((height, width, *self.shape[2:]), np.float32)
        self._error = None

        def taken(_context: Any, rows: Any, first: int) -> int:
            try:
                of = rows.contents
                count = int(of.height)
                memory: Any = (ctypes.c_float * (count * width * self._channels)).from_address(of.data)
                band = np.frombuffer(memory, np.float32).reshape(count, width, *self.shape[2:]) * np.float32(unit)
                if whole is None:
                    assert take is not None
                    take(band, first)
                else:
                    whole[first: first + count] = band
                return 0
            except BaseException as error:
                self._error = error
                return 1

        try:
            run(lib.library.ts_tiled_render, request, 1 << 30, progress, "render", self._handle, ctypes.byref(request), width, height,
                lib.ROWS(taken), None)
        except (lib.Cancelled, ValueError):
            if self._error is not None:
                raise self._error from None
            raise
        return whole
