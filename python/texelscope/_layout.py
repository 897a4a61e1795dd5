"""Which axes of an array are rows, columns, channels and a batch."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, Optional

import numpy as np

from . import _library as lib
from ._arrays import Memory, memory_of

_FEW = 4  # channels that an axis may be taken for without being asked


class Axes(NamedTuple):
    """Number of axes before the picture (a batch), and where channels are: None, "first" or "last"."""

    batch: int
    channels: Optional[str]
    signal: bool = False

    @property
    def row(self) -> int:
        """The axis of rows; of a signal, that of its samples."""
        return self.batch + (self.channels == "first")

    @property
    def channel(self) -> int:
        return self.batch if self.channels == "first" else self.batch + (1 if self.signal else 2)


def _readings(shape: tuple) -> str:
    if len(shape) == 3:
        a, b, c = shape
        return (f"an array of shape {shape} can be read as {a}×{b} pixels of {c} channels (channels='last') or as {c} columns "
                f"and {b} rows of {a} channels (channels='first'), or as {a} images without channels (channels='none'): say which")
    n, a, b, c = shape
    return (f"an array of shape {shape} can be read as {n} images of {a}×{b} pixels of {c} channels (channels='last') or of "
            f"{b}×{c} pixels of {a} channels (channels='first'), or as {n * a} images without channels (channels='none'): say which")


@lru_cache(maxsize=1024)
def axes_of(shape: tuple, channels: Optional[str]) -> Axes:
    """How a shape is read. Raises ValueError, with both readings, for one that could mean two things."""
    n = len(shape)
    if 0 in shape or n == 0:
        raise ValueError(f"an array of shape {shape} has no samples")
    if channels is not None:
        if channels not in ("first", "last", "none"):
            raise ValueError(f"unknown channels {channels!r}: choose 'first', 'last' or 'none', or leave it out")
        least = 2 if channels == "none" else 3
        if n < least:
            raise ValueError(f"channels={channels!r} needs at least {least} axes: this array has the shape {shape}")
        return Axes(n - least, None if channels == "none" else channels)
    if n == 1:
        return Axes(0, None, signal=True)
    if n == 2:
        return Axes(0, None)
    if n > 4:
        raise ValueError(f"an array of {n} axes needs channels='first', 'last' or 'none': the axes before the picture are a batch")
    last, first = shape[-1] <= _FEW, shape[-3] <= _FEW
    if last == first:
        raise ValueError(_readings(shape))
    return Axes(n - 3, "last" if last else "first")


_PLAIN = Axes(0, None)


class Layout(NamedTuple):
    """A Memory as images: sizes, and strides in bytes of an image, a row, a column and a channel."""

    memory: Memory
    axes: Axes
    images: int
    height: int
    width: int
    channels: int
    strides: tuple
    type: int

    def struct(self) -> lib.Array:
        memory = self.memory
        return lib.Array(lib.SIZE_OF_ARRAY, memory.pointer, self.type, memory.device, self.images, self.height, self.width, self.channels,
                         *self.strides)

    def numbers(self, pixels: int) -> int:
        """That a call reads and writes, which then waits for them; 0 on a GPU, where it does not."""
        return self.images * self.channels * (pixels + self.height * self.width) if self.memory.device == lib.HOST else 0

    def shape_with(self, height: int, width: int) -> tuple:
        """The array's shape with another size of its pictures."""
        axes = self.axes
        if axes == _PLAIN:
            return height, width
        shape = list(self.memory.shape)
        if axes.signal:
            shape[axes.row] = width
        else:
            shape[axes.row: axes.row + 2] = [height, width]
        return tuple(shape)


def _merged(sides: tuple, strides: tuple) -> "Optional[tuple[int, int]]":
    """Several axes as one: its length and stride; None if no stride leads through them."""
    count, stride = 1, 0
    for side, step in zip(reversed(sides), reversed(strides)):
        if side == 1:
            continue
        if count == 1:
            count, stride = side, step
        elif step == count * stride:
            count *= side
        else:
            return None
    return count, stride


def layout_of(memory: Memory, axes: Axes, bits: bool = False) -> Optional[Layout]:
    """The images of an array; None if its batch cannot be walked through with one stride (then a packed copy can).

    bits: every number as channels of 16 bits, for what only moves numbers, which then arrive as they were.
    """
    shape, strides, item = memory.shape, memory.strides, memory.item
    batch = axes.batch
    if axes.signal:
        height, width, stride_y, stride_x = 1, shape[batch], 0, strides[batch]
    else:
        row = axes.row
        height, width, stride_y, stride_x = shape[row], shape[row + 1], strides[row], strides[row + 1]
    channels, stride_channel = 1, item
    if axes.channels:
        channels, stride_channel = shape[axes.channel], strides[axes.channel]
    count, stride_count = 1, 0
    if batch:
        whole = _merged(shape[:batch], strides[:batch])
        if whole is None:
            return None
        count, stride_count = whole
    pieces = item // 2 if bits else 2 if memory.is_complex else 1  # of a number, as channels
    if pieces > 1:
        piece = item // pieces
        if axes.channels != "first":  # those of all channels side by side
            if channels > 1 and stride_channel != item:
                return None
            channels, stride_channel = pieces * channels, piece
        elif count == 1 or channels == 1 or stride_count == channels * stride_channel:  # planes are a batch
            stride_count = stride_channel if channels > 1 else stride_count
            count, channels, stride_channel = count * channels, pieces, piece
        else:
            return None
    if stride_channel == 0 and stride_x == 0 and stride_y == 0 and stride_count == 0:  # all zero would mean packed
        if count * height * width * channels > 1:
            return None
        stride_count = item
    return Layout(memory, axes, count, height, width, channels, (stride_count, stride_y, stride_x, stride_channel),
                  lib.U16 if bits else memory.type)


def packed_copy(memory: Memory) -> Memory:
    """A packed array of the same values; what is made of it is of the same library."""
    array = memory.owner
    for name in ("contiguous", "copy"):  # torch; NumPy, CuPy
        if hasattr(array, name):
            packed = memory_of(getattr(array, name)())
            break
    else:
        if memory.device != lib.HOST:
            raise ValueError("the strides of this array cannot be followed: give a packed one")
        packed = memory_of(np.array(memory, order="C"))
    return packed._replace(empty=memory.empty, finish=memory.finish)


def layout(array: object, channels: Optional[str], bits: bool = False) -> Layout:
    """Any array as images. Raises ValueError."""
    memory = memory_of(array)
    axes = axes_of(memory.shape, channels)
    found = layout_of(memory, axes, bits)
    if found is None:
        memory = packed_copy(memory)
        found = layout_of(memory, axes, bits)
        assert found is not None
    return found
