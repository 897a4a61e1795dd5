"""texelscope: image interpolation that is exact and fast, on NumPy, PyTorch and CuPy arrays, by CPU and CUDA.

    import texelscope as ts
    small = ts.resize(a, (224, 224), "lanczos3")
    same_as_pillow = ts.resize(a, factor=0.37, like="pillow/bicubic")
    values = ts.sample(a, points, "bspline", address="mirror")

Coordinates are (x, y) in samples: sample i of a row sits at i, x to the right, y down; shapes are (rows, columns). Arrays are read
where they are, and results are arrays of the same library. docs/python.md has examples of everything.
"""

from . import plot
from ._backends import Backend
from ._errors import Cancelled, DeviceLost, Error, Unavailable
from ._explore import explore
from ._functions import affine, prefilter, resize, rotate, sample, warp
from ._images import Image
from ._library import library_path, why_no_cuda
from ._methods import Method, Parameter, method, methods, recipes
from ._metrics import Metrics, measure
from ._showing import MapFigures, difference, display
from ._studies import Guess, Table, compare, identify, restore
from ._tiles import TiledImage
from ._version import __version__
from ._window import Window, window

__all__ = ["Backend", "Cancelled", "DeviceLost", "Error", "Guess", "Image", "MapFigures", "Method", "Metrics", "Parameter", "Table", "TiledImage",
           "Unavailable", "Window", "__version__", "affine", "compare", "difference", "display", "explore", "identify", "library_path", "measure", "method",
           "methods", "plot", "prefilter", "recipes", "resize", "restore", "rotate", "sample", "warp", "why_no_cuda", "window"]
