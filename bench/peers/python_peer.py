"""texelscope's own Python package on torch's tensors: what its calls add to the program's times."""

from measuring import Row, copies, on_torch
from works import Prefilter, Rotation, Shrinking


def rows():
    import torch
    import texelscope as ts

    if not torch.cuda.is_available():
        raise ImportError("torch sees no GPU")

    def row(work, name, images, out, differs, **view):
        kept = [ts.Image(image) for image in images]
        time = on_torch(lambda k: kept[k % len(kept)].render(name, out=out[k % len(out)], **view))
        return Row(work, f"Image.render, {name}", *time, differs, work.case(name))

    for side in (2048, 8192):
        work = Prefilter("cuda", side)
        images = [torch.rand(side, side, device="cuda") for _ in range(copies(8 * side * side))]
        time = on_torch(lambda k: ts.prefilter(images[k % len(images)], "bspline", address="mirror"))
        yield Row(work, "ts.prefilter", *time, "copies its result into a tensor of its own", work.case())
        work = Rotation("cuda", "f32x1", side, (side, side))
        out = [torch.empty_like(image) for image in images]
        for name in ("nearest", "bilinear", "catmull-rom"):
            yield row(work, name, images, out, "", rotate=10)
    work = Shrinking("cuda", "f32x4")
    images = [torch.rand(work.source, work.source, 4, device="cuda") for _ in range(copies(17 * work.source ** 2))]
    out = [torch.empty(*work.size, 4, device="cuda") for _ in images]
    for name in ("bilinear", "catmull-rom"):
        yield row(work, name, images, out, "", scale=4, shape=work.size, antialias=True)
