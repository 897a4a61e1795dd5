#include "app/picture/frame/measurer.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/picture/pane_picture.h"
#include "app/picture/source_cache.h"
#include "app/state/panes.h"
#include "gpu/core/parallel.h"

namespace texelscope {
namespace {

std::string words_for(const std::string& problem) {
    return fmt::format("PSNR and SSIM refer to the range of all samples: {}", problem);
}

}  // namespace

bool FloatPeaks::needed_by(const Image& image) { return !image.in_memory() && !is_normalised(image.type()); }

FloatPeaks::Known FloatPeaks::at(const std::shared_ptr<const Image>& image) {
    if (!is_affordable(*image))
        return {.peak = 0,
                .why_not = fmt::format("PSNR and SSIM refer to the range of all samples, which is not looked for in "
                                       "more than {:.0f} GiB of floats; texelscope compare does it",
                                       most_ / 0x1p30)};
    if (const auto* made = peaks_.ask(image))
        return {.peak = made->value.value_or(0), .why_not = made->value ? "" : words_for(made->why())};
    return {.peak = 0, .why_not = "PSNR and SSIM refer to the range of all samples, which are still being read"};
}

void FloatPeaks::find(const std::shared_ptr<const Image>& image) try {
    if (!is_affordable(*image) || peaks_.find(image)) return;
    peaks_.put({image, peak_of(*image)});
} catch (const std::exception&) {
    peaks_.put({image, {}, std::current_exception()});
}

void FloatPeaks::follow() {
    peaks_.forget_if([](const WeakImage& image) { return image.expired(); });
    peaks_.take();
}

void FloatPeaks::begin() {
    peaks_.end_frame([](const WeakImage& of) {
        return [image = of.lock()](const std::stop_token& stop) {
            const StoppableLoops stoppable(stop);
            lower_priority();
            return peak_of(*image);
        };
    });
}

namespace {

constexpr int measuring_timer = 30;  // the panes of a window keep theirs

// What figures of a map depend on: not its colours.
DifferenceSettings counted(DifferenceSettings settings) {
    const DifferenceSettings usual;
    settings.gain = usual.gain;
    settings.map = usual.map;
    return settings;
}

// Figures of one say nothing of the other: they are of another image, or against another reference.
bool other_pictures(const Rendition& a, const Rendition& b) {
    return a.image != b.image || a.formula != b.formula || !(a.request.spec == b.request.spec);
}

}  // namespace

bool Measurer::Question::tells_of(const Question& other) const {
    return shown.image == other.shown.image && !other_pictures(reference, other.reference);
}

Measurer::Figures Measurer::figures(PaneRenderer& panes, const Question& q) {
    if (!q.map) return {panes.measure(q.shown, q.reference, q.selection, q.peak)};
    WantedMap map{.settings = *q.map};
    const Metrics metrics = panes.measure(q.shown, q.reference, q.selection, q.peak, &map);
    return {metrics, map.figures};
}

void Measurer::ask(AppState& state) {
    const PaneLayout layout = lay_out_panes(state);
    state.report.findings.panes.resize(state.scene.panes.size());  // also without a ReportFiller
    state.report.findings.no_psnr.clear();
    peaks_.follow();
    pending_ = false;
    for (int pane = 0; pane < int(state.scene.panes.size()); ++pane) {
        std::optional<Known>& known = panes_[size_t(pane)];
        PaneReport& report = state.report.findings.panes[size_t(pane)];
        if (!layout[pane].has_picture()) {
            known.reset();
            report.outdated = true;
            continue;
        }
        auto reference = reference_rendition(state, pane);
        if (!reference) {
            known.reset();
            report.metrics.reset();
            report.outdated = true;
            if (std::string why = why_no_reference(state, pane); !why.empty())
                state.report.findings.no_metrics = std::move(why);
            continue;
        }
        Question now{
            pane_rendition(state, layout[pane], pane), std::move(*reference), measured_selection(state, pane), {}, {}};
        if (is_map(state.scene.difference.kind) && shows_difference(state, pane) && now.reference.image->in_memory() &&
            why_no_map(state.scene.difference.kind, *now.reference.image).empty())
            now.map = counted(state.scene.difference);
        if (FloatPeaks::needed_by(*now.reference.image)) {
            FloatPeaks::Known peak = peaks_.at(now.reference.image);
            now.peak = peak.peak;
            if (!peak.why_not.empty()) state.report.findings.no_psnr = std::move(peak.why_not);
        }
        if (!known || !(known->question == now)) {
            if (known && !known->question.tells_of(now)) report.metrics.reset();
            known = Known{std::move(now), false};
            report.outdated = true;
            state.report.findings.no_metrics.clear();
            changed_ = state.now;
        }
        pending_ = pending_ || !known->answered;
    }
    for (size_t pane = state.scene.panes.size(); pane < panes_.size(); ++pane) panes_[pane].reset();
    state.report.findings.measuring = pending_;
    peaks_.begin();
}

std::vector<int> Measurer::unanswered(const AppState& state) const {
    std::vector<int> panes;
    for (const int pane : panes_in_view(state.scene))
        if (const auto& known = panes_[size_t(pane)]; known && !known->answered) panes.push_back(pane);
    return panes;
}

void Measurer::fail(AppState& state, int pane, const std::exception& error) {
    panes_[size_t(pane)]->answered = true;  // the same request is not repeated
    state.report.findings.panes[size_t(pane)].metrics.reset();
    state.report.findings.no_metrics = error.what();
}

bool Measurer::update(AppState& state, FrameRenderer& renderer) {
    if (renderer.prepared().makes_beside()) {
        const bool news = collect_beside(state, renderer);
        begin_beside(state, renderer);
        return news;
    }
    const bool news = collect(state, renderer);
    if (!pending_ || under_way_ || rest_left(state) > 0) return news;
    begin(state, renderer);
    collect(state, renderer);  // a CPU has them immediately
    return news || !under_way_;
}

bool Measurer::collect_beside(AppState& state, FrameRenderer& renderer) {
    auto result = beside_.take();
    if (!result) return false;
    const auto& [pane, question, sources] = result->question;
    renderer.sources().put_all(std::move(*sources));
    if (result->answer) {
        answer(state, pane, question, *result->answer);
    } else if (const auto& known = panes_[size_t(pane)]; known && known->question == question) {
        try {
            std::rethrow_exception(result->problem);
        } catch (const std::exception& error) {
            fail(state, pane, error);
        }
    }
    pending_ = !unanswered(state).empty();
    state.report.findings.measuring = pending_;
    return true;
}

// One pane at a time, once all pictures are there: what they read needs not be computed twice.
void Measurer::begin_beside(AppState& state, FrameRenderer& renderer) {
    if (const BesideQuestion* asked = beside_.question()) {
        const std::optional<Known>& known = panes_[size_t(asked->pane)];
        if (known && known->question == asked->question) return;
        beside_.drop();
    }
    blocked_ = !renderer.waiting().empty();
    if (!pending_ || blocked_ || rest_left(state) > 0) return;
    const std::vector<int> panes = unanswered(state);
    if (panes.empty()) return;
    const Question& question = panes_[size_t(panes.front())]->question;
    const auto backend = make_cpu_backend();
    const auto sources = std::make_shared<SourceCache>(backend);
    for (const Rendition* each : {&question.shown, &question.reference})
        if (const auto shared = renderer.sources().shared_on(backend, each->image, each->light))
            sources->put(each->image, each->light, std::move(*shared));
    beside_.ask({panes.front(), question, sources}, [](const BesideQuestion& asked, const std::stop_token& stop) {
        const StoppableLoops stoppable(stop);
        lower_priority();
        PaneRenderer panes(*asked.sources);
        return figures(panes, asked.question);
    });
}

void Measurer::begin(AppState& state, FrameRenderer& renderer) {
    std::vector<int> panes = unanswered(state);
    blocked_ = false;
    if (panes.empty()) return;
    const double fit = budget_ms_ / std::max(pane_ms_, 0.001);
    panes.resize(std::clamp(size_t(fit), size_t(1), panes.size()));
    batch_.clear();
    try {
        if (!copy_) copy_ = make_copy_(renderer.sources().backend());
        const std::shared_ptr<void> memory = sums_.at_least(renderer.backend(), max_panes * sizeof(ComparisonSums));
        auto* sums = static_cast<ComparisonSums*>(memory.get());
        renderer.backend().timed(measuring_timer, [&] {
            for (const int pane : panes) begin(state, renderer, pane, sums + batch_.size());
        });
        if (batch_.empty()) return;
        copy_->start(sums, batch_.size() * sizeof(ComparisonSums));
        under_way_ = true;
        begun_ = state.now;
    } catch (const std::exception& error) {
        for (const int pane : panes) fail(state, pane, error);
    }
}

void Measurer::begin(AppState& state, FrameRenderer& renderer, int pane, ComparisonSums* sums) {
    const Question& q = panes_[size_t(pane)]->question;
    try {
        if (q.map) {  // a copy of its sums takes longer than to wait for it
            answer(state, pane, Question(q), figures(renderer.panes(), q));
            return;
        }
        const auto job = renderer.panes().compare(q.shown, q.reference, q.selection, q.peak, sums);
        if (job) batch_.push_back({pane, q, *job});
        else blocked_ = true;  // until all samples have come
    } catch (const std::exception& error) {
        fail(state, pane, error);
    }
}

bool Measurer::collect(AppState& state, FrameRenderer& renderer) {
    if (!has_news()) return false;
    under_way_ = false;
    try {
        if (!copy_->ready()) return false;
    } catch (const std::exception& error) {
        for (const Asked& asked : batch_)
            if (panes_[size_t(asked.pane)]) fail(state, asked.pane, error);
        return true;
    }
    const double ms = renderer.pane_ms(measuring_timer);
    pane_ms_ = (ms > 0 ? ms : budget_ms_) / double(batch_.size());
    const auto* sums = static_cast<const ComparisonSums*>(copy_->data());
    for (const Asked& asked : batch_) answer(state, asked.pane, asked.question, {metrics_of(asked.job, *sums++)});
    return true;
}

// If the request has changed, the figures are of the previous picture; if there is none any more, they are useless.
void Measurer::answer(AppState& state, int pane, const Question& question, const Figures& figures) {
    std::optional<Known>& known = panes_[size_t(pane)];
    if (!known) return;
    const bool current = known->question == question;
    if (!known->question.tells_of(question)) return;
    known->answered = known->answered || current;
    PaneReport& report = state.report.findings.panes[size_t(pane)];
    report.metrics = figures.metrics;
    report.map = figures.map;
    report.outdated = !current;
}

void Measurer::finish(AppState& state, FrameRenderer& renderer) {
    ask(state);
    for (const int pane : unanswered(state))
        if (const Question& question = panes_[size_t(pane)]->question; question.peak == 0.0)
            peaks_.find(question.reference.image);
    ask(state);
    under_way_ = false;  // and is abandoned
    beside_.drop();
    for (const int pane : unanswered(state)) {
        const Question question = panes_[size_t(pane)]->question;
        try {
            answer(state, pane, question, figures(renderer.panes(), question));
        } catch (const std::exception& error) {
            fail(state, pane, error);
        }
    }
    pending_ = false;
}

// A picture that follows the mouse does not wait for figures.
bool Measurer::live(const AppState& state) const {
    const double panes = double(panes_in_view(state.scene).size());
    return state.machine.on_gpu && panes > 1 && panes * pane_ms_ <= budget_ms_;
}

double Measurer::rest_left(const AppState& state) const {
    const double rest = changed_ + measure_rest_seconds - state.now;
    return live(state) ? std::min(rest, begun_ + measure_every_seconds - state.now) : rest;
}

void Measurer::leave_device() {
    const std::function<void()> wake = wake_;
    *this = Measurer(make_copy_, budget_ms_);
    set_wake(wake);
}

void Measurer::wake(const AppState& state, WakeUp& wake_up) const {
    peaks_.wake(wake_up);
    if (beside_.question()) beside_.wake(wake_up, 0.05);
    else if (under_way_) wake_up.look_in(0.002);
    else if (pending_ && !blocked_) wake_up.draw_in(rest_left(state));
}

}  // namespace texelscope
