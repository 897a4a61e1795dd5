// Pictures as a screen shows them, differences of two, and their figures, of the C interface.

#include <algorithm>
#include <iterator>
#include <optional>

#include "gpu/c/handles.h"
#include "gpu/compare/error_map.h"
#include "gpu/compare/metrics.h"
#include "gpu/core/parallel.h"

using namespace texelscope;
using namespace texelscope::c;

namespace {

// The only part of a single image of up to four channels side by side.
SourceImage& only_source(ts_image& image, const char* what) {
    if (image.count != 1 || image.parts.size() != 1 || image.parts[0].planes)
        throw Error(fmt::format("{} is of a single image of up to four channels side by side, not of {} images of {}",
                                what, image.count, image.channels));
    return image.parts[0].groups[0].source;
}

// What a request renders of an image: packed floats in memory of the backend.
class Rendering {
public:
    Rendering(ts_image& image, const Request& request, Extent size, const char* what)
        : source_(only_source(image, what)) {
        channels_ = source_.samples().channels();
        const size_t row = size_t(size.width) * size_t(channels_) * sizeof(float);
        memory_ = image.engine->backend->allocate(row * size_t(size.height));
        source_.render(
            render_request(request, {image.width, image.height}, size),
            {.pixels = memory_.get(), .row_bytes = row, .format = RenderTarget::Format::floats, .timer = no_timer});
    }
    int channels() const { return channels_; }
    bool has_alpha() const { return source_.samples().alpha() != Alpha::none; }
    const float* values() const { return static_cast<const float*>(memory_.get()); }

private:
    SourceImage& source_;
    int channels_ = 1;
    std::shared_ptr<void> memory_;
};

void check_pair(const ts_image& image, const ts_image& against) {
    if (against.engine != image.engine) throw Error("both images must be of the same backend");
    if (against.channels != image.channels)
        throw Error(
            fmt::format("images of {} and of {} channels cannot be compared", image.channels, against.channels));
}

template <class Value, size_t n> Value value_of(int32_t number, const NamedValue<Value> (&table)[n], const char* name) {
    if (number < 0 || number >= int32_t(n))
        throw UsageError(fmt::format("{} is {}: choose 0 to {}", name, number, n - 1));
    return table[number].value;
}

float finite_in(float number, float least, float largest, const char* name) {
    if (!(number >= least && number <= largest))
        throw UsageError(fmt::format("{} is {}: a number from {} to {}", name, number, least, largest));
    return number;
}

// Null options, and zero in them, are the defaults of DisplaySettings.
void set_display(DisplayJob& job, const ts_display_options& all, double unit) {
    DisplaySettings& s = job.display;
    s.exposure = finite_in(all.exposure, -16, 16, "exposure");
    if (all.gamma != 0) s.gamma = finite_in(all.gamma, 0.1f, 10, "gamma");
    s.black = float(double(all.black) / unit);
    if (all.black != 0 || all.white != 0) s.white = float(double(all.white) / unit);
    if (!(s.black < s.white)) throw UsageError("black must be below white");
    static_assert(std::size(tone_curves) == TS_ACES + 1 && std::size(channel_views) == TS_LUMA + 1 &&
                  std::size(colour_maps) == TS_BALANCE + 1);  // each in the order of its table
    s.curve = value_of(all.curve, tone_curves, "curve");
    s.channel = value_of(all.channel, channel_views, "channel");
    constexpr ComplexView views[] = {ComplexView::polar, ComplexView::parts, ComplexView::magnitude, ComplexView::phase,
                                     ComplexView::domain};
    s.complex = choice_of(all.complex_view, views, "complex_view");
    s.map = value_of(all.map, colour_maps, "map");
    s.backdrop = all.grey_backdrop ? Backdrop::grey : Backdrop::checkerboard;
    s.invert = all.invert != 0;
    s.mark_nonfinite = !all.unmarked;
    DifferenceSettings& d = job.difference;
    constexpr DifferenceKind kinds[] = {DifferenceKind::absolute, DifferenceKind::signed_, DifferenceKind::squared,
                                        DifferenceKind::relative};
    d.kind = choice_of(all.difference, kinds, "difference");
    if (all.gain != 0) d.gain = finite_in(all.gain, 1, 0x1p24f, "gain");
    d.map = s.map;
}

constexpr double unit_of(SampleType type) { return type == SampleType::u8 ? 255 : type == SampleType::u16 ? 65535 : 1; }
constexpr bool has_levels(SampleType type) { return unit_of(type) > 1; }

// Pixels in memory of the backend to an array of packed pixels, whose rows may be apart.
void write_pixels(Engine& engine, const std::shared_ptr<void>& pixels, const Array& to) {
    const size_t row = size_t(to.width) * 4;
    std::vector<std::byte> host;
    const auto* from = static_cast<const std::byte*>(pixels.get());
    if (engine.on_gpu() && to.on_host) {
        host.resize(row * size_t(to.height));
        engine.backend->read_back(host.data(), from, host.size());
        from = host.data();
    }
    for (int y = 0; y < to.height; ++y, from += row) {
        std::byte* const at = to.data + y * to.stride_y;
        if (to.on_host) std::memcpy(at, from, row);
        else engine.backend->copy(at, from, row);
    }
}

// What a difference from this image is by the caller's options, without its values.
ErrorMapJob difference_job(const ts_difference_options& all, const ts_image& right, bool has_alpha) {
    constexpr DifferenceKind kinds[] = {DifferenceKind::absolute, DifferenceKind::signed_, DifferenceKind::squared,
                                        DifferenceKind::relative, DifferenceKind::delta_e, DifferenceKind::ssim,
                                        DifferenceKind::flip,     DifferenceKind::gradient};
    ErrorMapJob job;
    job.kind = choice_of(all.kind, kinds, "kind");
    const int colours = int(right.channels) - (has_alpha ? 1 : 0);
    if (is_map(job.kind) && job.kind != DifferenceKind::ssim && colours == 2)
        throw Error(fmt::format("{} needs grey or three colours, not two channels", row_of(job.kind).label()));
    job.colours = colours >= 3 ? 3 : 1;
    job.linear = all.linear != 0;
    if (job.linear && has_levels(right.type)) throw Error("only floats can be linear light");
    if (all.pixels_per_degree != 0) job.pixels_per_degree = all.pixels_per_degree;
    if (!(all.peak >= 0)) throw UsageError(fmt::format("peak is {}: a number above 0", all.peak));
    if (all.peak > 0) job.peak = all.peak / unit_of(right.type);
    return job;
}

// Over which FLIP is computed.
FlipExposures exposures(const ts_difference_options& all, const ts_image& right, const ErrorMapJob& job) {
    constexpr int32_t choices[] = {TS_BY_RANGE, TS_ON_SCREEN, TS_HIGH_RANGE};
    const int32_t wanted = choice_of(all.exposures, choices, "exposures");
    if (wanted == TS_ON_SCREEN || (wanted == TS_BY_RANGE && has_levels(right.type))) return {};
    Backend& backend = *right.engine->backend;
    if (wanted == TS_BY_RANGE && !job.linear) {  // on the screen if no number is above 1
        const auto* numbers = static_cast<const float*>(job.reference.values);
        const int width = int(size_t(job.width) * pixel_step(job));
        if (!(backend.map_figures({.map = numbers, .width = width, .height = job.height}).largest > 1)) return {};
    }
    const size_t pixels = size_t(job.width) * size_t(job.height);
    const auto* values = static_cast<const float*>(job.reference.values);
    std::vector<float> host;
    if (right.engine->on_gpu()) {
        host.resize(pixels * pixel_step(job));
        backend.read_back(host.data(), values, host.size() * sizeof(float));
        values = host.data();
    }
    return exposures_of(values, pixels, int(pixel_step(job)), job.colours, job.linear || wanted == TS_HIGH_RANGE);
}

// From differences of values of the unit range to numbers.
double scale_of(DifferenceKind kind, double levels) {
    if (is_map(kind) || kind == DifferenceKind::relative) return 1;
    return kind == DifferenceKind::squared ? levels * levels : levels;
}

ts_map_figures struct_of(const MapFigures& figures) {
    ts_map_figures all{.size = 0,
                       .mean = figures.mean,
                       .deviation = figures.deviation,
                       .weighted_median = figures.weighted_median,
                       .percentile_95 = figures.percentile_95,
                       .largest = figures.largest,
                       .pixels = figures.pixels,
                       .worst_x = figures.worst_x,
                       .worst_y = figures.worst_y,
                       .histogram = {}};
    static_assert(TS_HISTOGRAM == MapFigures::columns);
    std::copy(figures.histogram.begin(), figures.histogram.end(), all.histogram);
    return all;
}

ts_metrics struct_of(const Metrics& figures) {
    return {.size = 0,
            .rmse = figures.rmse,
            .max_abs = figures.max_abs,
            .psnr = figures.psnr,
            .ssim = figures.ssim,
            .pixels = figures.pixels,
            .left_out = figures.left_out,
            .worst_x = figures.worst_x,
            .worst_y = figures.worst_y};
}

// Values of an array as the engine measures them: packed floats or doubles in memory of the backend.
std::shared_ptr<void> measured_values(Engine& engine, const Array& array) {
    const SampleType type = array.type == SampleType::f64 ? SampleType::f64 : SampleType::f32;
    const size_t row = size_t(array.width) * size_t(array.channels) * size_t(bytes_per_sample(type)),
                 bytes = row * size_t(array.height);
    auto memory = engine.backend->allocate(bytes);
    GatherJob job{array.image(0), static_cast<std::byte*>(memory.get()), type, array.channels, row};
    if (!engine.on_gpu()) {
        gather(job);
    } else if (array.on_host) {
        std::vector<std::byte> host(bytes);
        job.to = host.data();
        gather(job);
        engine.backend->write(memory.get(), host.data(), bytes);
    }
#if TEXELSCOPE_WITH_CUDA
    else {
        engine.backend->check_memory(array.data, "the array");
        gather_on_cuda(job, *engine.backend);
    }
#endif
    return memory;
}

}  // namespace

