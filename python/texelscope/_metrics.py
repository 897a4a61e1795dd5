"""How far two arrays are apart."""

from __future__ import annotations

from ctypes import byref
from typing import Any, NamedTuple, Optional, Tuple

from . import _library as lib
from ._compute import backend_of, check
from ._layout import layout


class Metrics(NamedTuple):
    """Figures over all values of two pictures; rmse and max_abs as the numbers are stored, psnr and ssim (dB) by the peak.

    worst: (row, column) of max_abs. left_out: pixels that are not finite on either side.
    """

    rmse: float
    max_abs: float
    psnr: float
    ssim: float
    pixels: int
    left_out: int
    worst: Tuple[int, int]


def measure(values: Any, reference: Any, *, peak: float = 0.0, channels: Optional[str] = None) -> Metrics:
    """RMSE, largest error, PSNR and SSIM (Wang et al. 2004) of an array against another of the same shape, up to 4 channels.

    peak: of PSNR and SSIM; by default 255 of uint8, 65535 of uint16, else 1.
    """
    first, second = layout(values, channels), layout(reference, channels)
    if first.images > 1 or second.images > 1:
        raise ValueError(f"two pictures are measured, not batches of shape {first.memory.shape} and {second.memory.shape}: choose one "
                         "of each")
    backend = backend_of(first.memory, None)
    found = lib.Metrics()
    check(lib.library.ts_compare(backend.handle, byref(first.struct()), byref(second.struct()), float(peak), byref(found)))
    return Metrics(found.rmse, found.max_abs, found.psnr, found.ssim, found.pixels, found.left_out, (found.worst_y, found.worst_x))
