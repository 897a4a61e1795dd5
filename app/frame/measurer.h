#pragma once
// Keeps the figures of the panes up to date: each against its reference, over what is in view or the selection.

#include <array>
#include <optional>

#include "app/frame/frame_renderer.h"
#include "app/state.h"

namespace texelscope {

class Measurer {
public:
    // Once a frame: notes what is to be measured; what has changed makes the old figures outdated.
    void ask(AppState& state);

    // Once a frame, after the panes were drawn; true where there are new figures. Measures panes whose picture has
    // changed since, once it rests; while it moves a few times a second, where the figures of several panes are on the
    // screen and the last ones took a GPU no more than a few milliseconds. After those the next call goes on.
    bool update(AppState& state, FrameRenderer& renderer);

    // Measures whatever is outdated, now: for pictures that are kept.
    void finish(AppState& state, FrameRenderer& renderer);

    // Seconds until there is something to measure; below 0 where there is not.
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
    bool measure(AppState& state, FrameRenderer& renderer, int pane);
    bool live(const AppState& state) const;

    std::array<std::optional<Known>, max_panes> panes_;
    double changed_ = 0, measured_ = 0;  // seconds
    bool split_ = false, slow_ = false;  // this round of all panes, and the last one, took longer than a frame has
    bool pending_ = false;
};

inline constexpr double measure_rest_seconds = 0.15, measure_every_seconds = 0.25;

}  // namespace texelscope
