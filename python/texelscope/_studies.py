"""Questions about methods and pictures: tables of figures, and whose resizer made a picture."""

from __future__ import annotations

import html
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence

import numpy as np

from ._compute import resolved
from ._images import Image, float_name
from ._methods import Method
from ._metrics import measure
from ._pictures import html_of, on_host
from ._program import Files, pictures_of, run_json


class Table:
    """Rows of figures: iterate over dicts, index by number, ``to_dataframe()``; a notebook shows it with its pictures."""

    def __init__(self, title: str, rows: List[Dict[str, Any]], pictures: Optional[List[Any]] = None,
                 channels: Optional[str] = None) -> None:
        self.title = title
        self.rows = rows
        self.pictures = pictures or []
        self._channels = channels

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return iter(self.rows)

    def __getitem__(self, index: Any) -> Any:
        return [row[index] for row in self.rows] if isinstance(index, str) else self.rows[index]

    @property
    def columns(self) -> List[str]:
        return list(self.rows[0]) if self.rows else []

    def to_dataframe(self) -> Any:
        """The rows as a pandas.DataFrame."""
        import pandas  # type: ignore[import-not-found,import-untyped]

        return pandas.DataFrame(self.rows)

    def __repr__(self) -> str:
        cells = [self.columns, *[[_word(row[c]) for c in self.columns] for row in self.rows]]
        widths = [max(len(line[k]) for line in cells) for k in range(len(self.columns))]
        lines = ["  ".join(cell.ljust(w) for cell, w in zip(line, widths)).rstrip() for line in cells]
        return "\n".join([self.title, *lines])

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(c)}</th>" for c in self.columns)
        body = []
        for k, row in enumerate(self.rows):
            cells = "".join(f"<td>{html.escape(_word(row[c]))}</td>" for c in self.columns)
            if self.pictures:
                cells = f"<td>{html_of(self.pictures[k], self._channels)}</td>{cells}"
            body.append(f"<tr>{cells}</tr>")
        first = "<th></th>" if self.pictures else ""
        return f"<table><caption>{html.escape(self.title)}</caption><tr>{first}{head}</tr>{''.join(body)}</table>"