extern "C" {

int ts_display(ts_image* image, const ts_request* request, ts_image* against, const ts_display_options* options,
               const ts_array* out) {
    return guarded([&] {
        ts_image& of = checked(image, "the image");
        Engine& engine = *of.engine;
        const Turn turn(engine);
        const Request all = checked_request(request);
        const ts_display_options wanted = known_fields(options, "ts_display_options");
        const Array to = checked_array(engine, out, "the output");
        if (to.count != 1 || to.channels != 4 || to.type != SampleType::u8 || to.stride_channel != 1 ||
            to.stride_x != 4)
            throw Error("what is displayed is one image of u8 with 4 channels, whose pixels are packed");
        if (!to.on_host) engine.backend->check_memory(to.data, "the output");
        if (against) check_pair(of, *against);
        compute(engine, to.numbers(), all.all.progress, all.all.progress_context, [&](const Report&) {
            const Extent size{to.width, to.height};
            const Rendering shown(of, all, size, "a display");
            std::optional<Rendering> other;
            if (against) other.emplace(*against, all, size, "a display");
            DisplayJob job;
            job.shown = {shown.values(), false};
            if (other) job.against = {other->values(), false};
            job.width = to.width, job.height = to.height, job.channels = shown.channels();
            job.has_alpha = shown.has_alpha();
            set_display(job, wanted, unit_of(of.type));
            job.row_bytes = size_t(to.width) * 4;
            const std::shared_ptr<void> pixels = engine.backend->allocate(job.row_bytes * size_t(to.height));
            job.pixels = static_cast<uint32_t*>(pixels.get());
            engine.backend->display(job);
            write_pixels(engine, pixels, to);
        });
    });
}

int ts_difference(ts_image* image, const ts_request* request, ts_image* against, const ts_difference_options* options,
                  const ts_array* out, ts_map_figures* figures) {
    return guarded([&] {
        ts_image& of = checked(image, "the image");
        ts_image& other = checked(against, "the image to compare with");
        Engine& engine = *of.engine;
        const Turn turn(engine);
        const Request all = checked_request(request);
        const ts_difference_options wanted = known_fields(options, "ts_difference_options");
        check_pair(of, other);
        const bool has_alpha = only_source(other, "a difference").samples().alpha() != Alpha::none;
        only_source(of, "a difference");
        ErrorMapJob job = difference_job(wanted, other, has_alpha);
        if (figures) known_fields(figures, "ts_map_figures");
        if (figures && !is_map(job.kind))
            throw Error("figures are those of maps of errors, not of differences of values");
        // The result has the image's channels, a map one: what is written is that of a part of so many.
        ts_image result;
        result.engine = of.engine;
        result.height = of.height, result.width = of.width, result.type = of.type;
        result.channels = is_map(job.kind) ? 1 : of.channels;
        const bool kept = out || !figures;  // else the map has the size of the image
        Destination to;
        if (kept) to = destination(result, out, all.all.values);
        to.scale = scale_of(job.kind, all.all.values == TS_UNIT ? 1 : unit_of(of.type));
        const Extent size = kept ? Extent{to.array.width, to.array.height} : Extent{of.width, of.height};
        job.width = size.width, job.height = size.height, job.channels = of.channels;
        ImagePart part;
        part.channels = part.resident_channels = result.channels;
        MapFigures found;
        compute(engine, double(size.width) * size.height * of.channels, all.all.progress, all.all.progress_context,
                [&](const Report&) {
                    const Rendering first(of, all, size, "a difference"), second(other, all, size, "a difference");
                    job.values = {first.values()}, job.reference = {second.values()};
                    job.pixel_values = first.channels();
                    if (job.kind == DifferenceKind::flip) job.exposures = exposures(wanted, other, job);
                    Backend& backend = *engine.backend;
                    const std::shared_ptr<void> memory = backend.allocate(map_size(job) * sizeof(float));
                    auto* map = static_cast<float*>(memory.get());
                    backend.map_errors(job, map);
                    if (figures)
                        found = backend.map_figures(
                            {.map = map, .width = job.width, .height = job.height, .step = map_step(job.kind)});
                    if (kept) Place(result, part, 0, 1, to, false).take(memory);
                });
        if (figures) write_known_fields(figures, struct_of(found), "ts_map_figures");
    });
}

int ts_compare(ts_backend* backend, const ts_array* values, const ts_array* reference, double peak,
               ts_metrics* metrics) {
    return guarded([&] {
        Engine& engine = *checked(backend, "the backend").engine;
        const Turn turn(engine);
        const Array a = checked_array(engine, values, "the array of values"),
                    b = checked_array(engine, reference, "the reference");
        if (a.count != 1 || b.count != 1 || a.width != b.width || a.height != b.height || a.channels != b.channels)
            throw Error(fmt::format(
                "only single images of the same size can be compared, not {}×{}×{} with {}×{}×{} (height × width × channels)",
                a.height, a.width, a.channels, b.height, b.width, b.channels));
        Metrics figures;
        compute(engine, a.numbers(), nullptr, nullptr, [&](const Report&) {
            const auto first = measured_values(engine, a), second = measured_values(engine, b);
            MeasureJob job;
            job.values = {first.get(), a.type == SampleType::f64};
            job.reference = {second.get(), b.type == SampleType::f64};
            job.width = a.width, job.height = a.height, job.channels = a.channels;
            job.peak = peak > 0 ? peak : unit_of(b.type);
            figures = engine.backend->measure(job);
        });
        write_known_fields(metrics, struct_of(figures), "ts_metrics");
    });
}

}  // extern "C"
