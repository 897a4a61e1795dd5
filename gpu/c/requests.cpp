#include "gpu/c/handles.h"

namespace texelscope::c {
namespace {

// What a stored number 1 is for the engine: 1/255 of u8.
double levels_of(SampleType type) { return type == SampleType::u8 ? 255 : type == SampleType::u16 ? 65535 : 1; }

}  // namespace

Request checked_request(const ts_request* given) {
    Request request;
    request.all = known_fields(&checked(given, "the request"), "ts_request");
    request.spec = spec_of(request.all.method);
    constexpr Outside outsides[] = {Outside::extend, Outside::background, Outside::nan, Outside::nan};
    constexpr Derivative derivatives[] = {Derivative::none, Derivative::x, Derivative::y};
    request.outside = choice_of(request.all.outside, outsides, "outside");
    request.derivative = choice_of(request.all.derivative, derivatives, "derivative");
    if (request.all.least_squares && request.all.float64)
        throw Error("least squares have no float64 reference: ask for one of the two");
    return request;
}

RenderRequest render_request(const Request& request, Extent image, Extent output) {
    const ts_request& all = request.all;
    constexpr int mappings[] = {TS_CENTERS, TS_CORNERS, TS_ORIGIN, TS_VIEW, TS_AFFINE};
    constexpr Warp::Kind warps[] = {Warp::Kind::none, Warp::Kind::swirl, Warp::Kind::barrel, Warp::Kind::ripple,
                                    Warp::Kind::plane};
    RenderRequest result;
    static_cast<Sampling&>(result) = sample_request(request);
    result.width = output.width, result.height = output.height;
    result.antialias = all.antialias != 0;
    result.pyramid = all.pyramid != 0;
    result.warp = {.kind = choice_of(all.warp, warps, "warp"), .strength = all.warp_strength};
    switch (choice_of(all.mapping, mappings, "mapping")) {
        case TS_CENTERS:
            result.positions = aligned_affine(Align::centers, image.width, image.height, output.width, output.height);
            break;
        case TS_CORNERS:
            result.positions = aligned_affine(Align::corners, image.width, image.height, output.width, output.height);
            break;
        case TS_ORIGIN:
            result.positions = aligned_affine(Align::origin, image.width, image.height, output.width, output.height);
            break;
        case TS_VIEW:
            result.view = {all.translate_x, all.translate_y, all.scale == 0 ? 1 : all.scale, all.rotate};
            break;
        case TS_AFFINE:
            result.positions =
                Affine{all.affine[0], all.affine[1], all.affine[2], all.affine[3], all.affine[4], all.affine[5]};
            break;
    }
    return result;
}

SampleRequest sample_request(const Request& request) { return {request.spec, request.outside, request.derivative}; }

Destination destination(const ts_image& image, const ts_array* out, int32_t values, int32_t outside,
                        double outside_value) {
    constexpr bool units[] = {false, true};
    Destination to;
    to.array = checked_array(*image.engine, out, "the output");
    if (to.array.count != image.count || to.array.channels != image.channels)
        throw Error(fmt::format("the output has {} images of {} channels: it must have {} of {}, as the samples",
                                to.array.count, to.array.channels, image.count, image.channels));
    const bool unit = choice_of(values, units, "values");
    to.scale = levels_of(unit ? to.array.type : image.type);
    to.divides_by_alpha = image.straight_alpha;
    to.replaces_nan = outside == TS_VALUE;
    to.instead = unit ? outside_value * levels_of(to.array.type) : outside_value;
    return to;
}

Place::Place(ts_image& image, const ImagePart& part, int64_t first, int images, const Destination& to, bool doubles,
             const std::function<bool()>& rendered_as_levels)
    : image_(image),
      part_(part),
      first_(first),
      images_(images),
      destination_(to),
      to_(part.image_in(to.array, first)),
      step_(images > 1 ? part.step_in(to.array) : 0),
      doubles_(doubles) {
    row_bytes_ = size_t(to_.width) * pixel_bytes();
    levels_ = is_packed_levels() && rendered_as_levels && rendered_as_levels();
    if (levels_ || is_in_place()) {
        values_ = to_.data;
        if (to_.height > 1) row_bytes_ = size_t(to_.stride_y);
        image_bytes_ = size_t(step_);
        return;
    }
    if (!to.array.on_host) image.engine->backend->check_memory(to_.data, "the output");
    if (images_ > 1) image_bytes_ = row_bytes_ * size_t(to_.height);
    const size_t bytes = images_ > 1 ? image_bytes_ * size_t(images_) : row_bytes_ * size_t(to_.height);
    memory_ = image_.engine->output.at_least(*image_.engine->backend, bytes);
    values_ = memory_.get();
}

// Rows in the backend's own memory, as it writes them, of values that need nothing else.
bool Place::has_rows_of(SampleType type) const {
    const int64_t row = int64_t(to_.width) * to_.channels * to_.element();
    const bool rows_apart =
        to_.height == 1 || (doubles_ ? to_.stride_y == row : to_.stride_y >= row && to_.stride_y % to_.element() == 0);
    return destination_.array.on_host != image_.engine->on_gpu() && to_.type == type &&
           part_.channels == part_.resident_channels && !destination_.replaces_nan && !destination_.divides_by_alpha &&
           to_.has_packed_rows() && rows_apart && reinterpret_cast<uintptr_t>(to_.data) % uintptr_t(to_.element()) == 0;
}

bool Place::is_in_place() const {
    const bool images_apart = images_ == 1 || (step_ > 0 && step_ % int64_t(pixel_bytes()) == 0);
    return has_rows_of(doubles_ ? SampleType::f64 : SampleType::f32) && images_apart && destination_.scale == 1;
}

bool Place::is_packed_levels() const {
    return !doubles_ && images_ == 1 && destination_.scale == 255 && has_rows_of(SampleType::u8);
}

void Place::take(const std::shared_ptr<void>& results) {
    memory_ = results;
    values_ = results.get();
    row_bytes_ = size_t(to_.width) * pixel_bytes();
    finish();
}

void Place::finish() {
    if (!image_.engine->on_gpu()) image_.engine->backend->synchronize();  // throws if a kernel of one's own was stopped
    if (!memory_) return;
    ScatterJob job{.values = static_cast<const std::byte*>(values_),
                   .doubles = doubles_,
                   .channels = part_.resident_channels,
                   .to = to_,
                   .scale = destination_.scale,
                   .replaces_nan = destination_.replaces_nan,
                   .divides_by_alpha = destination_.divides_by_alpha,
                   .instead = destination_.instead};
    Backend& backend = *image_.engine->backend;
    if (!image_.engine->on_gpu()) return scatter(job);
#if TEXELSCOPE_WITH_CUDA
    if (!destination_.array.on_host) {
        const bool together = images_ > 1 && step_ != 0;
        if (together) job.batch = {images_, step_, int64_t(image_bytes_)};
        for (int k = 0; k < (together ? 1 : images_); ++k, job.values += image_bytes_) {
            job.to = part_.image_in(destination_.array, first_ + k);
            scatter_on_cuda(job, backend);
        }
        return;
    }
#endif
    std::vector<std::byte> host(row_bytes_ * size_t(to_.height) * size_t(images_));
    backend.read_back(host.data(), values_, host.size());
    job.values = host.data();
    for (int k = 0; k < images_; ++k, job.values += image_bytes_) {
        job.to = part_.image_in(destination_.array, first_ + k);
        scatter(job);
    }
}

namespace {

// The images of a batch one by one.
std::vector<SourceImage>& alone(ImageGroup& group, const std::shared_ptr<Backend>& backend) {
    for (int k = int(group.alone.size()); k < group.view.images; ++k) {
        ImageView view = group.view;
        view.samples = static_cast<const std::byte*>(view.samples) + size_t(k) * view.image_bytes;
        view.images = 1;
        view.image_bytes = 0;
        group.alone.emplace_back(backend, view);
    }
    return group.alone;
}

}  // namespace

void for_each_part(ts_image& image, const Destination& to, bool doubles, const Request* request, const Abilities& can,
                   const std::function<void(const ImagePart&, SourceImage&, Place&)>& body) {
    const double numbers = to.array.numbers() + double(image.height) * image.width * image.channels;
    double all = 0;
    for (const ImagePart& part : image.parts) all += double(part.groups.size());
    const auto work = [&](const Report& report) {
        double done = 0;
        const auto compute_images = [&](const ImagePart& part, SourceImage& source, int64_t first, int images) {
            const auto as_levels = [&] { return can.renders_levels && can.renders_levels(source); };
            Place place(image, part, first, images, to, doubles, as_levels);
            body(part, source, place);
            place.finish();
        };
        for (ImagePart& part : image.parts)
            for (ImageGroup& group : part.groups) {
                report(all > 1 ? done++ / all : -1);
                if (group.view.images == 1 || can.renders_batch(group.source)) {
                    compute_images(part, group.source, group.first, group.view.images);
                } else {
                    int64_t number = group.first;
                    for (SourceImage& source : alone(group, image.engine->backend))
                        compute_images(part, source, number++, 1);
                }
            }
    };
    compute(*image.engine, numbers, request ? request->all.progress : nullptr,
            request ? request->all.progress_context : nullptr, work);
}

}  // namespace texelscope::c
