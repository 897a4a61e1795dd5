#pragma once
// texelscope as a library: one header for all of its interface. No OpenGL, no windows, no image files.
//
//     #include <texelscope.h>
//     using namespace texelscope;
//
//     auto backend = make_backend(BackendChoice::automatic);          // or cuda with a device and a stream, or cpu
//     SourceImage source(backend, image);                              // an Image in host memory is copied; one that is
//                                                                      // moved here, or shared, is not where the CPU can
//                                                                      // read it as it is; or
//     SourceImage field(backend, ImageView{samples, 512, 512, 2});     // the caller's memory is read in place where it
//                                                                      // can be: host memory on CUDA is copied
//
//     RenderRequest view;                                              // a view, as the program's `render`
//     view.spec = parse_spec("bspline:address=mirror");
//     view.view.scale = 0.5;
//     view.width = 640, view.height = 480;
//     Image picture = source.render_to_image(view);
//
//     Image small = source.render_to_image(resize_request(source.samples(), parse_spec("lanczos3"), 200, 150));
//
//     SampleRequest at;                                                // arbitrary points, as the program's `sample`
//     at.spec = parse_spec("bilinear:address=border");
//     std::vector<float> values = field.sample_to_host(at, PointsView::arrays(x, y, count));
//
//     source.render_reference(view, doubles);                          // the same in float64, into backend memory
//     backend->measure(job);                                           // RMSE, PSNR, SSIM: see compare/metrics.h
//
// Memory. render() and sample() read and write memory of the backend: host memory on the CPU, device memory on CUDA,
// where they enqueue on Backend::stream() and the caller synchronises; the first use of a prefilter or of a widened
// weight function waits for the stream. Keep image and backend until then. render_to_image(), sample_to_host() and
// value_at() take and return host memory on either, and wait. The CUDA backend makes its device the calling thread's
// current one.
//
// Coefficients, smaller images, textures and buffers are kept for the next time, as long as they take no more than
// backend->memory() allows; what was used longest ago goes first. See backend/memory_budget.h.
//
// Values. Integer samples stand for [0, 1]. Complex data has two channels, real and imaginary part. Signals have height
// 1 and one_dimensional set; only x is interpolated then. Coordinates are those of sample space: sample i lies at i.
//
// Errors are exceptions, all derived from texelscope::Error (core/errors.h); their text is one sentence. Nothing is
// global but the constant table of methods; a Backend and its images belong to one thread at a time.

#include "gpu/backend/backend.h"
#include "gpu/compare/metrics.h"
#include "gpu/core/errors.h"
#include "gpu/core/image.h"
#include "gpu/core/image_view.h"
#include "gpu/core/points.h"
#include "gpu/core/view.h"
#include "gpu/core/warp.h"
#include "gpu/display/display.h"
#include "gpu/method/method_info.h"
#include "gpu/method/spec.h"