def _word(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return "" if value is None else str(value)


def compare(array: Any, methods: Sequence[Any] = ("nearest", "bilinear", "catmull-rom", "bspline"), *, zoom: float = 4.0,
            rotate: float = 0.0, translate: Any = (0.0, 0.0), reference: Any = "quintic", address: Any = None,
            peak: Optional[float] = None, channels: Optional[str] = None) -> Table:
    """The array under a view by several methods, each measured against a reference in float64 of the same view.

    The result is as large as the array. reference: a method; by default the quintic B-spline, whose order is high. Figures say how far
    methods are from it, which is no truth: for that, ts.restore(). Rows: method, rmse, max_abs, psnr, ssim; the nearest first.
    peak: of PSNR, SSIM and the pictures; by default 255 of uint8, 65535 of uint16, else 1.
    """
    methods = [methods] if isinstance(methods, (str, Method)) else methods
    image = Image(array, channels=channels)
    view = dict(scale=1 / zoom, rotate=rotate, translate=translate, antialias=True, address=address)
    floats = float_name(image.dtype)
    if not peak:
        peak = {"uint8": 255.0, "uint16": 65535.0}.get(image.dtype, 1.0)
    exact = image.render(reference, precision="double", dtype="float64" if not floats.startswith("complex") else "complex128", **view)
    rows: List[Dict[str, Any]] = []
    pictures: List[Any] = []
    for each in methods:
        picture = image.render(each, dtype=floats, **view)
        found = measure(_real(picture), _real(exact), peak=peak, channels=channels)
        of = each if isinstance(each, str) else each.name if isinstance(each, Method) else str(each)
        rows.append({"method": of, "rmse": found.rmse, "max_abs": found.max_abs, "psnr": found.psnr, "ssim": found.ssim})
        pictures.append(on_host(picture) / peak)
    order = sorted(range(len(rows)), key=lambda k: rows[k]["rmse"])
    named = reference if isinstance(reference, str) else resolved(reference).name
    return Table(f"likeness to {named} at zoom {zoom:g}", [rows[k] for k in order], [pictures[k] for k in order], channels)


def _real(picture: Any) -> Any:
    """Complex numbers as two channels."""
    array = on_host(picture)
    if not np.iscomplexobj(array):
        return picture
    return np.stack([array.real, array.imag], -1) if array.ndim == 2 else np.concatenate([array.real, array.imag], -1)


def restore(pictures: Any, factor: float = 4, *, methods: Optional[Sequence[str]] = None, shrink_with: str = "lanczos3",
            linear_light: bool = False) -> Table:
    """Which method restores pictures best that were shrunk by a factor: measured against the pictures themselves.

    pictures: a folder, a file, an array, or several of them. methods: by default all. Each picture is a run of the program
    `texelscope compare --restore`, which has to be installed. Rows, the best first: method, psnr and ssim (means over the pictures,
    of their interior), spread (standard deviation of psnr), wins (pictures on which it is the best).
    """
    found: Dict[str, Dict[str, Any]] = {}
    options = ["--restore", f"{factor:g}", "--shrink-with", shrink_with, "--json", "-"]
    methods = [methods] if isinstance(methods, str) else methods
    options += ["--panes", "; ".join(methods)] if methods else []
    options += ["--linear-light"] if linear_light else []
    all_pictures = pictures_of(pictures)
    with Files() as files:
        for picture in all_pictures:
            measured = run_json("compare", files.name_of(picture), *options)["methods"]
            best = max(m["interior"]["psnr"] for m in measured)
            for m in measured:
                of = found.setdefault(m["spec"], {"name": m["name"], "psnr": [], "ssim": [], "wins": 0})
                of["psnr"].append(m["interior"]["psnr"])
                of["ssim"].append(m["interior"]["ssim"])
                of["wins"] += m["interior"]["psnr"] == best
    rows = [{"method": spec.split(":")[0] if not spec.startswith("like:") else spec, "name": of["name"],
             "psnr": float(np.mean(of["psnr"])), "spread": float(np.std(of["psnr"])), "ssim": float(np.mean(of["ssim"])),
             "wins": of["wins"]} for spec, of in found.items()]
    rows.sort(key=lambda row: -row["psnr"])
    return Table(f"restored after shrinking by {factor:g}, {len(all_pictures)} picture{'s'[:len(all_pictures) != 1]}", rows)


class Guess(NamedTuple):
    """A recipe that may have made a picture: its spec, how near it comes, and what else makes the same picture of this one."""

    recipe: str
    verdict: str  # "bit-exact", "within one level", "possible", "none"
    largest: float  # difference, in levels of integers
    mean: float
    equal: float  # pixels, %
    same: "tuple[str, ...]"

    def __str__(self) -> str:
        more = f" and {len(self.same) - 4} more" if len(self.same) > 4 else ""
        others = f" (as do {', '.join(self.same[:4])}{more})" if self.same else ""
        return f"{self.recipe}: {self.verdict}, {self.equal:.3g} % equal, largest difference {self.largest:.3g}{others}"


def identify(original: Any, result: Any) -> List[Guess]:
    """Which library's resize made `result` of `original`, the nearest first: arrays or files.

    By the program `texelscope identify`, which has to be installed. ``ts.resize(original, shape, like=guess.recipe)`` does it again.
    """
    with Files() as files:
        found = run_json("identify", files.name_of(original), files.name_of(result), "--json", "-")
    facts = {key: str(value) for key, value in found["facts"].items()}
    same = tuple(facts.get("the same picture by", "").split())
    guesses = []
    for k, (recipe, verdict, largest, mean, equal, *_) in enumerate(found["tables"][0]["rows"]):
        name = facts["recipe"] if k == 0 else recipe.split(" (")[0]
        guesses.append(Guess(name, verdict, float(largest), float(mean), float(equal), same if k == 0 else ()))
    return guesses
