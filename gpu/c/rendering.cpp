// Pictures, points and coefficients of the C interface.

#include <algorithm>

#include "gpu/backend/cpu_backend.h"
#include "gpu/backend/least_squares.h"
#include "gpu/c/handles.h"
#include "gpu/core/parallel.h"

using namespace texelscope;
using namespace texelscope::c;

namespace {

// Points as the engine reads them: the caller's if they can be, else a copy.
class Points {
public:
    Points(ts_image& image, const ts_array* given, bool on_host)
        : engine_(*image.engine), array_(checked_array(engine_, given, "the array of points")) {
        const int coordinates = image.signal ? 1 : 2;
        if (array_.count != 1 || array_.channels != coordinates ||
            (array_.type != SampleType::f32 && array_.type != SampleType::f64))
            throw Error(fmt::format("the points must be one array of f32 or f64 with {}: x first, then y",
                                    coordinates == 1 ? "1 channel" : "2 channels"));
        if (on_host && !array_.on_host) throw Error("a map that is antialiased must be in host memory");
        const bool in_place = array_.on_host == (on_host || !engine_.on_gpu()) && is_one_row();
        in_place ? use(array_.data, array_.stride_x, array_.stride_channel) : copy(on_host);
    }

    const PointsView& view() const { return view_; }
    Extent size() const { return {array_.width, array_.height}; }

private:
    bool is_one_row() const {
        const int64_t element = bytes_per_sample(array_.type);
        return (array_.height == 1 || array_.stride_y == array_.stride_x * array_.width) && array_.stride_x >= 0 &&
               array_.stride_x % element == 0 && array_.stride_channel % element == 0 &&
               reinterpret_cast<uintptr_t>(array_.data) % uintptr_t(element) == 0;
    }

    void use(const std::byte* data, int64_t stride, int64_t to_y) {
        const int64_t element = bytes_per_sample(array_.type);
        view_ = {data, array_.channels == 2 ? data + to_y : nullptr, size_t(array_.width) * size_t(array_.height),
                 size_t(stride / element), array_.type == SampleType::f64};
    }

    void copy(bool on_host) {
        const size_t row = size_t(array_.width) * size_t(array_.channels) * size_t(bytes_per_sample(array_.type));
        GatherJob job{array_.image(0), nullptr, array_.type, array_.channels, row};
        const size_t bytes = row * size_t(array_.height);
        Backend& backend = *engine_.backend;
        const bool to_device = engine_.on_gpu() && !on_host;
        if (!array_.on_host) backend.check_memory(array_.data, "the points");
        if (array_.on_host) {
            host_.resize(bytes);
            job.to = host_.data();
            gather(job);
        }
        if (to_device) {
            memory_ = engine_.points.at_least(backend, bytes);
            job.to = static_cast<std::byte*>(memory_.get());
            if (array_.on_host) backend.write(job.to, host_.data(), bytes);
#if TEXELSCOPE_WITH_CUDA
            else gather_on_cuda(job, backend);
#endif
        }
        use(job.to, int64_t(array_.channels) * bytes_per_sample(array_.type), bytes_per_sample(array_.type));
    }

    Engine& engine_;
    Array array_;
    std::vector<std::byte> host_;
    std::shared_ptr<void> memory_;
    PointsView view_;
};

void check_size(const Destination& to, Extent wanted, const char* what) {
    if (to.array.width != wanted.width || to.array.height != wanted.height)
        throw Error(fmt::format("the output is {}×{} (width × height): it must be {}×{}, as {}", to.array.width,
                                to.array.height, wanted.width, wanted.height, what));
}

// Rows of floats as they are, without the margin.
void copy_texels(const TexelArray& from, Place& place) {
    const size_t texel = size_t(from.channels) * sizeof(float);
    const auto* first = static_cast<const std::byte*>(from.texels) + size_t(from.margin_y) * from.row_bytes +
                        size_t(from.margin_x) * texel;
    parallel_for(work::copy, from.height, std::max(1, (1 << 18) / std::max(1, int(from.row_bytes))), [&](int y) {
        std::memcpy(static_cast<std::byte*>(place.values()) + size_t(y) * place.row_bytes(),
                    first + size_t(y) * from.row_bytes, size_t(from.width) * texel);
    });
}

// The coefficients, or samples, of the image itself.
void write_texels(SourceImage& source, const MethodSpec& spec, Place& place, Extent size) {
    if (source.write_coefficients(spec, place.target())) return;
    const auto texels = source.prepared_for(spec);
    if (const auto* on_cpu = dynamic_cast<const CpuImage*>(texels.get());
        on_cpu && on_cpu->texels.type == SampleType::f32 && on_cpu->texels.channels == texels->channels())
        return copy_texels(on_cpu->texels, place);
    Resampling whole;  // nearest reads exactly the texel at whole positions
    whole.spec = default_spec(parse_method("nearest"));
    whole.spec.address = with_modes({}, spec.address);
    whole.width = size.width, whole.height = size.height;
    source.backend().resample(*texels, whole, place.target());
}

// Values at points in float64: backend memory, packed.
void sample_reference(SourceImage& source, bool linear_light, const SampleRequest& sampling, const PointsView& points,
                      Extent size, double* values) {
    Resampling reference(sampling);
    const AddressPair& address = reference.spec.address;
    const ResidentImage& samples = source.samples();
    if (address.has_border())
        reference.border =
            border_pixel(address.border, samples.channels(), samples.alpha() != Alpha::none, linear_light);
    if (reference.border.is_zero()) reference.spec.address.border = {};
    reference.width = size.width, reference.height = size.height;
    reference.points = points;
    reference.encode_srgb = linear_light && reference.derivative == Derivative::none;
    source.backend().resample_reference(samples, reference, values);
}

void copy_image(Engine& engine, const Image& picture, Place& place, int height) {
    const size_t row = picture.row_bytes();
    for (int y = 0; y < height; ++y)
        engine.backend->write(static_cast<std::byte*>(place.values()) + size_t(y) * place.row_bytes(), picture.row(y),
                              row);
}

void render(ts_image& of, const ts_request* request, const ts_array* out) {
    const Request all = checked_request(request);
    const Destination to = destination(of, out, all.all.values, all.all.outside, all.all.outside_value);
    const Extent size{to.array.width, to.array.height};
    const RenderRequest rendering = render_request(all, {of.width, of.height}, size);
    const auto renders_batch = [&](const SourceImage& source) {
        return !all.all.float64 && source.renders_batch(rendering);
    };
    const auto renders_levels = [&](const SourceImage& source) {
        return source.renders_levels(rendering.spec.address);
    };
    for_each_part(of, to, all.all.float64 != 0, &all, {renders_batch, renders_levels},
                  [&](const ImagePart&, SourceImage& source, Place& place) {
                      if (all.all.float64) source.render_reference(rendering, static_cast<double*>(place.values()));
                      else if (all.all.least_squares) render_least_squares(source, rendering, place.target());
                      else source.render(rendering, place.target());
                  });
}

}  // namespace

