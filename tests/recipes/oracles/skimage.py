"""skimage.transform.resize and resize_local_mean. Run: python3 skimage.py FOLDER."""

import os
import sys

sys.path = [p for p in sys.path if os.path.abspath(p or ".") != os.path.dirname(os.path.abspath(__file__))]
try:
    from skimage import transform
except ImportError:
    transform = None
sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import warnings

from _cases import Cases, absolute, levels, not_installed, spec, np

if transform is None:
    not_installed("scikit-image")
warnings.simplefilter("ignore")
cases = Cases(sys.argv[1], 2)
for mode in ("reflect", "symmetric", "edge", "constant", "wrap"):
    for order in range(6):
        for anti_aliasing in ("auto", "false"):
            for kind in ("f32", "u8"):
                whole = order == 0 and kind == "u8"
                if whole and anti_aliasing == "auto":
                    continue  # versions differ
                height, width, new_height, new_width = cases.size(14 if mode == "symmetric" else 1, 48)
                image = cases.picture(height, width, 1, kind)
                options = {"order": order, "mode": mode, "anti_aliasing": anti_aliasing}
                arguments = {"order": order, "mode": mode, "anti_aliasing": None if anti_aliasing == "auto" else False}
                # With mode=constant, whether cval widens the range depends on the result.
                if mode == "constant":
                    options["clip"], arguments["clip"] = "false", False
                result = transform.resize(image[..., 0], (new_height, new_width), **arguments)[..., None]
                if not whole:
                    result = result.astype("f4")
                cases.add(spec("like:skimage/resize", options), image, result, kind, levels(0) if whole else absolute(2e-6))
for _ in range(20):
    height, width, new_height, new_width = cases.size(1, 48)
    image = cases.picture(height, width, 3, "f32")
    order, sigma = int(cases.random.integers(1, 4)), float(np.round(cases.random.uniform(0, 3), 3))
    result = transform.resize(image, (new_height, new_width), order=order, anti_aliasing=True, anti_aliasing_sigma=(sigma, sigma, 0))
    options = {"order": order, "anti_aliasing": "true", "anti_aliasing_sigma": sigma}
    cases.add(spec("like:skimage/resize", options), image, result.astype("f4"), "f32", absolute(2e-6))
for grid_mode in ("true", "false"):
    for k in range(20):
        height, width, new_height, new_width = cases.size(2)
        image = cases.picture(height, width, 1, "f32")
        result = transform.resize_local_mean(image[..., 0], (new_height, new_width), grid_mode=grid_mode == "true")[..., None]
        cases.add(spec("like:skimage/resize_local_mean", {"grid_mode": grid_mode}), image, result.astype("f4"), "f32", absolute(3e-6))
cases.save()
