"""jax.image.resize, on the CPU. Run: python3 jax.py FOLDER."""

import os
import sys

os.environ.setdefault("JAX_PLATFORMS", "cpu")
sys.path = [p for p in sys.path if os.path.abspath(p or ".") != os.path.dirname(os.path.abspath(__file__))]
try:
    import jax
except ImportError:
    jax = None
sys.path.append(os.path.dirname(os.path.abspath(__file__)))

from _cases import Cases, absolute, levels, not_installed, spec, np

if jax is None:
    not_installed("JAX")
cases = Cases(sys.argv[1], 5)
for method in ("nearest", "linear", "cubic", "cubic-pytorch", "lanczos3", "lanczos5", "area"):
    for antialias in ("true", "false"):
        for kind in ("f32", "u8"):
            for _ in range(10):
                height, width, new_height, new_width = cases.size()
                image = cases.picture(height, width, int(cases.random.choice([1, 3])), kind)
                try:
                    result = np.asarray(jax.image.resize(image, (new_height, new_width, image.shape[2]), method,
                                                         antialias=antialias == "true"))
                except ValueError:
                    continue  # a method of newer versions
                whole = method == "nearest" and kind == "u8"
                if not whole:
                    result = (result / (255 if kind == "u8" else 1)).astype("f4")
                cases.add(spec("like:jax/resize", {"method": method, "antialias": antialias}), image, result, kind,
                          levels(0) if whole else absolute(5e-6))
cases.save()
