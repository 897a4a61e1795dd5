"""The open window of texelscope: arrays shown in it, panes, figures of it. docs/pushing.md describes what is sent."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
import weakref
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence

import numpy as np

from ._errors import Error, Unavailable
from ._layout import axes_of
from ._pictures import on_host
from ._program import program

_TYPES = {np.dtype(f"<{kind}{size}"): f"{kind}{8 * size}"
          for kind, sizes in {"u": (1, 2, 4, 8), "i": (1, 2, 4, 8), "f": (2, 4, 8)}.items() for size in sizes}


def _socket_path() -> Optional[Path]:
    folder = os.environ.get("XDG_RUNTIME_DIR")
    return Path(folder) / "texelscope" / "socket" if folder else None


def _picture(array: Any, channels: Optional[str]) -> "tuple[np.ndarray, bool]":
    """As the window takes it: (H, W) or (H, W, C), or (W,) and True for a signal."""
    picture = on_host(array)
    axes = axes_of(picture.shape, channels)
    if axes.batch:
        raise ValueError(f"the window shows one picture at a time, not an array of shape {picture.shape}: show each by its name")
    if axes.channels == "first":
        picture = np.moveaxis(picture, 0, -1)
    if np.iscomplexobj(picture):
        if picture.ndim > 2:
            raise ValueError("complex numbers with channels cannot be shown: choose one channel")
        picture = np.stack([picture.real, picture.imag], -1)
    if picture.ndim == 3 and picture.shape[-1] > 4:
        raise ValueError(f"the window shows 1 to 4 channels, not {picture.shape[-1]}")
    if picture.dtype == bool:
        picture = picture.view(np.uint8) * np.uint8(255)
    picture = np.ascontiguousarray(picture, None if picture.dtype in _TYPES else "<f4")
    return picture, axes.signal


class _Held:
    """What ends with a Window object, or with Python: a connection and files. The window itself stays open."""

    def __init__(self) -> None:
        self.connection: List[Any] = []
        self.folder: Optional[str] = None
        self.process: Optional["subprocess.Popen[bytes]"] = None

    def hang_up(self) -> None:
        for each in self.connection:
            each.close()
        self.connection = []

    def end(self) -> None:
        self.hang_up()
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder = None

    def leave(self) -> None:
        self.end()
        if self.process is not None and self.process.returncode is None:
            assert self.process.stderr is not None
            self.process.stderr.close()
            self.process.returncode = 0  # nobody waits for it any more


class Window:
    """The window that was opened last; made by ts.window()."""

    def __init__(self) -> None:
        self._held = _Held()
        self._connect()
        weakref.finalize(self, self._held.leave)
        self._shown: Dict[str, np.ndarray] = {}
        self._session: Dict[str, Any] = {"texelscope": 1, "panes": [{"spec": "nearest"}]}

    @property
    def process(self) -> Optional["subprocess.Popen[bytes]"]:
        """Of the window, if it was opened for this."""
        return self._held.process

    def show(self, name: str, array: Any, *, alpha: str = "none", channels: Optional[str] = None) -> None:
        """Shows an array, or replaces the one of this name: view and panes stay. uint8 and uint16 mean value / maximum.

        array: (H, W), (H, W, C), (C, H, W), or (W,), a signal. name: up to 100 bytes. Raises ts.Error with the window's sentence.
        """
        picture, signal = _picture(array, channels)
        height, width = (1, picture.shape[0]) if signal else picture.shape[:2]
        count = picture.shape[2] if picture.ndim > 2 else 1
        header = {"texelscope": 1, "do": "show", "name": name, "height": height, "width": width, "channels": count,
                  "type": _TYPES[picture.dtype], "alpha": alpha, "signal": signal}
        self._send(header, picture.reshape(-1).view(np.uint8))
        self._shown[name] = picture
        if len(self._shown) == 1:
            self._session["images"] = [self._image(name)]

    def panes(self, names: Sequence[str], *, methods: Any = "nearest", difference: Optional[str] = None, gain: float = 1.0,
              reference: Optional[str] = None, scale: Optional[float] = None) -> None:
        """One pane for each name, side by side.

        methods: of all panes, or one each. difference: "signed", "absolute", "squared" or "relative": all panes but the reference's show
        their difference to it, `gain` times as strong. reference: one of the names, by default the first. scale: samples per pixel.
        """
        names = [names] if isinstance(names, str) else list(names)
        if not names:
            raise ValueError("there are no panes without names")
        if missing := [n for n in names if n not in self._shown]:
            raise ValueError(f"{missing[0]!r} was not shown: show it first")
        specs = [methods] * len(names) if isinstance(methods, str) else list(methods)
        if len(specs) != len(names):
            raise ValueError(f"there are {len(names)} panes and {len(specs)} methods: give one for all, or one each")
        against = reference or names[0]
        if against not in names:
            raise ValueError(f"the reference {against!r} is in no pane: choose one of {', '.join(names)}")
        panes: List[Dict[str, Any]] = []
        for name, spec in zip(names, specs):
            pane: Dict[str, Any] = {"spec": spec, "image": f"@pushed:{name}"}
            if difference and name != against:
                pane.update(difference=True, against=names.index(against))
            panes.append(pane)
        self._session = {"texelscope": 1, "images": [self._image(name, scale) for name in dict.fromkeys(names)], "panes": panes,
                         "arrangement": "columns" if len(panes) > 1 else "single"}
        if difference:
            self._session["difference"] = {"kind": difference, "gain": gain}
        self._open(self._session)

    def close(self, name: str) -> None:
        """Closes the image of this name. Raises ts.Error if none is open."""
        self._send({"texelscope": 1, "do": "close", "name": name})
        self._shown.pop(name, None)

    def screenshot(self, path: Any, *, size: "tuple[int, int]" = (1280, 800)) -> None:
        """Writes a picture (PNG) of the window with what this object has shown last, in its panes.

        It is made by a second program without a window on the screen, so that the open one need not be visible; what its user has
        changed there is not in it. size: (columns, rows).
        """
        with tempfile.TemporaryDirectory(prefix="texelscope-") as folder:
            session = json.dumps(self._session)
            for name, picture in self._shown.items():
                file = Path(folder) / f"{re.sub('[^A-Za-z0-9 _.-]', '_', name)}.npy"
                while file.exists():
                    file = file.with_name(f"_{file.name}")
                np.save(file, picture)
                session = session.replace(json.dumps(f"@pushed:{name}"), json.dumps(str(file)))
            session_file = Path(folder) / "session.json"
            session_file.write_text(session)
            done = subprocess.run([program(), str(session_file), "--window", f"{size[0]}x{size[1]}", "--screenshot", os.fspath(path)],
                                  capture_output=True, text=True)
        if done.returncode:
            raise Error(done.stderr.strip().removeprefix("texelscope: "))

    def _image(self, name: str, scale: Optional[float] = None) -> Dict[str, Any]:
        image: Dict[str, Any] = {"source": f"@pushed:{name}"}
        if scale is not None:
            image.update(view={"scale": scale}, keep_fit=False)
        return image

    def _open(self, session: Dict[str, Any]) -> None:
        if self._held.folder is None:
            self._held.folder = tempfile.mkdtemp(prefix="texelscope-")
        file = Path(self._held.folder) / f"panes{time.monotonic_ns()}.json"
        file.write_text(json.dumps(session))
        self._send({"texelscope": 1, "do": "open", "files": [str(file)]})

    def _connect(self) -> None:
        path = _socket_path()
        if path is None:
            raise Unavailable("windows listen in XDG_RUNTIME_DIR, which is not set")
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            self._socket.close()
            raise Unavailable(f"no window of texelscope is open ({error})") from None
        self._answers = self._socket.makefile("rb")
        self._held.connection = [self._answers, self._socket]

    def _hang_up(self) -> None:
        self._held.hang_up()

    def _send(self, header: Dict[str, Any], samples: Optional[np.ndarray] = None) -> None:
        if self._answers.closed:
            self._connect()
        try:
            self._socket.sendall(json.dumps(header).encode() + b"\n")
            if samples is not None:
                self._socket.sendall(samples.data)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the window has refused it, and its answer says why
        try:
            line = self._answers.readline()
        except ConnectionResetError:
            line = b""
        answer = json.loads(line or b'{"error": "the window was closed"}')
        if "error" in answer:  # after which the window hangs up
            self._hang_up()
            raise Error(answer["error"])

    def disconnect(self) -> None:
        """Ends the connection; the window stays open."""
        self._held.end()

    def __enter__(self) -> "Window":
        return self

    def __exit__(self, *_: Any) -> None:
        self.disconnect()


def window(*, wait: float = 20.0) -> Window:
    """The window of texelscope that was opened last; opens one if there is none.

    wait: seconds for a new one to open. Raises ts.Unavailable without the program, a screen or XDG_RUNTIME_DIR.
    """
    try:
        return Window()
    except Unavailable:
        if _socket_path() is None:
            raise
    started = subprocess.Popen([program()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               start_new_session=True)
    end = time.monotonic() + wait
    while time.monotonic() < end:
        try:
            opened = Window()
            opened._held.process = started
            return opened
        except Unavailable:
            if started.poll() is not None:
                assert started.stderr is not None
                raise Unavailable(started.stderr.read().decode(errors="replace").strip() or "the window was closed") from None
            time.sleep(0.05)
    raise Unavailable(f"no window has opened within {wait:g} s")
