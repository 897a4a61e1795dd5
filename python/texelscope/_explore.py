"""A picture with sliders, in a notebook."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._errors import Unavailable
from ._images import Image
from ._methods import methods
from ._pictures import levels_of, on_host, png_of

_ADDRESSES = ("clamp", "border", "wrap", "mirror", "reflect101")


def explore(array: Any, *, channels: Optional[str] = None, size: "tuple[int, int]" = (384, 512)) -> Any:
    """A widget: the picture under a view, with method, address mode, zoom, angle and place to choose. Needs ipywidgets.

    size: (rows, columns) of the view. Raises ts.Unavailable without ipywidgets.
    """
    try:
        import ipywidgets  # type: ignore[import-not-found,import-untyped]
    except ImportError:
        raise Unavailable("ts.explore needs ipywidgets: python3 -m pip install ipywidgets") from None
    image = Image(array, channels=channels)
    peak = {"uint8": 255.0, "uint16": 65535.0}.get(image.dtype) or max(1.0, float(np.nanmax(np.abs(on_host(array)))))
    height, width = image._layout.height, image._layout.width
    picture = ipywidgets.Image(format="png", width=size[1], height=size[0])
    controls = dict(
        method=ipywidgets.Dropdown(options=[(m.name, m.id) for m in methods()], value="catmull-rom", description="method"),
        address=ipywidgets.Dropdown(options=_ADDRESSES, value="clamp", description="address"),
        zoom=ipywidgets.FloatSlider(value=2, min=-4, max=6, step=0.05, description="zoom 2^"),
        rotate=ipywidgets.FloatSlider(value=0, min=-180, max=180, step=0.5, description="rotate"),
        x=ipywidgets.FloatSlider(value=0, min=-width / 2, max=width / 2, step=0.25, description="x"),
        y=ipywidgets.FloatSlider(value=0, min=-height / 2, max=height / 2, step=0.25, description="y"))

    def show(_change: Any = None) -> None:
        now = {name: control.value for name, control in controls.items()}
        shown = image.render(now["method"], shape=size, scale=2.0 ** -now["zoom"], rotate=now["rotate"], translate=(now["x"], now["y"]),
                             address=now["address"], antialias=True)
        picture.value = png_of(levels_of(shown, channels, peak))

    for control in controls.values():
        control.observe(show, "value")
    show()
    return ipywidgets.HBox([picture, ipywidgets.VBox(list(controls.values()))])
