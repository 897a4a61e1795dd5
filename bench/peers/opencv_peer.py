"""OpenCV's warpAffine and resize on the CPU."""

from measuring import Row, on_host
from works import AREA, Rotation, Shrinking


def rows(threads=2):
    import cv2
    import numpy as np

    cv2.setNumThreads(threads)
    noise = np.random.default_rng(1)
    for format in ("u8x4", "f32x1"):
        work = Rotation("cpu", format, 2048, (2048, 2048))
        images = [noise.integers(0, 256, (2048, 2048, 4), dtype=np.uint8) if format == "u8x4"
                  else noise.random((2048, 2048), dtype=np.float32) for _ in range(4)]
        out = [np.empty_like(image) for image in images]
        matrix = np.array(work.matrix())
        for flag, name, spec, differs in (
                (cv2.INTER_NEAREST, "nearest", "nearest", ""), (cv2.INTER_LINEAR, "linear", "bilinear", ""),
                (cv2.INTER_CUBIC, "cubic", "catmull-rom", "a = −0.75, ours −0.5; "),
                (cv2.INTER_CUBIC, "cubic", "bspline:prefilter=iir", "a = −0.75, ours a B-spline of order 4; ")):
            time = on_host(lambda k: cv2.warpAffine(images[k % 4], matrix, work.size, out[k % 4],
                                                    flag | cv2.WARP_INVERSE_MAP, cv2.BORDER_REPLICATE))
            positions = "1/1024" if name == "nearest" else "1/32 pixel"
            weights = ", weights to 1/32768" if format == "u8x4" and name != "nearest" else ""
            yield Row(work, f"OpenCV {cv2.__version__} warpAffine, {name}", *time,
                      f"{threads} threads, as ours; {differs}rounds positions to {positions}{weights}", work.case(spec))

    work = Shrinking("cpu", "u8x4")
    image = noise.integers(0, 256, (work.source, work.source, 4), dtype=np.uint8)
    small = np.empty((*work.size[::-1], 4), dtype=np.uint8)
    time = on_host(lambda k: cv2.resize(image, work.size, small, interpolation=cv2.INTER_AREA))
    for spec, ours in (("bilinear", "a triangle"), ("nearest", "the same box"), (AREA, "the same box")):
        yield Row(work, f"OpenCV {cv2.__version__} resize, area", *time, f"{threads} threads, as ours; a box, ours {ours}",
                  work.case(spec))
    for flag, name in ((cv2.INTER_NEAREST, "nearest"), (cv2.INTER_LINEAR, "linear"), (cv2.INTER_CUBIC, "cubic"),
                       (cv2.INTER_LANCZOS4, "lanczos4"), (cv2.INTER_AREA, "area")):
        time = on_host(lambda k: cv2.resize(image, work.size, small, interpolation=flag))
        yield Row(work, f"OpenCV {cv2.__version__} resize, {name}", *time, f"{threads} threads, as ours; the same pixels",
                  work.case(f"like:opencv/{name}"))
