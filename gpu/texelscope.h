#pragma once
// texelscope as a library: one header for its whole interface. No OpenGL, no windows, no image files.
//
//     #include <texelscope.h>
//     using namespace texelscope;
//
//     auto backend = make_backend(BackendChoice::automatic);          // or cuda with a device and a stream, or cpu
//     SourceImage source(backend, image);                              // an Image in host memory is copied; one that is
//                                                                      // moved here, or shared, is not if the CPU can
//                                                                      // read it as it is; or
//     SourceImage field(backend, ImageView{samples, 512, 512, 2});     // the caller's memory is read in place if it
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
//     TiledImage scan(backend, tiles, {.memory = 256 << 20});          // an image of any size, read by regions (TileSource)
//     scan.render(view, RenderTarget::Format::floats, take_rows);      // calls take_rows(rows, first_row) from the top
//
//     source.render_reference(view, doubles);                          // the same in float64, into backend memory
//     TiledReference(scan).rows(scan.plan(view), 0, 32, doubles);      // rows 0 … 31 of it, into host memory
//     backend->measure(job);                                           // RMSE, PSNR, SSIM: see compare/metrics.h
//
// Memory. render() and sample() read and write memory of the backend: host memory on the CPU, device or managed memory
// on CUDA. Adopted samples are read in place on either; on CUDA, host memory, pinned or not, is copied instead. Keep
// image, memory and backend until the work is done. render_to_image(), sample_to_host() and value_at() take and return
// host memory on either backend, and wait.
//
// Streams. All work of a CUDA backend is enqueued on Backend::stream(), its own or the caller's, and ordered only
// there. What other streams or the host write (adopted samples, points) must be finished, or ordered before by an
// event, when the call is made; results are available once the caller has synchronised with the stream. The first use
// of a prefilter or of a table of weights waits for the stream. Calls keep the thread's current device.
//
// Threads. A backend with its images and SourceImages belongs to one thread at a time: hand it over, or lock. Different
// backends may be used by different threads at the same time, also two on one device, or one each on several. The CPU
// backend has its own threads (OpenMP); two of them share the processor. Nothing is global except the constant table of
// methods and tables of colours.
//
// Coefficients, smaller images, textures and buffers are kept for the next time, as long as they take no more than
// backend->memory() allows; the least recently used is given up first. See backend/memory_budget.h.
//
// Values. Integer samples stand for [0, 1]. Complex data has two channels, real and imaginary part. Signals have height
// 1 and one_dimensional set; only x is interpolated then. Coordinates are those of sample space: sample i is at i.
//
// Errors are exceptions, all derived from texelscope::Error (core/errors.h); their text is one sentence. Invalid
// arguments are refused before anything is computed (a null method or pointer, a parameter beyond its range, memory of
// the wrong kind or device, an image of another backend, sizes above 2²⁹ − 4096): the backend remains usable, and no
// error is left behind in CUDA. It also remains usable after OutOfMemory, but not after DeviceLost.

#include "gpu/backend/backend.h"
#include "gpu/backend/source_image.h"
#include "gpu/compare/error_map.h"
#include "gpu/compare/metrics.h"
#include "gpu/core/errors.h"
#include "gpu/core/image.h"
#include "gpu/core/tile_source.h"
#include "gpu/core/view.h"
#include "gpu/display/display.h"
#include "gpu/method/method_info.h"
#include "gpu/method/spec.h"
#include "gpu/tiles/tiled_image.h"
