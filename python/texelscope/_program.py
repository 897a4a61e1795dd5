"""The program `texelscope`, for what the library alone does not do: identify, restore, the window."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, List

import numpy as np

from ._errors import Error, Unavailable
from ._library import library_path
from ._pictures import on_host


def program() -> str:
    """Where it is: $TEXELSCOPE_PROGRAM, beside the library of a build tree, or on PATH. Raises ts.Unavailable."""
    if named := os.environ.get("TEXELSCOPE_PROGRAM"):
        return named
    beside = library_path.parent.parent / "texelscope"
    if library_path.parent.name == "gpu" and beside.is_file():
        return str(beside)
    if found := shutil.which("texelscope"):
        return found
    raise Unavailable("the program texelscope was not found: install it, put it on PATH, or set TEXELSCOPE_PROGRAM")


def run_json(*arguments: str) -> Any:
    """What the program prints as JSON. Raises ts.Error with its sentence, ValueError for wrong usage."""
    done = subprocess.run([program(), *arguments], capture_output=True, text=True)
    if done.returncode == 0:
        return json.loads(done.stdout)
    sentence = done.stderr.strip().removeprefix("texelscope: ").splitlines()
    raise (ValueError if done.returncode == 2 else Error)(sentence[-1] if sentence else "texelscope failed")


class Files:
    """Arrays as files that the program reads, as long as the `with` lasts."""

    def __enter__(self) -> "Files":
        self._folder = tempfile.TemporaryDirectory(prefix="texelscope-")
        self._count = 0
        return self

    def __exit__(self, *_: Any) -> None:
        self._folder.cleanup()

    def name_of(self, picture: Any) -> str:
        """A file's own name; of an array, the name of one that holds it."""
        if isinstance(picture, (str, os.PathLike)):
            if not os.path.exists(picture):
                raise FileNotFoundError(f"{os.fspath(picture)}: no such file")
            return os.fspath(picture)
        array = on_host(picture)
        if array.dtype == bool:
            array = array.view(np.uint8)
        self._count += 1
        path = Path(self._folder.name) / f"array{self._count}.npy"
        np.save(path, np.ascontiguousarray(array))
        return str(path)


PICTURES = {".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".ppm", ".pgm", ".npy", ".exr", ".bmp", ".jxl", ".avif", ".heic"}


def pictures_of(what: Any) -> List[Any]:
    """The pictures of a folder, by name; or a file or array, or several."""
    if isinstance(what, (str, os.PathLike)) and Path(what).is_dir():
        found = sorted(path for path in Path(what).iterdir() if path.suffix.lower() in PICTURES)
        if not found:
            raise ValueError(f"there are no pictures in {os.fspath(what)}")
        return list(found)
    return list(what) if isinstance(what, (list, tuple)) else [what]
