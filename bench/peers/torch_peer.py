"""torch.nn.functional on the GPU: grid_sample, with the grid of positions ready and with building it, and interpolate."""

from measuring import Row, copies, on_torch
from works import Rotation, Shrinking


def rotations(torch, functional):
    for side in (2048, 8192):
        work = Rotation("cuda", "f32x1", side, (side, side))
        images = [torch.rand(1, 1, side, side, device="cuda") for _ in range(copies(16 * side * side))]
        (a, b, _), (c, d, _) = work.matrix()
        theta = torch.tensor([[[a, b, 0.0], [c, d, 0.0]]], device="cuda")  # both images fill [−1, 1]²
        ready = functional.affine_grid(theta, [1, 1, side, side], align_corners=False)
        for mode, spec, differs in (("nearest", "nearest", "rounds half to even"), ("bilinear", "bilinear", ""),
                                    ("bicubic", "catmull-rom", "a = −0.75, ours −0.5")):
            common = "positions in float32" + (f"; {differs}" if differs else "")

            def sample(k, grid):
                return functional.grid_sample(images[k % len(images)], grid, mode=mode, padding_mode="border",
                                              align_corners=False)

            time = on_torch(lambda k: sample(k, ready))
            yield Row(work, f"torch grid_sample {mode}, grid ready", *time, common + "; allocates its result",
                      work.case(spec))
            time = on_torch(lambda k: sample(k, functional.affine_grid(theta, [1, 1, side, side],
                                                                       align_corners=False)))
            yield Row(work, f"torch affine_grid and grid_sample {mode}", *time,
                      common + "; allocates grid and result", work.case(spec))


def shrinkings(torch, functional):
    work = Shrinking("cuda", "f32x4")
    images = [torch.rand(1, 4, work.source, work.source, device="cuda") for _ in range(copies(17 * work.source ** 2))]
    for layout, arranged in (("planar", images),
                             ("channels last", [i.to(memory_format=torch.channels_last) for i in images])):
        for mode, spec, differs in (("bilinear", "bilinear", ""), ("bicubic", "catmull-rom", "")):
            time = on_torch(lambda k: functional.interpolate(arranged[k % len(arranged)], size=work.size, mode=mode,
                                                             antialias=True))
            yield Row(work, f"torch interpolate {mode}, antialias, {layout}", *time, "allocates its result",
                      work.case(spec))


def rows():
    import torch
    from torch.nn import functional

    if not torch.cuda.is_available():
        raise ImportError("torch sees no GPU")
    yield from rotations(torch, functional)
    yield from shrinkings(torch, functional)
