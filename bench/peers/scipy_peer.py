"""scipy.ndimage on the CPU: one thread, float64 inside."""

from measuring import Row, on_host
from works import Prefilter, Rotation


def rows(threads=2):
    import numpy as np
    import scipy
    from scipy import ndimage

    version = f"SciPy {scipy.__version__}"
    noise = np.random.default_rng(1)
    work = Prefilter("cpu", 2048)
    image = noise.random((2048, 2048), dtype=np.float32)
    for output, name in ((np.float64, "float64, its default"), (np.float32, "float32")):
        yield Row(work, f"{version} spline_filter, {name}",
                  *on_host(lambda k: ndimage.spline_filter(image, 3, output=output, mode="reflect")),
                  f"the same extension; one thread, ours {threads}; allocates its result", work.case())
    for format, channels in (("u8x4", 4), ("f32x1", 1)):
        work = Rotation("cpu", format, 2048, (2048, 2048))
        planes = [noise.random((2048, 2048), dtype=np.float32) for _ in range(channels)]
        out = [np.empty_like(plane) for plane in planes]
        (a, b, x), (c, d, y) = work.matrix()

        def turn(order):
            for plane, target in zip(planes, out):
                ndimage.affine_transform(plane, [[d, c], [b, a]], (y, x), output=target, order=order, mode="nearest",
                                         prefilter=False)

        for order, spec in ((0, "nearest"), (1, "bilinear"), (3, "bspline:prefilter=iir")):
            yield Row(work, f"{version} affine_transform, order {order}",
                      *on_host(lambda k: turn(order)),
                      f"positions and weights in float64; one thread, ours {threads}" +
                      ("; four float planes one after the other" if channels == 4 else "") +
                      ("; without prefilter, as ours" if order == 3 else ""), work.case(spec))
