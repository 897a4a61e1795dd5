"""cupyx.scipy.ndimage on the GPU."""

from measuring import Row, copies, on_cupy
from works import Prefilter, Rotation


def rows():
    import cupy
    from cupyx.scipy import ndimage

    noise = cupy.random.default_rng(1)
    for side in (2048, 8192):
        work = Prefilter("cuda", side)
        images = [noise.random((side, side), dtype=cupy.float32) for _ in range(copies(8 * side * side))]
        time = on_cupy(lambda k: ndimage.spline_filter(images[k % len(images)], order=3, output=cupy.float32,
                                                       mode="mirror"))
        yield Row(work, "cupyx spline_filter, float32", *time,
                  "mirror about the centre of the edge sample, ours about its edge; allocates its result", work.case())
    for side in (2048, 8192):
        work = Rotation("cuda", "f32x1", side, (side, side))
        images = [noise.random((side, side), dtype=cupy.float32) for _ in range(copies(8 * side * side))]
        out = [cupy.empty_like(image) for image in images]
        (a, b, x), (c, d, y) = work.matrix()
        matrix, offset = cupy.asarray([[d, c], [b, a]]), (y, x)  # rows first, columns second
        for order, spec in ((0, "nearest"), (1, "bilinear"), (3, "bspline:prefilter=iir")):
            time = on_cupy(lambda k: ndimage.affine_transform(
                images[k % len(images)], matrix, offset, output=out[k % len(out)], order=order, mode="constant",
                prefilter=False))
            yield Row(work, f"cupyx affine_transform, order {order}", *time,
                      "positions and weights in float64; zero outside, ours clamps; without prefilter, as ours",
                      work.case(spec))
