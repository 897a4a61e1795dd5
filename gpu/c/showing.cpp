// Pictures as a screen shows them, and differences of two of the C interface.

#include "gpu/c/handles.h"

#include <algorithm>
#include <iterator>

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

int ts_difference(ts_image* image, const ts_request* request, ts_image* against, int32_t kind, const ts_array* out) {
    return guarded([&] {
        ts_image& of = checked(image, "the image");
        ts_image& other = checked(against, "the image to compare with");
        Engine& engine = *of.engine;
        const Turn turn(engine);
        const Request all = checked_request(request);
        constexpr DifferenceKind kinds[] = {DifferenceKind::absolute, DifferenceKind::signed_, DifferenceKind::squared,
                                            DifferenceKind::relative, DifferenceKind::signed_};
        DifferenceJob job;
        job.kind = choice_of(kind, kinds, "kind");
        job.colours = kind == TS_DELTA_E;
        check_pair(of, other);
        if (job.colours && of.channels != 3 && of.channels != 4)
            throw Error(fmt::format("{} channels have no colours: ΔE is of 3 or 4", of.channels));
        only_source(of, "a difference");
        // The result has the image's channels, but of ΔE one: what is written is that of a part of so many.
        ts_image result;
        result.engine = of.engine;
        result.height = of.height, result.width = of.width, result.type = of.type;
        result.channels = job.colours ? 1 : of.channels;
        Destination to = destination(result, out, all.all.values);
        const double levels = all.all.values == TS_UNIT ? 1 : unit_of(of.type);
        to.scale = job.kind == DifferenceKind::relative || job.colours ? 1
                   : job.kind == DifferenceKind::squared               ? levels * levels
                                                                       : levels;
        ImagePart part;
        part.channels = part.resident_channels = result.channels;
        compute(engine, to.array.numbers(), all.all.progress, all.all.progress_context, [&](const Report&) {
            const Extent size{to.array.width, to.array.height};
            const Rendering first(of, all, size, "a difference"), second(other, all, size, "a difference");
            const size_t row = size_t(size.width) * size_t(result.channels) * sizeof(float);
            const std::shared_ptr<void> memory = engine.backend->allocate(row * size_t(size.height));
            job.values = first.values(), job.reference = second.values();
            job.to = static_cast<float*>(memory.get());
            job.width = size.width, job.height = size.height, job.channels = of.channels;
            job.pixel_values = first.channels();
            if (!engine.on_gpu())
                parallel_for(work::copy, job.height, std::max(1, (1 << 14) / job.width), [&](int y) {
                    for (int x = 0; x < job.width; ++x) write_difference(job, x, y);
                });
#if TEXELSCOPE_WITH_CUDA
            else difference_on_cuda(job, *engine.backend);
#endif
            Place place(result, part, 0, 1, to, false);
            place.take(memory);
        });
    });
}

}  // extern "C"
