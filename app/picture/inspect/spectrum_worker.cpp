#include "app/picture/inspect/spectrum.h"

#include <algorithm>
#include <cmath>

#include "app/picture/fourier.h"
#include "app/picture/inspect/curves.h"
#include "app/picture/inspect/inspector.h"
#include "app/picture/inspect/statistics.h"
#include "app/picture/pane_picture.h"
#include "app/state/panes.h"
#include "gpu/backend/source_state.h"
#include "gpu/core/parallel.h"
#include "gpu/method/position.h"

namespace texelscope {
namespace {

constexpr double slow_ms = 25;  // panes that take longer wait until the view rests

// The pane whose view says what part of the picture is meant.
int pane_of_part(const AppState& state) {
    const std::vector<int> panes = panes_in_view(state.scene);
    const bool there = std::find(panes.begin(), panes.end(), state.scene.active) != panes.end();
    return there || panes.empty() ? state.scene.active : panes.front();
}

double panes_ms(const AppState& state) {
    double sum = 0;
    for (const int pane : panes_in_view(state.scene))
        if (const PaneReport* report = report_of(state.report, pane)) sum += report->render_ms;
    return sum;
}

Extent size_of_box(const SampleBox& box) {
    return box.empty() ? Extent() : Extent{box.x1 - box.x0 + 1, box.y1 - box.y0 + 1};
}

// The square of the frequencies that samples can carry, in the axes of a pane.
std::vector<Point> nyquist_square(const Affine& place) {
    const double s = pitch_of(place);
    std::vector<Point> corners;
    for (const Point f : {Point{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}})
        corners.push_back({(place.xx * f.x + place.yx * f.y) / s, (place.xy * f.x + place.yy * f.y) / s});
    return corners;
}

}  // namespace

double pitch_of(const Affine& place) { return std::sqrt(std::abs(place.xx * place.yy - place.xy * place.yx)); }

Region region_in_view(const AppState& state, int pane) {
    const Affine a = current_affine(state, pane);
    const Extent output = output_extent(state, pane);
    const double half_width = output.width / 2.0, half_height = output.height / 2.0;
    const Point middle = apply(a, half_width - 0.5, half_height - 0.5);
    // Half of the box around the rotated output; all of it is in view if it is not rotated, or by right angles.
    const double x = std::abs(a.xx) * half_width + std::abs(a.xy) * half_height,
                 y = std::abs(a.yx) * half_width + std::abs(a.yy) * half_height;
    const double area = std::abs(a.xx * a.yy - a.xy * a.yx);
    const double across = std::abs(a.xx) * x + std::abs(a.yx) * y, down = std::abs(a.xy) * x + std::abs(a.yy) * y;
    const double part = std::min({1.0, area * half_width / across, area * half_height / down});
    return {middle.x - part * x, middle.y - part * y, middle.x + part * x, middle.y + part * y};
}

std::optional<RenderRequest> pixels_of(const RenderRequest& request, const Image& image, const Affine& place,
                                       const SampleBox& part) {
    const Affine own = positions_of(request, image.width(), image.height());
    const bool signal = image.one_dimensional();
    // The pixels that the part takes along an axis, as many as are transformed quickly.
    const auto pixels = [](double middle, double half, int length, int& first) {
        const double from = std::max(std::ceil(middle - half), 0.0),
                     to = std::min(std::ceil(middle + half) - 1, length - 1.0);
        if (!(from <= to)) return 0;
        const int whole = int(to - from) + 1;
        const int count = int(quick_length_within(size_t(std::min(whole, longest_transformed))));
        first = int(from) + (whole - count) / 2;
        return count;
    };
    const double x = (part.x1 - part.x0 + 1) / 2.0, y = (part.y1 - part.y0 + 1) / 2.0;
    const Point middle{(part.x0 + part.x1) / 2.0, (part.y0 + part.y1) / 2.0};
    RenderRequest result = request;
    result.outside = Outside::extend;
    int i = 0, j = 0;
    if (signal) {
        if (place.xx == 0) return {};
        result.width = pixels((middle.x - place.x0) / place.xx, x / std::abs(place.xx), request.width, i);
        result.height = 1;
        result.positions = Affine{own.xx, 0, own.x0 + own.xx * i, 0, 1, 0};
    } else {
        const double area = std::abs(place.xx * place.yy - place.xy * place.yx);
        const Point at = apply_inverse(place, middle);
        result.width = pixels(at.x, (std::abs(place.xx) * x + std::abs(place.yx) * y) / area, request.width, i);
        result.height = pixels(at.y, (std::abs(place.xy) * x + std::abs(place.yy) * y) / area, request.height, j);
        Affine positions = own;
        positions.x0 = affine_position(own.xx, own.xy, own.x0, i, j);
        positions.y0 = affine_position(own.yy, own.yx, own.y0, j, i);
        result.positions = positions;
    }
    if (result.width < 1 || result.height < 1) return {};
    return result;
}

SpectrumWorker::Asked SpectrumWorker::asked_now(const AppState& state) {
    Asked now;
    now.image = state.scene.document()->image;
    now.windowed = state.ui.inspect.spectrum_windowed;
    now.channel = state.ui.inspect.channel;
    const bool signal = now.image->one_dimensional();
    double finest = 1;  // samples from one pixel to the next
    for (const int pane : panes_in_view(state.scene)) {
        if (now.panes.size() == most_spectra || !place_of(state, pane).has_picture()) continue;
        const Affine place = current_affine(state, pane), own = shown_affine(state, pane);
        const double pitch = signal ? std::abs(place.xx) : pitch_of(place);
        finest = std::min(finest, pitch);
        now.warped = now.warped || acting_warp(state, pane).kind != Warp::Kind::none;
        now.panes.push_back(
            {pane, pane_rendition(state, pane), place, (signal ? std::abs(own.xx) : pitch_of(own)) / pitch});
    }
    const auto& selection = state.scene.selection;
    now.of_selection = selection && !state.ui.inspect.statistics_of_all;
    std::optional<Region> region = now.of_selection ? selection : region_in_view(state, pane_of_part(state));
    if (signal) region->y0 = region->y1 = 0;
    const SampleBox box = samples_in(region, *now.image), all = samples_in({}, *now.image);
    now.whole = size_of_box(box);
    const int most = std::max(int(longest_transformed * finest), 1);
    now.part = middle_part(box, {most, most}, now.of_selection || size_of_box(all) == now.whole);
    return now;
}

SpectrumWorker::Answer SpectrumWorker::compute(const Question& question, const std::stop_token& stop) {
    const StoppableLoops stoppable(stop);
    const Asked& asked = question.asked;
    const SpectrumWindow window = asked.windowed ? SpectrumWindow::hann : SpectrumWindow::none;
    const auto transform = [&](const Image& image, const SampleBox& box, double pitch) {
        const std::vector<float> values = channel_values(image, box, asked.channel);
        const Extent size = size_of_box(box);
        return std::make_shared<const Spectrum>(spectrum_of(values, size.width, size.height, window, pitch));
    };
    Answer answer{transform(*asked.image, asked.part, 1)};
    for (size_t i = 0; i < question.panes.size(); ++i) {
        const Image* const pixels = question.panes[i].pixels.get();
        const Affine& place = asked.panes[i].place;
        const double pitch = asked.image->one_dimensional() ? std::abs(place.xx) : pitch_of(place);
        answer.push_back(pixels ? transform(*pixels, {0, 0, pixels->width() - 1, pixels->height() - 1}, pitch)
                                : nullptr);
    }
    return answer;
}

// False if samples or coefficients have still to come.
bool SpectrumWorker::begin(Asked now, SourceCache& sources, PreparedSources* prepared) {
    for (const AskedPane& pane : now.panes)
        if (prepared && !prepared->ready(pane.rendition)) return false;
    Question question{std::move(now), {}};
    for (const AskedPane& pane : question.asked.panes) {
        Rendered rendered;
        const Rendition& rendition = pane.rendition;
        rendered.why_not = sources.backend()->why_no_kernel(rendition.request.spec);
        const auto request = pixels_of(rendition.request, *rendition.image, pane.place, question.asked.part);
        if (!request) rendered.why_not = "The pane does not show this part of the picture.";
        if (rendered.why_not.empty()) try {
                std::optional<Image> pixels = sources.at(rendition.image, rendition.light).image_at_hand(*request);
                if (!pixels) return false;
                rendered.pixels = std::make_shared<const Image>(std::move(*pixels));
            } catch (const std::exception& error) {
                rendered.why_not = error.what();
            }
        question.panes.push_back(std::move(rendered));
    }
    work_.ask(std::move(question), compute);
    return true;
}

std::shared_ptr<const SpectrumReport::Response> SpectrumWorker::response_of(const AskedPane& pane) {
    constexpr int points = 241;
    const MethodSpec& spec = pane.rendition.request.spec;
    auto found =
        std::find_if(responses_.begin(), responses_.end(), [&](const auto& each) { return each.first == spec; });
    if (found == responses_.end()) {
        if (responses_.size() > 2 * most_spectra) responses_.clear();
        const SpectrumReport::Response response{spectrum_curve(spec, 0, highest_frequency, points),
                                                prefilter_curve(spec, 0, highest_frequency, points)};
        responses_.emplace_back(spec, std::make_shared<const SpectrumReport::Response>(response));
        found = responses_.end() - 1;
    }
    if (std::abs(pane.own - 1) < 1e-9) return found->second;
    // The pane's own image has another number of samples over the same field: its frequencies scale with that.
    auto scaled = std::make_shared<SpectrumReport::Response>(*found->second);
    for (CurvesReport::Curve* curve : {&scaled->method, &scaled->prefilter})
        for (double& frequency : curve->x) frequency *= pane.own;
    return scaled;
}

void SpectrumWorker::take(BackgroundWork<Question, Answer>::Result result, Findings& findings) {
    const Asked& asked = result.question.asked;
    findings.no_spectrum = result.why();
    done_ = asked;
    const std::vector<SpectrumReport::Shown> before = std::move(findings.spectrum.of);
    findings.spectrum = {};
    if (!result.answer) return;
    SpectrumReport& report = findings.spectrum;
    report.part = asked.part;
    report.asked = asked.whole;
    report.of_selection = asked.of_selection;
    report.channels = asked.image->channels();
    report.has_alpha = asked.image->alpha() != Alpha::none;
    report.windowed = asked.windowed;
    report.warped = asked.warped;
    report.of.push_back({.spectrum = result.answer->front(), .nyquist = nyquist_square({})});
    for (size_t i = 0; i < asked.panes.size(); ++i) {
        const AskedPane& pane = asked.panes[i];
        SpectrumReport::Shown shown{.pane = pane.pane, .spectrum = (*result.answer)[i + 1]};
        shown.why_not = result.question.panes[i].why_not;
        shown.nyquist = asked.image->one_dimensional() ? nyquist_square({}) : nyquist_square(pane.place);
        const RenderRequest& request = pane.rendition.request;
        shown.widened = plan_reading(request, shape_of(*pane.rendition.image)).widened();
        if (!shown.widened) shown.response = response_of(pane);
        report.of.push_back(std::move(shown));
    }
    // The pictures before, until there are new ones.
    for (size_t i = 0; i < std::min(report.of.size(), before.size()); ++i) report.of[i].picture = before[i].picture;
}

bool SpectrumWorker::fill(AppState& state, SourceCache& sources, PreparedSources* prepared) {
    Findings& findings = state.report.findings;
    const Document* document = state.scene.document();
    if (state.ui.dock != Dock::spectrum || !document || !document->image || state.places.picture.empty()) {
        const bool changed = !findings.spectrum.of.empty() || !findings.no_spectrum.empty();
        work_.drop();
        done_.reset();
        awaited_.reset();
        findings.spectrum = {};
        findings.no_spectrum.clear();
        return changed;
    }
    Asked now = asked_now(state);
    if (const Question* working = work_.question(); working && working->asked.image != now.image) work_.drop();
    bool changed = false;
    if (auto result = work_.take()) {
        take(std::move(*result), findings);
        changed = true;
    }
    if (!awaited_ || *awaited_ != now) {
        awaited_ = now;
        awaited_since_ = state.now;
    }
    const bool outdated = !done_ || *done_ != now;
    if (std::exchange(findings.spectrum.outdated, outdated) != outdated) changed = true;
    if (!outdated || work_.question()) return changed;
    if (now.part.empty()) {
        findings.spectrum = {};
        findings.no_spectrum = now.of_selection ? "The selected region holds no sample." : "No sample is in view.";
        done_ = std::move(now);
        return true;
    }
    const bool waits = state.now - awaited_since_ < histogram_rest_seconds && panes_ms(state) > slow_ms;
    if (!waits) begin(std::move(now), sources, prepared);
    return changed;
}

void SpectrumWorker::wake(const AppState& state, WakeUp& wake_up) const {
    work_.wake(wake_up, 0.01);
    if (state.ui.dock != Dock::spectrum || !awaited_ || work_.question() || (done_ && *done_ == *awaited_)) return;
    const double left = awaited_since_ + histogram_rest_seconds - state.now;
    if (left > 0) wake_up.draw_in(left);
}

}  // namespace texelscope
