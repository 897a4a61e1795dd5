#include "app/picture/inspect/inspector.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "app/files/test_images/test_images.h"
#include "app/picture/inspect/curves.h"
#include "app/picture/inspect/profile.h"
#include "app/picture/inspect/statistics.h"
#include "app/picture/pane_picture.h"
#include "app/state/panes.h"
#include "gpu/backend/source_image.h"
#include "gpu/backend/source_state.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/position.h"

namespace texelscope {
namespace {

bool has_image(const AppState& state) {
    const Document* document = state.scene.document();
    return document && document->image && !state.places.picture.empty();
}

// The point of the current image at an output pixel of a pane.
Point current_point(const AppState& state, double i, double j, int pane) {
    const Image& image = *state.scene.document()->image;
    const Point p = apply(current_affine(state, pane), i, j);
    return warped(acting_warp(state, pane), p, image.width(), image.height());
}

// A zoomed range does not carry over to another line; it does from row to row.
bool is_another(const ProfileLine& before, const ProfileLine& now) {
    return before.along != now.along || (now.along == ProfileLine::Along::line && before != now);
}

// What sampling the image by a method reads.
Rendition samples_by(const MethodSpec& spec, const std::shared_ptr<const Image>& image, Light light) {
    Rendition rendition{image, light, {}};
    rendition.request.spec = spec;
    return rendition;
}

template <class Key, class Result> void forget(std::optional<Key>& done, Result& result) {
    done.reset();
    result = {};
}

}  // namespace

// Calls compute() for a new key, which returns the result, or none if samples have still to come: then it is tried again with
// each frame, of which their arrival causes one. Without a result `problem` says why; a failure is not retried until the key
// changes.
template <class Key, class Result, class Compute>
void Inspector::compute_once(std::optional<Key>& done, Key now, Result& result, std::string& problem, Compute compute) {
    if (done && *done == now) return;
    ++computed_;
    done = std::move(now);
    const std::string before = std::exchange(problem, {});
    try {
        if (auto computed = compute(*done)) {
            result = std::move(*computed);
            return;
        }
        if (before == samples_to_come) --computed_;
        forget(done, result);
        problem = samples_to_come;
    } catch (const std::exception& error) {
        result = {};
        problem = error.what();
    }
}

bool Inspector::fill(AppState& state, SourceCache& sources, PreparedSources* prepared) {
    prepared_ = prepared;
    if (!has_image(state)) {
        Findings& report = state.report.findings;
        report.taps.reset();
        report.profile = {};
        report.stage = {};
        report.curves = {};
        report.histogram = {};
        for (std::string* problem :
             {&report.no_taps, &report.no_profile, &report.no_stage, &report.no_curves, &report.no_histogram})
            problem->clear();
        *this = {};
        return false;
    }
    const size_t before = computed_;
    if (state.pointer.inside && place_of(state, state.pointer.pane).has_picture()) {
        probe_ = Probe{state.pointer.pane, state.pointer.x, state.pointer.y};
        cursor_ = current_point(state, state.pointer.x, state.pointer.y, state.pointer.pane);
    }
    fill_taps(state, sources);
    if (state.ui.dock == Dock::profile) fill_profile(state, sources);
    else if (profile_ && profile_->image != state.scene.document()->image)
        forget(profile_, state.report.findings.profile);
    if (state.ui.dock == Dock::stage) fill_stage(state, sources);
    else forget(stage_, state.report.findings.stage);
    if (state.ui.dock == Dock::curves || state.ui.dock == Dock::order || state.ui.dock == Dock::formula)
        fill_curves(state, sources);
    if (state.ui.dock == Dock::histogram) fill_histogram(state, sources);
    // A plot of another image would be seen for a frame when it is opened again.
    else if (histogram_ && histogram_->rendition.image != image_of(state.scene, histogram_->pane))
        forget(histogram_, state.report.findings.histogram);
    return computed_ != before;
}

// While the cursor is off the picture, the taps of the last pixel stay, so that their list can be read.
void Inspector::fill_taps(AppState& state, SourceCache& sources) {
    const bool shown = state.ui.taps || state.ui.dock == Dock::taps;
    const PanePlace place = probe_ ? place_of(state, probe_->pane) : PanePlace{};
    if (!shown || !place.has_picture() || probe_->i >= place.rect.width || probe_->j >= place.rect.height) {
        state.report.findings.taps.reset();
        state.report.findings.no_taps.clear();
        taps_.reset();
        return;
    }
    PanePicture picture = pane_picture(state, probe_->pane);
    move_pixels(picture, cursor_in_pixel(state, probe_->pane, probe_->i, probe_->j));
    TapsKey now{*probe_, std::move(picture.shown)};
    if (!ready(now.rendition)) return;
    compute_once(taps_, std::move(now), state.report.findings.taps, state.report.findings.no_taps,
                 [&](const TapsKey& key) {
                     SourceImage& source = sources.at(key.rendition.image, key.rendition.light);
                     auto taps = taps_at(source, key.rendition.request, key.probe.i, key.probe.j);
                     if (taps) taps->pane = key.probe.pane;
                     return taps;
                 });
}

// The pinned or drawn line, else the one through the cursor or through the middle of the pane.
ProfileLine Inspector::line_now(const AppState& state) {
    ProfileLine line = state.scene.profile;
    if (line.pinned || line.along == ProfileLine::Along::line) return line;
    const int pane = state.scene.active;
    const Extent output = output_extent(state, pane);
    line.a = cursor_ ? *cursor_ : current_point(state, (output.width - 1) / 2.0, (output.height - 1) / 2.0, pane);
    // For a row only the row counts: moving the cursor along it changes nothing.
    if (line.along == ProfileLine::Along::row) line.a = {0, std::round(line.a.y)};
    else line.a = {std::round(line.a.x), 0};
    line.b = {};
    return line;
}

// All panes, even those behind another: plots overlay them.
std::vector<Inspector::PaneKey> Inspector::curve_keys(const AppState& state) {
    std::vector<PaneKey> keys;
    for (int pane = 0; pane < int(state.scene.panes.size()); ++pane)
        if (auto image = image_of(state.scene, pane))
            keys.push_back(
                {pane, std::move(image), state.scene.light_of(pane), shown_spec(state, pane), to_pane(state, pane)});
    return keys;
}

void Inspector::fill_profile(AppState& state, SourceCache& sources) {
    ProfileKey now{state.scene.document()->image, line_now(state), state.ui.inspect.profile, state.ui.plot_columns,
                   curve_keys(state)};
    ProfileReport frame = profile_along(now.line, *now.image);
    if (profile_ && is_another(profile_->line, now.line)) now.part = state.ui.inspect.profile = {};
    if (!now.part.active()) now.part = visible_part(state, focused_pane(state), frame);
    for (const PaneKey& pane : now.panes)
        if (!ready(samples_by(pane.spec, pane.image, pane.light))) return;
    compute_once(profile_, std::move(now), state.report.findings.profile, state.report.findings.no_profile,
                 [&](const ProfileKey& key) -> std::optional<ProfileReport> {
                     const double from = std::clamp(key.part.from, frame.first, frame.end()),
                                  to = std::clamp(key.part.to, frame.first, frame.end());
                     std::optional<PartOfImage> stored;
                     if (!key.image->in_memory() && frame.channels > 0) {
                         SourceImage& source = sources.at(key.image, state.scene.light_of(state.scene.active));
                         const SampleRegion region = region_between(source, frame.point(from), frame.point(to), {1, 1});
                         // None are listed for a long slanted line.
                         stored = region.empty() ? PartOfImage() : part_of(source, {}, region);
                         if (!stored) return {};
                     }
                     place_points(frame, *key.image, from, to, key.columns, stored ? &*stored : nullptr);
                     for (const PaneKey& pane : key.panes) {
                         if (frame.channels == 0 || !sources.backend()->why_no_kernel(pane.spec).empty()) continue;
                         if (pane.image->in_memory())
                             add_curve(frame, pane.pane, sources.at(pane.image, pane.light), pane.spec, pane.place);
                         else if (!kernel_of(*pane.spec.method) && !add_curve_of_large(frame, pane, sources)) return {};
                     }
                     return std::move(frame);
                 });
}

// Adds the curve of an image that is not in memory: by its part along the line, which is uploaded as an image of its
// own; along a long slanted line by a view of one row, which reads only what is near its pixels. False if samples have
// still to come.
bool Inspector::add_curve_of_large(ProfileReport& profile, const PaneKey& pane, SourceCache& sources) {
    SourceImage& whole = sources.at(pane.image, pane.light);
    RenderRequest request;
    request.spec = pane.spec;
    const auto on_pane = [&](double at) {
        const Point p = profile.point(at);
        return pane.place ? apply(*pane.place, p.x, p.y) : p;
    };
    const Point from = on_pane(profile.from), to = on_pane(profile.to);
    const SampleRegion region = region_between(whole, from, to, region_reach(whole.plan(request)));
    if (!region.empty()) {
        std::optional<PartOfImage> part = part_of(whole, pane.spec.address, region);
        if (!part) return false;
        Affine place = pane.place.value_or(Affine{1, 0, 0, 0, 1, 0});
        place.x0 -= part->x;
        place.y0 -= part->y;
        SourceImage source(sources.backend(), std::move(part->samples), whole.regions()->light());
        add_curve(profile, pane.pane, source, pane.spec, place);
        return true;
    }
    request.width = int(profile.at.size());
    request.height = 1;
    const double steps = std::max(1.0, double(profile.at.size()) - 1);
    request.positions = Affine{(to.x - from.x) / steps, 0, from.x, (to.y - from.y) / steps, 1, from.y};
    const std::optional<Image> row = whole.image_at_hand(request);
    if (!row) return false;
    add_curve(profile, pane.pane, std::span(row->row_as<float>(0), profile.at.size() * size_t(row->channels())),
              row->channels(), row->alpha() != Alpha::none);
    return true;
}

void Inspector::fill_stage(AppState& state, SourceCache& sources) {
    const Document& document = *state.scene.document();
    std::vector<PaneKey> panes = curve_keys(state);
    const auto front = std::ranges::find(panes, state.scene.active, &PaneKey::pane);
    if (!document.image->one_dimensional() || !document.image->in_memory() || front == panes.end())
        return forget(stage_, state.report.findings.stage);
    for (const PaneKey& pane : panes)
        if (!ready(samples_by(pane.spec, pane.image, pane.light))) return;
    StageKey now{*front,
                 std::move(panes),
                 document.source,
                 state.ui.inspect.stage,
                 state.ui.plot_columns,
                 state.ui.inspect.spectrum_windowed};
    compute_once(
        stage_, std::move(now), state.report.findings.stage, state.report.findings.no_stage, [&](const StageKey& key) {
            StageReport stage;
            std::function<double(double)> truth;
            if (const auto line = parse_sample_line(key.source)) {
                stage.from = line->from;
                stage.rate = line->rate;
                truth = line->function();
            }
            const Image& image = *key.front.image;
            const auto in_samples = [&](double x) { return (x - stage.from) * stage.rate; };
            stage.line = profile_along({}, image);
            place_points(stage.line, image, key.part.active() ? in_samples(key.part.from) : -0.5,
                         key.part.active() ? in_samples(key.part.to) : image.width() - 0.5, key.columns);
            for (const PaneKey& pane : key.panes)
                if (sources.backend()->why_no_kernel(pane.spec).empty())
                    add_curve(stage.line, pane.pane, sources.at(pane.image, pane.light), pane.spec, pane.place);
            if (truth)
                for (const double at : stage.line.at) stage.truth.push_back(truth(stage.from + at / stage.rate));
            stage.front = key.front.pane;
            add_parts(stage, sources.at(key.front.image, key.front.light), key.front.spec);
            add_spectrum(stage, image, key.front.spec, key.windowed);
            return std::optional(std::move(stage));
        });
}

void Inspector::fill_curves(AppState& state, SourceCache& sources) {
    CurvesKey now{curve_keys(state), state.ui.inspect.curves, state.ui.plot_columns, state.ui.dock == Dock::order};
    for (PaneKey& key : now.panes) {  // of the methods themselves, whatever the panes show
        key.image = nullptr;
        key.place.reset();
    }
    compute_once(
        curves_, std::move(now), state.report.findings.curves, state.report.findings.no_curves,
        [&](const CurvesKey& key) {
            if (!measured_) measured_ = std::make_unique<MeasuredCurves>(sources.backend());
            const auto part = [&](int plot, double from, double to) {
                const PlotZoom& zoom = key.zooms[size_t(plot)];
                return zoom.active() ? zoom : PlotZoom{from, to};
            };
            const int fine = std::clamp(points_per_column * key.columns, 200, most_profile_points);
            const PlotZoom weight = part(0, -weight_reach, weight_reach), spectrum = part(1, 0, highest_frequency),
                           step = part(2, -step_reach, step_reach), impulse = part(3, -weight_reach, weight_reach),
                           fetches = part(4, 0, 1);
            CurvesReport report;
            for (const PaneKey& pane : key.panes) {
                if (!sources.backend()->why_no_kernel(pane.spec).empty()) continue;
                if (key.order) {
                    CurvesReport::Method& of = report.methods.emplace_back();
                    of.pane = pane.pane;
                    of.order = order_curve(pane.spec, 200);
                    continue;
                }
                const bool hardware = pane.spec.path == FetchPath::hardware && !kernel_of(*pane.spec.method);
                report.methods.push_back({pane.pane, weight_curve(pane.spec, weight.from, weight.to, fine),
                                          spectrum_curve(pane.spec, spectrum.from, spectrum.to, key.columns),
                                          measured_->step(pane.spec, step.from, step.to, fine),
                                          measured_->impulse(pane.spec, impulse.from, impulse.to, fine), hardware});
                if (hardware) report.methods.back().fetches = fetch_curves(pane.spec, fetches.from, fetches.to, fine);
            }
            return std::optional(std::move(report));
        });
}

void Inspector::fill_histogram(AppState& state, SourceCache& sources) {
    const int pane = focused_pane(state);
    if (!place_of(state, pane).has_picture()) {
        awaited_.reset();
        return;
    }
    HistogramKey now{pane, pane_rendition(state, pane), {}};
    if (!state.ui.inspect.statistics_of_all) now.selection = measured_selection(state, pane);
    if (!awaited_ || *awaited_ != now) {
        awaited_ = now;
        awaited_since_ = state.now;
    }
    state.report.findings.histogram.outdated = !histogram_ || *histogram_ != now;
    if (state.now - awaited_since_ < histogram_rest_seconds || !ready(now.rendition)) return;
    compute_once(histogram_, std::move(now), state.report.findings.histogram, state.report.findings.no_histogram,
                 [&](const HistogramKey& key) {
                     SourceImage& source = sources.at(key.rendition.image, key.rendition.light);
                     auto histogram = pane_histogram(source, key.rendition, key.selection);
                     if (histogram) histogram->pane = key.pane;
                     return histogram;
                 });
}

void Inspector::wake(const AppState& state, WakeUp& wake_up) const {
    if (state.ui.dock != Dock::histogram || !awaited_ || (histogram_ && *histogram_ == *awaited_)) return;
    wake_up.draw_in(awaited_since_ + histogram_rest_seconds - state.now);
}

namespace {

// `probe` with the size of its part of the request, whose first pixel is (x, y).
PixelProbe placed(PixelProbe probe, Extent image, const RenderRequest& request, int x, int y) {
    Affine a = positions_of(request, image.width, image.height);
    const double x0 = affine_position(a.xx, a.xy, a.x0, x, y), y0 = affine_position(a.yy, a.yx, a.y0, y, x);
    a.x0 = x0;
    a.y0 = y0;
    probe.request.positions = a;
    return probe;
}

}  // namespace

PixelProbe probe_at(Extent image, const RenderRequest& request, int i, int j) {
    PixelProbe probe{request};
    const int room = request.warp.kind == Warp::Kind::none ? 1 : 2;
    const auto first = [room](int at, int& length, int& place) {
        const int start = std::clamp(at, 0, std::max(length - room, 0));
        length = std::min(length, room);
        place = std::clamp(at - start, 0, std::max(length - 1, 0));
        return start;
    };
    const int x = first(i, probe.request.width, probe.x), y = first(j, probe.request.height, probe.y);
    return placed(std::move(probe), image, request, x, y);
}

PixelProbe block_probe_at(Extent image, const RenderRequest& request, int i, int j) {
    if (request.warp.kind != Warp::Kind::none) return probe_at(image, request, i, j);
    constexpr int block = 64;  // as the CPU's vector code
    PixelProbe probe{request};
    const int column = std::clamp(i, 0, std::max(request.width - 1, 0)),
              row = std::clamp(j, 0, std::max(request.height - 1, 0));
    probe.x = column % block;
    probe.request.width = std::min(request.width - (column - probe.x), int{block});
    probe.request.height = std::min(request.height, 1);
    return placed(std::move(probe), image, request, column - probe.x, row);
}

std::optional<std::array<float, 4>> rendered(SourceImage& source, const PixelProbe& probe, Scratch& memory) {
    Backend& backend = source.backend();
    const size_t channels = size_t(source.samples().channels()), row = size_t(probe.request.width) * channels;
    std::vector<float> floats(row * size_t(probe.request.height));
    const std::shared_ptr<void> pixels = memory.at_least(backend, floats.size() * sizeof(float));
    if (!source.render(probe.request, {pixels.get(), row * sizeof(float), RenderTarget::Format::floats, no_timer}))
        return {};
    backend.read_back(floats.data(), pixels.get(), floats.size() * sizeof(float));
    std::array<float, 4> value{};
    for (size_t c = 0; c < channels; ++c) value[c] = floats[size_t(probe.y) * row + size_t(probe.x) * channels + c];
    return value;
}

}  // namespace texelscope
