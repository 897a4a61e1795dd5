#include "app/viewer/editing/display_edits.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "app/picture/first_look.h"
#include "app/picture/inspect/histogram.h"
#include "app/state/messages.h"
#include "app/state/pane_images.h"
#include "app/state/pane_views.h"
#include "app/state/readout_text.h"

namespace texelscope {
namespace {

constexpr float furthest = 1e30f;

// The least distance between the levels around a value that a float can hold well.
float gap_at(float value) { return std::max(1e-30f, std::abs(value) * 1e-5f); }

const Document* shown_document(const AppState& state) {
    return state.scene.panes.empty() ? nullptr : document_of(state, state.scene.pane());
}

// The levels with which the active pane's image opened.
Levels first_levels(const AppState& state) {
    const Document* shown = shown_document(state);
    return shown ? shown->look.levels.value_or(Levels{}) : Levels{};
}

// Sets the levels of the active pane's image, or of all images if they are locked. Empty: those at opening.
void put_levels(AppState& state, const std::optional<Levels>& levels) {
    Scene& scene = state.scene;
    const Document* shown = shown_document(state);
    if (scene.levels_locked) {
        const Levels all = levels.value_or(first_levels(state));
        scene.display.black = all.black;
        scene.display.white = all.white;
    } else if (shown) {
        scene.documents[size_t(shown - scene.documents.data())].levels = levels;
    }
}

float level_at(double value) { return float(std::clamp(value, -double(furthest), double(furthest))); }

}  // namespace

void change_exposure(AppState& state, float stops) {
    float& exposure = state.scene.display.exposure;
    exposure = std::clamp(exposure + stops, -16.0f, 16.0f);
}

void set_black_level(AppState& state, double value) {
    if (!std::isfinite(value)) return;
    Levels levels = levels_of(state, state.scene.active);
    levels.black = std::min(level_at(value), furthest - gap_at(furthest));
    levels.white = std::max(levels.white, levels.black + gap_at(levels.black));
    put_levels(state, levels);
}

void set_white_level(AppState& state, double value) {
    if (!std::isfinite(value)) return;
    Levels levels = levels_of(state, state.scene.active);
    levels.white = std::max(level_at(value), -furthest + gap_at(furthest));
    levels.black = std::min(levels.black, levels.white - gap_at(levels.white));
    put_levels(state, levels);
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
    put_levels(state, Levels{std::max(levels->black, -furthest), std::min(levels->white, furthest)});
}

void toggle_levels(AppState& state) {
    const Document* shown = shown_document(state);
    if (!shown || !shown->image) return;
    if (levels_of(state, state.scene.active) != Levels{}) return put_levels(state, Levels{});
    if (shown->look.levels) return put_levels(state, {});
    constexpr double share = 0.001;
    set_auto_contrast(state, share);
}

void lock_levels(AppState& state, bool locked) {
    Scene& scene = state.scene;
    if (scene.levels_locked == locked) return;
    const Levels now = levels_of(state, scene.active);
    scene.levels_locked = locked;
    if (!locked) {
        scene.display.black = Levels{}.black;
        scene.display.white = Levels{}.white;
    }
    if (locked || levels_of(state, scene.active) != now) put_levels(state, now);
}

void choose_false_colour(AppState& state, ColourMap map) {
    const int pane = state.scene.active;
    if (map != ColourMap::channels && image_of(state, pane) && !shows_single_channel(state, pane))
        return post(state, Message::Level::warning,
                    "False colour is for a single channel: choose one under Image and display");
    state.scene.display.map = map;
}

void reset_display(AppState& state) {
    state.scene.display = {};
    state.scene.levels_locked = false;
    put_levels(state, {});
}

bool is_display_usual(const AppState& state) {
    const Document* shown = shown_document(state);
    return state.scene.display == DisplaySettings{} && !state.scene.levels_locked && !(shown && shown->levels);
}

void reset_tones(AppState& state) {
    const DisplaySettings usual;
    DisplaySettings& display = state.scene.display;
    display.exposure = usual.exposure;
    display.gamma = usual.gamma;
    display.curve = usual.curve;
    display.invert = usual.invert;
    put_levels(state, {});
}

std::string levels_words(const AppState& state) {
    const int pane = state.scene.active;
    if (!shows_levels_of_data(state, pane)) return "";
    const Levels levels = levels_of(state, pane);
    const double factor = value_scale(state, pane).factor();
    return fmt::format("levels {:.4g} … {:.4g} from the data", double(levels.black) * factor,
                       double(levels.white) * factor);
}

std::string tone_words(const AppState& state) {
    const DisplaySettings usual, display = display_of(state, state.scene.active);
    std::vector<std::string> changed;
    if (levels_of(state, state.scene.active) != first_levels(state)) changed.emplace_back("levels");
    if (display.exposure != usual.exposure)
        changed.push_back(
            fmt::format("exposure {}{:.3g}", display.exposure < 0 ? "−" : "+", std::abs(display.exposure)));
    if (display.curve != usual.curve) changed.push_back(fmt::format("tone curve {}", name_of(display.curve)));
    if (display.gamma != usual.gamma) changed.push_back(fmt::format("gamma {:.3g}", display.gamma));
    if (display.invert) changed.emplace_back("inverted");
    if (changed.empty()) return "";
    return changed.size() == 1 ? changed[0] : fmt::format("{} + {} more", changed[0], changed.size() - 1);
}

void toggle_dock(AppState& state, Dock dock) { state.ui.dock = state.ui.dock == dock ? Dock::none : dock; }

void toggle_taps(AppState& state) {
    state.ui.taps = !state.ui.taps;
    if (state.ui.taps) state.ui.dock = Dock::taps;
    else if (state.ui.dock == Dock::taps) state.ui.dock = Dock::none;
}

void choose_along(AppState& state, ProfileLine::Along along) {
    using Along = ProfileLine::Along;
    ProfileLine& line = state.scene.profile;
    if (line.along == along) return;
    const ProfileReport& shown = state.report.findings.profile;
    if (shown.channels > 0 && along == Along::line && line.a == line.b) {
        line.a = shown.point(shown.from);
        line.b = shown.point(shown.to);
    } else if (shown.channels > 0 && along != Along::line) {
        line.a = shown.point((shown.from + shown.to) / 2);
    }
    line.along = along;
    line.pinned = along == Along::line;
    state.ui.inspect.profile = {};
}

void pin_profile(AppState& state, bool pinned) {
    ProfileLine& line = state.scene.profile;
    line.pinned = pinned;
    const ProfileReport& shown = state.report.findings.profile;
    if (pinned && shown.channels > 0) line.a = shown.point(shown.from);
}

void choose_value_unit(AppState& state, ValueUnit unit) { state.ui.value_unit = unit; }

}  // namespace texelscope
