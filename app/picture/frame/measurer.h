#pragma once
// Keeps the figures of the panes up to date: each against its reference, over what is in view or the selection.

#include <array>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "app/picture/frame/frame_renderer.h"
#include "app/state/app_state.h"
#include "gpu/interop/host_copy.h"

namespace texelscope {

// A frame begins to measure, a later one collects: no GPU is waited for.
class Measurer {
public:
    // Figures may take `budget_ms` of a frame.
    explicit Measurer(MakeHostCopy make_copy = make_host_copy, double budget_ms = 4)
        : budget_ms_(budget_ms), pane_ms_(budget_ms), make_copy_(std::move(make_copy)) {}

    // Once a frame: notes what is to be measured; what has changed makes the old figures outdated.
    void ask(AppState& state);

    // Once a frame, after the panes were drawn; true where there are new figures. Collects what has come, and begins to
    // measure the panes whose picture has changed, once it rests: as many at a time as should take a few milliseconds.
    // Where the figures of several panes are on the screen and a GPU needs no more than that for all of them, also
    // while the picture moves, a few times a second; what has changed again when they come stays outdated.
    bool update(AppState& state, FrameRenderer& renderer);

    // Figures have come that the report does not have yet.
    bool has_news() const { return under_way_ && arrival(*copy_) != Arrival::under_way; }

    // Measures whatever is outdated, now: for pictures that are kept.
    void finish(AppState& state, FrameRenderer& renderer);

    // Seconds until there is something to measure, or worth asking for news; below 0 where there is not.
    double patience(const AppState& state) const;

private:
    struct Question {
        Rendition shown, reference;
        std::optional<MeasureJob::Selection> selection;
        bool operator==(const Question&) const = default;
    };
    struct Known {
        Question question;
        bool answered = false;
    };
    // A pane's comparison under way to the host; its sums stand where it stands in the batch.
    struct Asked {
        int pane = 0;
        Question question;
        MeasureJob job;
    };
    std::vector<int> unanswered(const AppState& state) const;
    void begin(AppState& state, FrameRenderer& renderer);
    void begin(AppState& state, FrameRenderer& renderer, int pane, ComparisonSums* sums);
    bool collect(AppState& state, FrameRenderer& renderer);
    void answer(AppState& state, int pane, const Question& question, const Metrics& metrics);
    void fail(AppState& state, int pane, const std::exception& error);
    bool live(const AppState& state) const;

    std::array<std::optional<Known>, max_panes> panes_;
    double changed_ = 0, begun_ = 0;  // seconds
    double budget_ms_, pane_ms_;      // pane: what one of the last batch took
    bool pending_ = false;

    std::vector<Asked> batch_;
    bool under_way_ = false;
    Scratch sums_;
    MakeHostCopy make_copy_;
    std::unique_ptr<HostCopy> copy_;
};

inline constexpr double measure_rest_seconds = 0.15, measure_every_seconds = 0.25;

}  // namespace texelscope