extern "C" {

int ts_render(ts_image* image, const ts_request* request, const ts_array* out) {
    return guarded([&] {
        ts_image& of = checked(image, "the image");
        const Turn turn(*of.engine);
        render(of, request, out);
    });
}

int ts_render_array(ts_backend* backend, const ts_array* samples, const ts_image_options* options,
                    const ts_request* request, const ts_array* out) {
    return guarded([&] {
        const auto& engine = checked(backend, "the backend").engine;
        const Turn turn(*engine);
        render(*made_image(engine, samples, options), request, out);
    });
}

int ts_sample(ts_image* image, const ts_request* request, const ts_array* points, const ts_array* out) {
    return guarded([&] {
        ts_image& of = checked(image, "the image");
        const Turn turn(*of.engine);
        const Request all = checked_request(request);
        const bool map = all.all.antialias != 0;
        const bool exact = all.all.float64 != 0;
        if (all.all.least_squares) throw Error("points are not read by least squares: that shrinks pictures");
        if (map && exact) throw Error("an antialiased map has no float64 reference: ask for one of the two");
        if (all.all.outside == TS_BACKGROUND) throw Error("points have no background: choose extend, nan or a value");
        const Destination to = destination(of, out, all.all.values, all.all.outside, all.all.outside_value);
        const Points read(of, points, map);
        check_size(to, read.size(), "the array of points");
        const SampleRequest sampling = sample_request(all);
        const FetchPath path = sampling.spec.effective_path();
        const bool by_texture = path == FetchPath::lookup || path == FetchPath::hardware;
        const auto samples_batch = [&](const SourceImage&) { return !exact && !map && !by_texture; };
        for_each_part(
            of, to, exact, &all, {samples_batch, {}}, [&](const ImagePart&, SourceImage& source, Place& place) {
                if (exact)
                    return sample_reference(source, of.linear_light, sampling, read.view(), read.size(),
                                            static_cast<double*>(place.values()));
                if (map)
                    return copy_image(*of.engine,
                                      source.render_map(sampling, read.view(), read.size().width, read.size().height),
                                      place, read.size().height);
                if (place.is_packed())
                    return source.sample(sampling, read.view(), static_cast<float*>(place.values()),
                                         place.image_bytes());
                const size_t width = size_t(read.size().width);  // row after row of an output whose rows are apart
                for (int y = 0; y < read.size().height; ++y) {
                    PointsView row = read.view().from(size_t(y) * width);
                    row.count = width;
                    source.sample(sampling, row,
                                  reinterpret_cast<float*>(static_cast<std::byte*>(place.values()) +
                                                           size_t(y) * place.row_bytes()),
                                  place.image_bytes());
                }
            });
    });
}

int ts_prefilter(ts_image* image, const ts_request* request, const ts_array* out) {
    return guarded([&] {
        ts_image& of = checked(image, "the image");
        const Turn turn(*of.engine);
        const Request all = checked_request(request);
        const Destination to = destination(of, out, all.all.values);
        check_size(to, {of.width, of.height}, "the image");
        const auto any = [](const SourceImage&) { return true; };
        for_each_part(of, to, false, &all, {any, {}}, [&](const ImagePart&, SourceImage& source, Place& place) {
            write_texels(source, all.spec, place, {of.width, of.height});
        });
    });
}

}  // extern "C"
