#include "gpu/c/requests.h"

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
    constexpr Warp::Kind warps[] = {Warp::Kind::none, Warp::Kind::swirl, Warp::Kind::barrel, Warp::Kind::ripple};
    RenderRequest result;
    static_cast<Sampling&>(result) = sample_request(request);
    result.width = output.width, result.height = output.height;
    result.antialias = all.antialias != 0;
    result.pyramid = all.pyramid != 0;
    result.warp = {choice_of(all.warp, warps, "warp"), all.warp_strength};
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

Place::Place(ts_image& image, const ImagePart& part, int64_t number, const Destination& to, bool doubles)
    : image_(image),
      part_(part),
      destination_(to),
      to_(to.array.image(number, part.first, part.channels)),
      doubles_(doubles) {
    row_bytes_ = size_t(to_.width) * pixel_bytes();
    if (is_in_place()) {
        values_ = to_.data;
        if (to_.height > 1) row_bytes_ = size_t(to_.stride_y);
        return;
    }
    memory_ = image_.engine->output.at_least(*image_.engine->backend, row_bytes_ * size_t(to_.height));
    values_ = memory_.get();
}

bool Place::is_in_place() const {
    const int64_t row = int64_t(to_.width) * to_.channels * to_.element();
    const SampleType type = doubles_ ? SampleType::f64 : SampleType::f32;
    const bool rows_apart =
        to_.height == 1 || (doubles_ ? to_.stride_y == row : to_.stride_y >= row && to_.stride_y % 4 == 0);
    return destination_.array.on_host != image_.engine->on_gpu() && to_.type == type &&
           part_.channels == part_.resident_channels && destination_.scale == 1 && !destination_.replaces_nan &&
           !destination_.divides_by_alpha && to_.has_packed_rows() && rows_apart &&
           reinterpret_cast<uintptr_t>(to_.data) % uintptr_t(to_.element()) == 0;
}

void Place::finish() {
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
    if (!destination_.array.on_host) return scatter_on_cuda(job, backend);
#endif
    std::vector<std::byte> host(row_bytes_ * size_t(to_.height));
    backend.read_back(host.data(), values_, host.size());
    job.values = host.data();
    scatter(job);
}

void for_each_part(ts_image& image, const Destination& to, bool doubles, const Request* request,
                   const std::function<void(const ImagePart&, SourceImage&, Place&)>& body) {
    const double numbers = to.array.numbers() + double(image.height) * image.width * image.channels;
    const double all = double(image.count) * double(image.parts.size());
    const auto work = [&](const Report& report) {
        double done = 0;
        for (int64_t k = 0; k < image.count; ++k)
            for (ImagePart& part : image.parts) {
                report(all > 1 ? done++ / all : -1);
                Place place(image, part, k, to, doubles);
                body(part, part.sources[size_t(k)], place);
                place.finish();
            }
    };
    compute(*image.engine, numbers, request ? request->all.progress : nullptr,
            request ? request->all.progress_context : nullptr, work);
}

}  // namespace texelscope::c
