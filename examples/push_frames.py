#!/usr/bin/env python3
"""Sends frames of a small wave simulation to the open window of texelscope. Needs NumPy only.

    push_frames.py [FRAMES]    default: 300 frames, under the name "waves"

Copy the class Window into a program of your own; docs/pushing.md describes what it sends.
"""

import json
import os
import socket
import sys
import time

import numpy as np

TYPES = {np.dtype(f"<{kind}{size}"): f"{kind}{8 * size}"
         for kind, sizes in {"u": (1, 2, 4, 8), "i": (1, 2, 4, 8), "f": (2, 4, 8)}.items() for size in sizes}


class Window:
    """The window of texelscope that was opened last."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(os.path.join(os.environ["XDG_RUNTIME_DIR"], "texelscope", "socket"))
        self.answers = self.socket.makefile("rb")

    def show(self, name, array, alpha="none", shared=False):
        """Shows an array of height × width (× channels), or a signal of one axis, or replaces the one of this name.

        uint8 and uint16 mean value / maximum, all other types are numbers. shared: through shared memory instead of the
        socket; for large frames this is slower, since each is copied into new memory (docs/pushing.md).
        """
        if array.ndim not in (1, 2, 3):
            raise ValueError(f"an image has the axes height, width and perhaps channels, a signal has one: {array.ndim} "
                             "are too many" if array.ndim else "a single number is no image")
        array = np.ascontiguousarray(array, None if array.dtype in TYPES else "<f4")
        signal = array.ndim == 1
        height, width = (1, array.shape[0]) if signal else array.shape[:2]
        header = {"texelscope": 1, "do": "show", "name": name, "height": height, "width": width, "signal": signal,
                  "channels": array.shape[2] if array.ndim > 2 else 1, "type": TYPES[array.dtype], "alpha": alpha}
        try:
            if shared:
                self._send_shared({**header, "memory": True}, array)
            else:
                self.socket.sendall(json.dumps(header).encode() + b"\n")
                self.socket.sendall(array.reshape(-1).view("u1"))
        except (BrokenPipeError, ConnectionResetError):
            pass  # the window has refused it, and its answer says why
        self._check_answer()

    def close(self, name):
        """Closes the image of this name."""
        try:
            self.socket.sendall(json.dumps({"texelscope": 1, "do": "close", "name": name}).encode() + b"\n")
        except (BrokenPipeError, ConnectionResetError):
            pass  # as in show()
        self._check_answer()

    def _send_shared(self, header, array):
        memory = os.memfd_create("frame")
        try:
            os.ftruncate(memory, array.nbytes)
            os.pwrite(memory, array.reshape(-1).view("u1"), 0)
            socket.send_fds(self.socket, [json.dumps(header).encode() + b"\n"], [memory])
        finally:
            os.close(memory)

    def _check_answer(self):
        closed = b'{"error": "the window was closed, or has refused something before: make another Window"}'
        answer = json.loads(self.answers.readline() or closed)
        if "error" in answer:
            raise RuntimeError(answer["error"])


def waves(frames, size=256):
    """Drops on water: the wave equation with reflecting edges, one frame for every two steps."""
    now, before = np.zeros((size, size), np.float32), np.zeros((size, size), np.float32)
    grid, random = np.arange(size), np.random.default_rng(1)
    for frame in range(frames):
        if frame % 40 == 0:
            y, x = random.uniform(0.1, 0.9, (2, 1)) * size
            drop = np.exp(-((grid[:, None] - y) ** 2 + (grid - x) ** 2) / 50).astype(np.float32)
            now, before = now + drop, before + drop
        for _ in range(2):
            edges = np.pad(now, 1, "edge")
            around = edges[:-2, 1:-1] + edges[2:, 1:-1] + edges[1:-1, :-2] + edges[1:-1, 2:]
            now, before = 0.995 * (2 * now - before + 0.25 * (around - 4 * now)), now
        yield 0.4 + now


if __name__ == "__main__":
    window = Window()
    for heights in waves(int(sys.argv[1]) if len(sys.argv) > 1 else 300):
        window.show("waves", heights)
        time.sleep(0.02)
