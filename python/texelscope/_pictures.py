"""Arrays as pictures of a notebook: 8-bit PNG."""

from __future__ import annotations

import base64
import struct
import zlib
from typing import Any, Optional

import numpy as np

from ._layout import axes_of


def on_host(array: Any) -> np.ndarray:
    """A NumPy array of the same numbers."""
    if hasattr(array, "detach"):
        return array.detach().cpu().numpy()
    return array.get() if hasattr(array, "get") and not isinstance(array, np.ndarray) else np.asarray(array)


def levels_of(array: Any, channels: Optional[str] = None, peak: Optional[float] = None) -> np.ndarray:
    """A picture of 1, 3 or 4 channels as uint8, (H, W) or (H, W, C), for the screen; complex numbers as magnitudes."""
    picture = on_host(array)
    axes = axes_of(picture.shape, channels)
    while axes.batch:
        picture, axes = picture[0], axes._replace(batch=axes.batch - 1)
    if axes.signal:
        picture = picture[None]
    if axes.channels == "first":
        picture = np.moveaxis(picture, 0, -1)
    if np.iscomplexobj(picture):
        picture = np.abs(picture)
    if picture.ndim == 3 and picture.shape[-1] not in (3, 4):
        picture = picture[..., 0]
    if picture.dtype != np.uint8:
        top = peak or (65535.0 if picture.dtype == np.uint16 else 1.0 if picture.dtype.kind == "f" else float(picture.max() or 1))
        picture = np.clip(np.nan_to_num(picture.astype(np.float32)) * (255.0 / top) + 0.5, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(picture)


def png_of(levels: np.ndarray) -> bytes:
    """A PNG file of uint8 levels, shape (H, W), (H, W, 3) or (H, W, 4)."""
    height, width = levels.shape[:2]
    kind = {2: 0, 3: {3: 2, 4: 6}.get(levels.shape[-1], 0)}[levels.ndim]
    rows = levels.reshape(height, -1)
    filtered = np.concatenate([np.zeros((height, 1), np.uint8), rows], axis=1).tobytes()

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(filtered, 6)) + chunk(b"IEND", b"")


def html_of(array: Any, channels: Optional[str] = None, height: int = 96) -> str:
    """An <img> with the picture inside, each sample shown as a square."""
    data = base64.b64encode(png_of(levels_of(array, channels))).decode()
    return f'<img src="data:image/png;base64,{data}" style="height:{height}px;image-rendering:pixelated" alt="">'
