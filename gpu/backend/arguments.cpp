#include "gpu/backend/arguments.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "gpu/compare/error_map.h"
#include "gpu/compare/metrics.h"
#include "gpu/display/display.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/method_info.h"
#include "gpu/method/polar_method.h"
#include "gpu/method/tabulated.h"
#include "gpu/prefilter/prefilter.h"

namespace texelscope {
namespace {

// `bytes` for each of width × height elements can be counted.
bool is_countable(int width, int height, size_t bytes) {
    return bytes == 0 || size_t(width) <= std::numeric_limits<size_t>::max() / 2 / size_t(height) / bytes;
}

void check_size(std::string_view what, int width, int height) {
    if (width < 1 || height < 1 || width > max_side || height > max_side)
        throw Error(
            fmt::format("{} of {}×{} pixels is impossible: each side must be 1 to {}", what, width, height, max_side));
}

// Memory of the backend that holds elements of this size.
void check_elements(const BackendMemory& backend, const void* memory, size_t bytes, std::string_view name) {
    backend.check_memory(memory, name);
    if (reinterpret_cast<uintptr_t>(memory) % bytes != 0)
        throw Error(fmt::format("{} must be aligned to {} bytes", name, bytes));
}

void check_rows(size_t row_bytes, int width, int height, size_t pixel_bytes, size_t element_bytes,
                std::string_view name) {
    const size_t least = size_t(width) * pixel_bytes;
    if (height > 1 && (row_bytes < least || row_bytes % element_bytes != 0))
        throw Error(
            fmt::format("the rows of {} cannot be {} bytes apart: {} pixels take {}, and it must be a multiple of {}",
                        name, row_bytes, width, least, element_bytes));
    if (!is_countable(1, height, row_bytes))
        throw Error(
            fmt::format("{} rows of {} bytes of {} are more than any memory can hold", height, row_bytes, name));
}

void check_affine(const Affine& a, std::string_view name) {
    for (const double number : {a.xx, a.xy, a.x0, a.yx, a.yy, a.y0})
        if (!std::isfinite(number)) throw Error(fmt::format("{} must be finite numbers", name));
}

void check_plane(const BackendMemory& backend, const ValuePlane& plane, std::string_view name) {
    check_elements(backend, plane.values, plane.doubles ? sizeof(double) : sizeof(float), name);
}

void check_planes(std::string_view what, int width, int height, int channels) {
    check_size(what, width, height);
    if (channels < 1 || channels > 4)
        throw Error(fmt::format("{} of {} channels is impossible: 1 to 4", what, channels));
    if (!is_countable(width, height, size_t(channels) * sizeof(double)))
        throw Error(fmt::format("{} of {}×{} pixels is more than any memory can hold", what, width, height));
}

size_t bytes_of(const PointsView& points) { return points.is_double ? sizeof(double) : sizeof(float); }

// What holds for points in any memory.
void check_shape(const PointsView& points, const ResidentImage& image) {
    if (points.count == 0) return;
    if (!points.x || (!points.y && !image.one_dimensional()))
        throw Error("points over an image need both coordinates, x and y, and those of a signal x");
    if (points.stride > 0 && points.count > std::numeric_limits<size_t>::max() / 2 / points.stride / bytes_of(points))
        throw Error(
            fmt::format("{} points, {} numbers apart, are more than any memory can hold", points.count, points.stride));
}

void check_stretch(double stretch, double largest, int samples, std::string_view axis) {
    const bool longest = float(stretch) <= float(largest) || samples == 1;
    if (!(stretch >= 1 && longest && std::isfinite(stretch)))
        throw Error(
            fmt::format("stretch_{} must be 1 to {}, not {}: read a smaller image for more", axis, largest, stretch));
}

void check_request(const BackendMemory& backend, const ResidentImage& image, const Resampling& request) {
    check_spec(request.spec);
    check_output_size(request.width, request.height);
    check_affine(request.reading.positions, "the view's translation, rotation and scale");
    check_derivative(request.derivative, *request.spec.method, image.one_dimensional());
    if (!request.reading.local_stretch) {
        const double largest = largest_stretch(*request.spec.method);
        check_stretch(request.reading.stretch_x, largest, image.width(), "x");
        check_stretch(request.reading.stretch_y, largest, image.height(), "y");
    }
    if (request.points.x || request.points.count > 0)
        check_points(backend, request.points, image, size_t(request.width) * size_t(request.height));
}

}  // namespace

void check_images(const ImageView& view) {
    if (view.images == 1) return;
    if (view.images < 1 || view.images > most_batched_images || view.height > most_batched_rows)
        throw Error(fmt::format("a batch has 1 to {} images of at most {} rows, not {} of {}", most_batched_images,
                                most_batched_rows, view.images, view.height));
    if (view.image_bytes % view.stride() != 0 || !is_countable(1, view.images, view.image_bytes))
        throw Error(fmt::format("the images of a batch must be whole rows of {} bytes apart, not {} bytes",
                                view.stride(), view.image_bytes));
}

void check_batch(int images, int channels, const Resampling& request, const RenderTarget& target) {
    if (images == 1) return;
    const size_t unit = bytes_per_pixel(target.format, channels == 3 ? 1 : channels);
    if (request.height > most_batched_rows || target.image_bytes % unit != 0)
        throw Error(
            fmt::format("the pictures of a batch have at most {} rows and are multiples of {} bytes apart, not {} "
                        "rows and {} bytes",
                        most_batched_rows, unit, request.height, target.image_bytes));
}

void check_spec(const MethodSpec& spec) {
    if (!spec.method)
        throw Error("the spec has no method: make it with parse_spec(\"bilinear\") or default_spec(method)");
    const auto& parameters = spec.method->parameters;
    for (size_t i = 0; i < parameters.size(); ++i)
        if (const double value = spec.parameters.value[i];
            !(value >= parameters[i].minimum && value <= parameters[i].maximum))
            throw Error(fmt::format("{} of {} must be a number from {} to {}, not {}", parameters[i].id,
                                    spec.method->id, parameters[i].minimum, parameters[i].maximum, value));
    if (spec.method->has_prefilter()) check_prefilter(spec.prefilter);
    if (spec.method->custom) spec.method->custom->weights(spec.parameters);  // throws if the formula has none
}

void check_output_size(int width, int height) { check_size("an output", width, height); }

void check_timer(int timer) {
    if (timer != no_timer && (timer < 0 || timer >= timer_count))
        throw Error(fmt::format("timer {} does not exist: there are 0 to {}", timer, timer_count - 1));
}

void check_view(const ImageView& view) {
    if (!view.samples || view.width < 1 || view.height < 1)
        throw Error("an image needs samples, and sides of at least 1");
    check_size("an image", view.width, view.height);
    if (view.channels != 1 && view.channels != 2 && view.channels != 4)
        throw Error(fmt::format("samples of {} channels cannot be read in place: 1, 2 or 4 can", view.channels));
    if (!is_texel_type(view.type))
        throw Error(
            fmt::format("samples of type {} cannot be read in place: u8, u16, f16 and f32 can", name_of(view.type)));
    if (view.alpha == Alpha::straight) throw Error("straight alpha cannot be read in place: premultiply it first");
    if (view.one_dimensional && view.height != 1) throw Error("a one-dimensional signal has height 1");
    if (view.stride() % view.texel_bytes() != 0 || view.stride() < size_t(view.width) * view.texel_bytes() ||
        reinterpret_cast<uintptr_t>(view.samples) % view.texel_bytes() != 0)
        throw Error(fmt::format("samples must start and rows must follow at multiples of a texel's {} bytes",
                                view.texel_bytes()));
    check_images(view);
    if (!is_countable(1, view.height, view.stride()))
        throw Error(fmt::format("{} rows of {} bytes of samples are more than any memory can hold", view.height,
                                view.stride()));
}

void check_image(const Image& image) {
    if (image.empty()) throw Error("an empty image cannot be uploaded: give it a size and samples");
    if (!image.in_memory()) throw Error("an image that is not in memory cannot be uploaded: render it through regions");
}

void check_image(const std::shared_ptr<const Image>& image) {
    if (!image) throw Error("a null image cannot be uploaded: give it a size and samples");
    check_image(*image);
}

void check_derivative(Derivative derivative, const MethodInfo& method, bool one_dimensional) {
    if (derivative != Derivative::none && is_polar(method))
        throw Error(
            fmt::format("{} weighs by the distance in the plane: derivatives are of methods with weights along the "
                        "axes, such as bspline",
                        method.id));
    if (derivative != Derivative::none && !method.slope)
        throw Error(fmt::format("{} has no continuous derivative: choose a smooth method such as bspline", method.id));
    if (derivative == Derivative::y && one_dimensional)
        throw Error("a one-dimensional signal has no derivative along y: ask for the one along x");
}

void check_points(const BackendMemory& backend, const PointsView& points, const ResidentImage& image, size_t pixels) {
    if (points.count < pixels) throw Error(fmt::format("{} points are too few for {} pixels", points.count, pixels));
    check_shape(points, image);
    check_elements(backend, points.x, bytes_of(points), "the points' x coordinates");
    if (points.y) check_elements(backend, points.y, bytes_of(points), "the points' y coordinates");
}

void check_host_points(const BackendMemory& backend, const PointsView& points, const ResidentImage& image) {
    check_shape(points, image);
    if (points.count == 0) return;
    backend.check_host_memory(points.x, "the points' x coordinates");
    if (points.y) backend.check_host_memory(points.y, "the points' y coordinates");
}

void check_resampling(const Backend& backend, const ResidentImage& image, const Resampling& request,
                      const RenderTarget& target) {
    check_timer(target.timer);
    check_request(backend, image, request);
    const bool levels = target.format == RenderTarget::Format::levels;
    if (levels && backend.info().kind != BackendKind::cpu) throw Error("a GPU renders floats, not levels");
    const size_t element = levels ? 1 : 4;
    check_rows(target.row_bytes, request.width, request.height, bytes_per_pixel(target.format, image.channels()),
               element, "the target");
    check_elements(backend, target.pixels, element, "the target's pixels");
}

void check_reference(const BackendMemory& backend, const ResidentImage& image, const Resampling& request,
                     const double* values) {
    if (request.spec.method && kernel_of(*request.spec.method))
        throw Error(fmt::format("the kernel '{}' has no float64 reference: compare it with another method",
                                request.spec.method->name));
    check_request(backend, image, request);
    check_planes("an output", request.width, request.height, image.channels());
    check_elements(backend, values, sizeof(double), "the values");
}

void check_display(const BackendMemory& backend, const DisplayJob& job) {
    check_planes("a picture", job.width, job.height, job.channels);
    if (!job.map) check_plane(backend, job.shown, "the values to show");
    if (job.against.values) check_plane(backend, job.against, "the values to compare with");
    if (job.map) check_elements(backend, job.map, sizeof(float), "the map of errors");
    if (ColourConversion::value_count(job.conversion.kind) > 0)
        check_elements(backend, job.conversion.values, sizeof(float), "the values of the colour conversion");
    if (job.placement.width > 0) check_affine(job.placement.positions, "the positions of the image");
    check_rows(job.row_bytes, job.width, job.height, 4, 4, "the picture");
    check_elements(backend, job.pixels, 4, "the picture's pixels");
}

void check_comparison(const BackendMemory& backend, const MeasureJob& job, const ComparisonSums* sums) {
    check_planes("a comparison", job.width, job.height, job.channels);
    if (job.pixel_values != 0) {
        if (job.pixel_values < job.channels)
            throw Error(fmt::format("pixels {} values apart cannot have {} channels", job.pixel_values, job.channels));
        check_planes("a comparison", job.width, job.height, job.pixel_values);
    }
    const bool fits = job.first_row <= std::numeric_limits<int>::max() - job.height;
    if (job.first_row < 0 || !fits || job.seen_rows < 0 || job.seen_rows > std::min(rows_seen_twice, job.height - 1))
        throw Error(
            fmt::format("a band of {} rows cannot begin at row {} with {} that were counted before: at most {}, "
                        "and fewer than it has",
                        job.height, job.first_row, job.seen_rows, rows_seen_twice));
    if (job.inside && (job.first_row > 0 || job.seen_rows > 0))
        throw Error("a part inside is one of a whole picture: compare that at once");
    check_plane(backend, job.values, "the values");
    check_plane(backend, job.reference, "the reference's values");
    check_elements(backend, sums, alignof(ComparisonSums), "the sums");
}

void check_error_map(const BackendMemory& backend, const ErrorMapJob& job, const float* map) {
    check_planes("a difference", job.width, job.height, std::max(job.channels, job.pixel_values));
    if (job.channels < 1 || (job.pixel_values != 0 && job.pixel_values < job.channels))
        throw Error(fmt::format("pixels {} values apart cannot have {} channels", job.pixel_values, job.channels));
    if (is_map(job.kind) && job.kind != DifferenceKind::ssim &&
        ((job.colours != 1 && job.colours != 3) || job.colours > job.channels))
        throw Error(fmt::format("{} of {} channels are no colours: 1 or 3", job.colours, job.channels));
    if (job.rows && is_map(job.kind) && job.kind != DifferenceKind::delta_e)
        throw Error("of maps of errors only ΔE2000 is computed of single rows");
    if (job.rows && job.row_count < 1) throw Error("a map of errors needs at least one row");
    const double degree = job.pixels_per_degree;
    if (!(degree >= double(least_pixels_per_degree) && degree <= double(most_pixels_per_degree)))
        throw Error(fmt::format("{} pixels per degree: from {} to {} are possible", degree, least_pixels_per_degree,
                                most_pixels_per_degree));
    check_plane(backend, job.values, "the values");
    check_plane(backend, job.reference, "the reference's values");
    if (job.rows) check_elements(backend, job.rows, sizeof(int), "the rows");
    check_elements(backend, map, sizeof(float), "the map");
}

void check_map_sums(const BackendMemory& backend, const MapSumJob& job, const BothMapSums* sums) {
    check_planes("a map of errors", job.width, job.height, 1);
    if (!(job.step > 0)) throw Error("the steps of a map must be above 0");
    check_elements(backend, job.map, sizeof(float), "the map");
    if (job.rows) check_elements(backend, job.rows, sizeof(int), "the rows");
    check_elements(backend, sums, alignof(BothMapSums), "the sums");
}

void check_warped_grid(const BackendMemory& backend, const WarpedGrid& grid, const double* points) {
    check_planes("a grid", grid.width, grid.height, 2);
    check_size("an image", grid.image_width, grid.image_height);
    check_affine(grid.positions, "the view's translation, rotation and scale");
    if (!std::isfinite(grid.warp.strength)) throw Error("the warp's strength must be a finite number");
    for (const double number : grid.warp.matrix)
        if (!std::isfinite(number)) throw Error("the numbers of a homography must be finite");
    check_elements(backend, points, sizeof(double), "the points");
}

void check_transfer(const BackendMemory& backend, const void* memory, const void* host, size_t bytes) {
    if (bytes == 0) return;
    backend.check_memory(memory, "the backend's bytes");
    backend.check_host_memory(host, "the host's bytes");
}

void check_copy(const BackendMemory& backend, const void* to, const void* from, size_t bytes) {
    if (bytes == 0) return;
    backend.check_memory(to, "the bytes to write");
    backend.check_memory(from, "the bytes to copy");
}

void check_are_samples(bool holds_coefficients) {
    if (holds_coefficients)
        throw Error("coefficients were given, but samples are needed: give the image that upload() or adopt() made");
}

void check_coefficients(const TexelArray& coefficients, const AddressPair& address) {
    if (coefficients.address == AddressPair{coefficient_address(address.x), coefficient_address(address.y)}) return;
    throw Error(fmt::format("the coefficients were made for other address modes than {}/{}: prefilter for these",
                            name_of(address.x), name_of(address.y)));
}

}  // namespace texelscope
