"""What can go wrong, beside ValueError, MemoryError and OSError."""

from __future__ import annotations


class Error(RuntimeError):
    """Base of texelscope's own exceptions; each is one sentence."""


class DeviceLost(Error):
    """The GPU has stopped. Arrays in its memory are lost; the next call makes a fresh backend."""


class Cancelled(Error):
    """A progress callback asked for it. Ctrl+C raises KeyboardInterrupt instead."""


class Unavailable(Error):
    """There is no such backend, device, program or feature on this machine."""
