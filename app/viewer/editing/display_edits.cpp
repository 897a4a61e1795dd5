#include "app/viewer/editing/display_edits.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "app/picture/false_colour.h"
#include "app/picture/inspect/auto_levels.h"
#include "app/state/messages.h"
#include "app/state/pane_images.h"

namespace texelscope {
namespace {

constexpr float furthest = 1e9f;

// The least distance between the levels around a value that a float can hold well.
float gap_at(float value) { return std::max(1e-9f, std::abs(value) * 1e-5f); }

float level_at(double value) { return float(std::clamp(value, -double(furthest), double(furthest))); }

}  // namespace

void change_exposure(AppState& state, float stops) {
    float& exposure = state.scene.display.exposure;
    exposure = std::clamp(exposure + stops, -16.0f, 16.0f);
}

void set_black_level(AppState& state, double value) {
    if (!std::isfinite(value)) return;
    DisplaySettings& display = state.scene.display;
    display.black = std::min(level_at(value), furthest - gap_at(furthest));
    display.white = std::max(display.white, display.black + gap_at(display.black));
}

void set_white_level(AppState& state, double value) {
    if (!std::isfinite(value)) return;
    DisplaySettings& display = state.scene.display;
    display.white = std::max(level_at(value), -furthest + gap_at(furthest));
    display.black = std::min(display.black, display.white - gap_at(display.white));
}

void set_auto_contrast(AppState& state, double share) {
    const auto image = image_of(state, state.scene.active);
    if (!image) return;
    if (!image->in_memory()) return state.tasks.push_back(task::AutoContrast{share});
    set_levels(state, auto_levels(*image, state.scene.selection, state.scene.display.channel, share));
}

void set_levels(AppState& state, const std::optional<Levels>& levels) {
    if (!levels)
        return post(state, Message::Level::warning,
                    "No contrast to be found: the samples have all the same value, or none that is finite");
    state.scene.display.black = std::max(levels->black, -furthest);
    state.scene.display.white = std::min(levels->white, furthest);
}

void choose_false_colour(AppState& state, ColourMap map) {
    const int pane = state.scene.active;
    if (map != ColourMap::channels && image_of(state, pane) && !shows_single_channel(state, pane))
        return post(state, Message::Level::warning,
                    "False colour is for a single channel: choose one in the Display section");
    state.scene.display.map = map;
}

void reset_display(AppState& state) { state.scene.display = {}; }

void reset_tones(AppState& state) {
    const DisplaySettings usual;
    DisplaySettings& display = state.scene.display;
    display.exposure = usual.exposure;
    display.gamma = usual.gamma;
    display.black = usual.black;
    display.white = usual.white;
    display.curve = usual.curve;
    display.invert = usual.invert;
}

std::string tone_words(const DisplaySettings& display) {
    const DisplaySettings usual;
    std::vector<std::string> changed;
    if (display.black != usual.black || display.white != usual.white) changed.emplace_back("levels");
    if (display.exposure != usual.exposure)
        changed.push_back(
            fmt::format("exposure {}{:.3g}", display.exposure < 0 ? "−" : "+", std::abs(display.exposure)));
    if (display.curve != usual.curve) changed.push_back(fmt::format("tone curve {}", name_of(display.curve)));
    if (display.gamma != usual.gamma) changed.push_back(fmt::format("gamma {:.3g}", display.gamma));
    if (display.invert) changed.emplace_back("inverted");
    if (changed.empty()) return "";
    return changed.size() == 1 ? changed[0] : fmt::format("{} + {} more", changed[0], changed.size() - 1);
}

}  // namespace texelscope
