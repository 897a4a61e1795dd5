"""Pillow's resize on the CPU: two passes, one thread, weights in 22-bit fixed point."""

from measuring import Row, on_host
from works import Shrinking


def rows(threads=2):
    import numpy as np
    import PIL
    from PIL import Image

    work = Shrinking("cpu", "u8x4")
    noise = np.random.default_rng(1).integers(0, 256, (work.source, work.source, 4), dtype=np.uint8)
    image = Image.fromarray(noise, "RGBA").convert("RGBX")  # with an alpha it would be premultiplied
    for filter, name, spec in ((Image.Resampling.BILINEAR, "bilinear", "bilinear"),
                               (Image.Resampling.BICUBIC, "bicubic", "catmull-rom"),
                               (Image.Resampling.LANCZOS, "Lanczos", "lanczos3")):
        time = on_host(lambda k: image.resize(work.size, filter))
        peer = f"Pillow {PIL.__version__} resize, {name}"
        yield Row(work, peer, *time,
                  f"one thread, ours {threads}; rounds to 8 bits between the passes; allocates its result",
                  work.case(spec))
        yield Row(work, peer, *time, f"one thread, ours {threads}; the same pixels",
                  work.case(f"like:pillow/{name.lower()}"))
