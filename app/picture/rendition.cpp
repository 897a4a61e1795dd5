#include "app/picture/rendition.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "app/picture/kept_pictures.h"
#include "app/picture/pane_picture.h"
#include "app/picture/reference_values.h"
#include "app/state/panes.h"
#include "gpu/backend/source_image.h"
#include "gpu/backend/source_state.h"
#include "gpu/compare/metrics.h"
#include "gpu/display/display.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/polar_method.h"

namespace texelscope {
namespace {

size_t pixels_of(const RenderRequest& request) { return size_t(request.width) * size_t(request.height); }

// The position of the image, so that the background around it is the same everywhere; unknown under a warp.
DisplayJob::Placement placement_of(const Rendition& rendition) {
    const RenderRequest& r = rendition.request;
    if (r.outside == Outside::extend || r.warp.kind != Warp::Kind::none) return {};
    const int width = rendition.image->width(), height = rendition.image->height();
    return {positions_of(r, width, height), width, height};
}

void check_alike(const Rendition& a, const Rendition& b) {
    if (const std::string why = why_not_comparable(a, b); !why.empty()) throw Error(why);
}

}  // namespace

std::vector<const Rendition*> PanePicture::renditions() const {
    return against ? std::vector{&shown, &*against} : std::vector{&shown};
}

void leave_out_outside(PanePicture& picture) {
    for (Rendition* each : {&picture.shown, picture.against ? &*picture.against : nullptr})
        if (each && each->request.outside == Outside::background) each->request.outside = Outside::nan;
}

PanePicture mapped(PanePicture picture) {
    picture.display = {};
    const bool seen_from_afar = picture.difference.kind == DifferenceKind::flip;
    const DifferenceSettings settings = picture.difference;
    picture.difference = {.kind = settings.kind};
    if (seen_from_afar) picture.difference.pixels_per_degree = settings.pixels_per_degree;
    return picture;
}

std::string why_not_comparable(const Rendition& a, const Rendition& b) {
    if (!a.image || !b.image) return "an image has not been read yet";  // undo brings back one that was closed
    if (a.image->channels() != b.image->channels())
        return fmt::format("pictures of {} and {} channels cannot be compared: both must have the same number",
                           a.image->channels(), b.image->channels());
    if (a.image->one_dimensional() != b.image->one_dimensional())
        return "a signal and an image cannot be compared: both must be one or the other";
    if (a.request.width != b.request.width || a.request.height != b.request.height)
        return fmt::format("pictures of {}×{} and {}×{} pixels cannot be compared: both must have the same size",
                           a.request.width, a.request.height, b.request.width, b.request.height);
    return {};
}

std::string why_no_map(DifferenceKind kind, const Image& image) {
    if (!is_map(kind)) return {};
    if (!image.in_memory()) return "maps of errors need the whole image in memory, and this one is too large for that";
    const int colours = image.channels() - (image.alpha() == Alpha::none ? 0 : 1);
    if (kind == DifferenceKind::ssim || colours != 2) return {};
    return fmt::format("{} needs grey or three colours, not two channels", row_of(kind).label());
}

std::shared_ptr<const ProfileConversion> conversion_of(const PanePicture& picture) {
    const DisplaySettings& display = picture.display;
    if (!picture.shown.image || picture.against || !display.by_profile || display.channel != ChannelView::all)
        return nullptr;
    auto conversion = profile_conversion(*picture.shown.image);
    return conversion && conversion->conversion.kind != ColourConversion::Kind::none ? conversion : nullptr;
}

bool is_plain(const PanePicture& picture) {
    const Image& image = *picture.shown.image;
    const bool alpha = image.alpha() != Alpha::none;
    DisplaySettings plain;
    plain.mark_nonfinite = false;
    plain.complex = ComplexView::parts;
    plain.backdrop = Backdrop::grey;
    DisplaySettings display = picture.display;
    display.by_profile = plain.by_profile;  // it matters only with a profile
    if (!alpha) display.backdrop = plain.backdrop;
    if (alpha || image.channels() != 2) display.complex = plain.complex;
    if (!is_float(image.type())) display.mark_nonfinite = false;
    return !picture.against && !picture.shown.float64 && display == plain && !conversion_of(picture);
}

std::shared_ptr<SourceCache> sources_beside(const PanePicture& picture, const SourceCache& sources) {
    auto beside = std::make_shared<SourceCache>(make_cpu_backend());
    const auto share = [&](const Rendition& each) {
        if (beside->has(each.image, each.light)) return;
        const auto shared = sources.shared_on(beside->backend(), each.image, each.light);
        if (shared) beside->put(each.image, each.light, std::move(*shared));
    };
    share(picture.shown);
    if (picture.against) share(*picture.against);
    return beside;
}

bool PaneRenderer::prepare(const PanePicture& picture) {
    if (picture.against) check_alike(picture.shown, *picture.against);
    bool computed = false;
    for (const Rendition* each : picture.renditions())
        if (!each->float64) computed = source_of(*each).prepare(each->request) || computed;
    return computed;
}

PaneRenderer::Values PaneRenderer::values_of(const Rendition& rendition, Scratch& scratch, int timer, ToCome to_come) {
    SourceImage& source = source_of(rendition);
    const size_t channels = size_t(source.samples().channels()), count = pixels_of(rendition.request) * channels;
    const bool by_regions = source.regions() && !rendition.formula;  // its regions know the values
    if (rendition.float64 && known_ && !by_regions) {
        const ReferenceValues::Values known = known_->at(rendition, source);
        void* const values = const_cast<double*>(known->data());  // which is only read
        return {std::shared_ptr<void>(known, values), {values, true}};
    }
    if (rendition.float64) {
        const std::shared_ptr<void> doubles = scratch.at_least(source.backend(), count * sizeof(double));
        if (rendition.formula) {
            const std::vector<double> values = formula_values(rendition);
            source.backend().write(doubles.get(), values.data(), values.size() * sizeof(double));
            return {doubles, {doubles.get(), true}};
        }
        if (source.render_reference(rendition.request, static_cast<double*>(doubles.get()), to_come))
            return {doubles, {doubles.get(), true}};
        if (to_come == ToCome::nothing) return {};
    }
    const std::shared_ptr<void> floats = scratch.at_least(source.backend(), count * sizeof(float));
    const size_t row_bytes = size_t(rendition.request.width) * channels * sizeof(float);
    const bool right =
        source.render(rendition.request, {floats.get(), row_bytes, RenderTarget::Format::floats, timer}, to_come);
    if (!right && to_come == ToCome::nothing) return {};
    return {floats, {floats.get(), false}, right && !rendition.float64};  // in float32 until float64 has come
}

ColourConversion PaneRenderer::resident(BackendMemory& backend,
                                        const std::shared_ptr<const ProfileConversion>& conversion) {
    constexpr size_t most = 4;
    const auto same = [&](const ResidentConversion& each) { return each.conversion == conversion; };
    auto found = std::find_if(conversions_.begin(), conversions_.end(), same);
    if (found == conversions_.end()) {
        const std::vector<float>& values = conversion->values;
        ResidentConversion made{conversion, {}, {}};
        made.values = made.scratch.at_least(backend, std::max<size_t>(values.size(), 1) * sizeof(float));
        if (!values.empty()) backend.write(made.values.get(), values.data(), values.size() * sizeof(float));
        conversions_.push_front(std::move(made));
        found = conversions_.begin();
        if (conversions_.size() > most) conversions_.pop_back();
    }
    ColourConversion result = conversion->conversion;
    result.values = static_cast<const float*>(found->values.get());
    return result;
}

bool PaneRenderer::render(const PanePicture& picture, void* pixels, size_t row_bytes, int timer) {
    const Rendition& shown = picture.shown;
    const SlowPictures::Rendered* const made = there_ ? there_->find(picture) : nullptr;
    if (made && made->pixels) {
        sources_.backend()->write(pixels, made->pixels->data(), made->pixels->size_bytes());
        return true;
    }
    if (picture.against) check_alike(shown, *picture.against);
    if (picture.coarse > 1) {
        render_coarsely(picture, pixels);
        return true;
    }
    if (is_plain(picture))
        return source_of(shown).render(shown.request, {pixels, row_bytes, RenderTarget::Format::rgba8, timer},
                                       ToCome::stand_in);
    Backend& backend = *sources_.backend();
    DisplayJob job;
    job.width = shown.request.width;
    job.height = shown.request.height;
    {
        const ResidentImage& samples = source_of(shown).samples();  // gone once another image needs the memory
        job.channels = samples.channels();
        job.has_alpha = samples.alpha() != Alpha::none;
    }
    job.against_masked =
        picture.against && (picture.against->masked || picture.against->request.outside == Outside::nan);
    job.display = picture.display;
    job.difference = picture.difference;
    if (const auto conversion = conversion_of(picture)) job.conversion = resident(backend, conversion);
    job.pixels = static_cast<uint32_t*>(pixels);
    job.row_bytes = row_bytes;
    job.placement = placement_of(shown);
    std::shared_ptr<const float> map = picture.shows_map() ? known_map(picture, timer) : nullptr;
    Values values, others;  // stay until they are displayed
    if (!map) {
        values = values_of(shown, first_, timer, ToCome::stand_in);
        if (picture.against) others = values_of(*picture.against, second_, no_timer, ToCome::stand_in);
        job.shown = values.plane;
        job.against = others.plane;
    }
    if (!map && picture.shows_map()) {
        PicturePair pair;
        pair.values = values.plane;
        pair.reference = others.plane;
        pair.width = job.width;
        pair.height = job.height;
        pair.channels = job.channels;
        pair.peak = sources_.peak_at(picture.against->image, picture.against->light);
        Mapped& kept = maps_[timer];
        kept.picture = {};
        map = map_of(*picture.against, pair, picture.difference, kept.numbers);
        kept.picture = mapped(picture);
    }
    job.map = map.get();
    backend.display(job);
    return values.right && others.right;
}

// One that was made in the background, or is still there from the last frame.
std::shared_ptr<const float> PaneRenderer::known_map(const PanePicture& picture, int timer) {
    if (const SlowPictures::Rendered* const made = there_ ? there_->find(picture) : nullptr; made && made->map)
        return {made->map, made->map->data()};
    const auto kept = maps_.find(timer);
    if (kept == maps_.end() || kept->second.numbers.empty() || kept->second.picture != mapped(picture)) return nullptr;
    const size_t bytes = pixels_of(picture.shown.request) * sizeof(float);
    return std::static_pointer_cast<const float>(
        kept->second.numbers.at_least(source_of(picture.shown).backend(), bytes));
}

std::shared_ptr<const float> PaneRenderer::shown_map(const PanePicture& picture, int timer) {
    return picture.shows_map() ? known_map(picture, timer) : nullptr;
}

std::vector<float> PaneRenderer::map_of(const PanePicture& picture) {
    std::vector<float> numbers;
    const auto read = [&](Comparer&, const MeasureJob& job) {
        const auto map = map_of(*picture.against, job, picture.difference, map_);
        numbers.resize(size_t(job.width) * size_t(job.height));
        source_of(picture.shown).backend().read_back(numbers.data(), map.get(), numbers.size() * sizeof(float));
    };
    if (!measure(picture.shown, *picture.against, {}, {}, read)) throw Error(samples_to_come);
    return numbers;
}

// A map of the same view at a smaller size, from as far away, enlarged.
void PaneRenderer::render_coarsely(const PanePicture& picture, void* pixels) {
    const RenderRequest& request = picture.shown.request;
    const auto parts = [&](int n) { return (n + picture.coarse - 1) / picture.coarse; };
    PanePicture small = resized_picture(picture, {parts(request.width), parts(request.height)});
    small.coarse = 1;
    small.difference.pixels_per_degree =
        std::max(picture.difference.pixels_per_degree / float(picture.coarse), least_pixels_per_degree);
    Image drawn(small.shown.request.width, small.shown.request.height, 4, SampleType::u8, Alpha::straight);
    Backend& backend = *sources_.backend();
    const std::shared_ptr<void> memory = pixels_.at_least(backend, drawn.size_bytes());
    render(small, memory.get(), drawn.row_bytes(), no_timer);
    backend.read_back(drawn.data(), memory.get(), drawn.size_bytes());
    Image enlarged(request.width, request.height, 4, SampleType::u8, Alpha::straight);
    for (int y = 0; y < request.height; ++y) {
        const auto* from = reinterpret_cast<const uint32_t*>(drawn.row(y / picture.coarse));
        auto* to = reinterpret_cast<uint32_t*>(enlarged.row(y));
        for (int x = 0; x < request.width; ++x) to[x] = from[x / picture.coarse];
    }
    backend.write(pixels, enlarged.data(), enlarged.size_bytes());
}

Image PaneRenderer::render_to_rgba8(const PanePicture& picture) {
    const RenderRequest& request = picture.shown.request;
    Image image(request.width, request.height, 4, SampleType::u8, Alpha::straight);
    Backend& backend = source_of(picture.shown).backend();
    const std::shared_ptr<void> pixels = pixels_.at_least(backend, image.size_bytes());
    if (!render(picture, pixels.get(), image.row_bytes())) throw Error(samples_to_come);
    backend.read_back(image.data(), pixels.get(), image.size_bytes());
    return image;
}

// Renders both, and calls compare() while their values exist. False if samples have still to come.
bool PaneRenderer::measure(const Rendition& shown, const Rendition& reference,
                           const std::optional<MeasureJob::Selection>& selection, std::optional<double> peak,
                           const std::function<void(Comparer& backend, const MeasureJob& job)>& compare) {
    check_alike(shown, reference);
    Rendition a = shown, b = reference;
    // Pixels outside the image are NaN, which is not measured.
    if (a.request.outside == Outside::background) a.request.outside = Outside::nan;
    if (b.request.outside == Outside::background) b.request.outside = Outside::nan;
    const Values values = values_of(a, first_, no_timer, ToCome::nothing),
                 others = values_of(b, second_, no_timer, ToCome::nothing);
    if (!values.memory || !others.memory) return false;
    MeasureJob job;
    job.values = values.plane;
    job.reference = others.plane;
    job.width = a.request.width;
    job.height = a.request.height;
    job.channels = a.image->channels();
    job.peak = peak ? *peak : sources_.peak_at(b.image, b.light);  // of what is right
    job.with_ssim = job.peak > 0;
    if (!job.with_ssim) job.peak = std::numeric_limits<double>::quiet_NaN();
    job.selection = selection;
    compare(source_of(shown).backend(), job);
    return true;
}

Metrics PaneRenderer::measure(const Rendition& shown, const Rendition& reference,
                              const std::optional<MeasureJob::Selection>& selection, std::optional<double> peak,
                              WantedMap* map) {
    Metrics metrics;
    const auto compare = [&](Comparer& backend, const MeasureJob& job) {
        metrics = backend.measure(job);
        if (!map) return;
        const std::shared_ptr<const float> numbers = map_of(reference, job, map->settings, map_);
        map->figures = backend.map_figures({.map = numbers.get(),
                                            .width = job.width,
                                            .height = job.height,
                                            .selection = selection,
                                            .step = map_step(map->settings.kind)});
        if (!map->keeps_numbers) return;
        map->numbers.resize(size_t(job.width) * size_t(job.height));
        source_of(reference).backend().read_back(map->numbers.data(), numbers.get(),
                                                 map->numbers.size() * sizeof(float));
    };
    if (!measure(shown, reference, selection, peak, compare)) throw Error(samples_to_come);
    return metrics;
}

std::shared_ptr<const float> PaneRenderer::map_of(const Rendition& reference, const PicturePair& values,
                                                  const DifferenceSettings& settings, Scratch& memory) {
    const Image& image = *reference.image;
    if (const std::string why = why_no_map(settings.kind, image); !why.empty()) throw Error(why);
    ErrorMapJob job{values};
    job.kind = settings.kind;
    job.colours = image.channels() >= 3 ? 3 : 1;
    if (!(job.peak > 0)) job.peak = 1;
    job.linear = is_float(image.type()) && is_linear(image.profile().get());
    job.pixels_per_degree = double(settings.pixels_per_degree);
    if (settings.kind == DifferenceKind::flip) job.exposures = sources_.exposures_at(reference.image, reference.light);
    Backend& backend = source_of(reference).backend();
    const auto map = std::static_pointer_cast<float>(memory.at_least(backend, map_size(job) * sizeof(float)));
    backend.map_errors(job, map.get());
    return map;
}

std::optional<MeasureJob> PaneRenderer::compare(const Rendition& shown, const Rendition& reference,
                                                const std::optional<MeasureJob::Selection>& selection,
                                                std::optional<double> peak, ComparisonSums* sums) {
    std::optional<MeasureJob> compared;
    measure(shown, reference, selection, peak, [&](Comparer& backend, const MeasureJob& job) {
        backend.compare(job, sums);
        compared = job;
    });
    return compared;
}

namespace {

ReadPlan reading_of(const AppState& state, const PanePlace& place, int pane) {
    if (!place.image || place.image->empty()) return {};
    return plan_reading(pane_rendition(state, place, pane).request, shape_of(*place.image));
}

}  // namespace

ReadPlan shown_reading(const AppState& state, std::optional<int> pane) {
    const int index = pane.value_or(focused_pane(state));
    return reading_of(state, place_of(state, index), index);
}

bool any_widened(const AppState& state) {
    const PaneLayout layout = lay_out_panes(state);
    return std::ranges::any_of(layout.in_view,
                               [&](int pane) { return reading_of(state, layout[pane], pane).widened(); });
}

double widened_taps(const MethodInfo& method, const ReadPlan& reading, bool signal) {
    if (is_polar(method) && !signal) return samples_of_plane(method) * reading.stretch_x * reading.stretch_y;
    const double support = 2 * radius_of(method);
    const double along_x = support * reading.stretch_x, along_y = signal ? 1 : support * reading.stretch_y;
    return along_x * along_y;
}

int fetches(const MethodInfo& method, FetchPath path, bool signal) {
    if (kernel_of(method)) return 0;  // nobody knows
    if (is_polar(method)) return signal ? method.taps : int(std::lround(samples_of_plane(method)));
    const int along_axis = path == FetchPath::hardware ? method.hardware_fetches : taps_not_zero(method);
    return signal ? along_axis : along_axis * along_axis;
}

}  // namespace texelscope
