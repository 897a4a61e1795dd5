"""scipy.ndimage.zoom: results for each mode and order. Run: python3 scipy.py FOLDER."""

import os
import sys

sys.path = [p for p in sys.path if os.path.abspath(p or ".") != os.path.dirname(os.path.abspath(__file__))]
try:
    from scipy import ndimage
except ImportError:
    ndimage = None
sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import warnings

from _cases import Cases, absolute, levels, not_installed, spec, np

if ndimage is None:
    not_installed("SciPy")
warnings.simplefilter("ignore")
cases = Cases(sys.argv[1], 1)
for mode in ("constant", "wrap", "mirror", "reflect", "nearest", "grid-wrap", "grid-constant"):
    for grid_mode in ("false", "true"):
        for order in range(6):
            for kind in ("f32", "u8", "u16"):
                # Its filter of mode reflect starts wrongly on short axes, until 1.18.
                height, width, new_height, new_width = cases.size(14 if mode == "reflect" and order > 1 else 1, 48)
                channels = int(cases.random.choice([1, 3, 4]))
                if round(height * (new_height / height)) != new_height or round(width * (new_width / width)) != new_width:
                    continue
                image = cases.picture(height, width, channels, kind)
                result = np.stack([ndimage.zoom(image[..., c], (new_height / height, new_width / width), order=order, mode=mode,
                                                grid_mode=grid_mode == "true") for c in range(channels)], -1)
                bound = absolute(2e-6) if kind == "f32" else levels(0 if order == 0 else 0.05)
                cases.add(spec("like:scipy/zoom", {"order": order, "mode": mode, "grid_mode": grid_mode}), image, result, kind, bound)
# Sizes at which rounding puts the last pixel beyond the last sample.
for size, new_size in ((4, 188), (6, 148), (8, 26), (8, 83)):
    for mode in ("constant", "wrap"):
        image = cases.picture(size, 5, 1, "f32")
        result = ndimage.zoom(image[..., 0], (new_size / size, 1), order=1, mode=mode)[..., None]
        cases.add(spec("like:scipy/zoom", {"order": 1, "mode": mode}), image, result, "f32", absolute(2e-6))
for _ in range(40):
    order, mode = int(cases.random.integers(2, 6)), str(cases.random.choice(["constant", "nearest", "mirror", "grid-constant"]))
    kind = str(cases.random.choice(["f32", "u8"]))
    height, width, new_height, new_width = cases.size(2, 30)
    if round(height * (new_height / height)) != new_height or round(width * (new_width / width)) != new_width:
        continue
    image = cases.picture(height, width, 1, kind)
    options = {"order": order, "mode": mode, "prefilter": str(cases.random.random() < 0.5).lower(), "grid_mode": "true"}
    cval = 0.25 if kind == "f32" else 40
    if mode.endswith("constant"):
        options["cval"] = cval
    result = ndimage.zoom(image[..., 0], (new_height / height, new_width / width), order=order, mode=mode, cval=cval, grid_mode=True,
                          prefilter=options["prefilter"] == "true")[..., None]
    cases.add(spec("like:scipy/zoom", options), image, result, kind, absolute(2e-6) if kind == "f32" else levels(0.05))
cases.save()
