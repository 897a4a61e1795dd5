#include "app/viewer/editing/display_edits.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "app/picture/first_look.h"
#include "app/picture/inspect/statistics.h"
#include "app/state/messages.h"
#include "app/state/panes.h"
#include "app/state/readout_text.h"

namespace texelscope {
namespace {

constexpr float furthest = 1e30f;

// The least distance between the levels around a value that a float can hold well.
float gap_at(float value) { return std::max(1e-30f, std::abs(value) * 1e-5f); }

const Document* shown_document(const Scene& scene) {
    return scene.panes.empty() ? nullptr : document_of(scene, scene.pane());
}

// The levels with which the active pane's image opened.
Levels first_levels(const Scene& scene) {
    const Document* shown = shown_document(scene);
    return shown ? shown->look.levels.value_or(Levels{}) : Levels{};
}

// Sets the levels of the active pane's image, or of all images if they are locked. Empty: those at opening.
void put_levels(Scene& scene, const std::optional<Levels>& levels) {
    const Document* shown = shown_document(scene);
    if (scene.levels_locked) {
        const Levels all = levels.value_or(first_levels(scene));
        scene.display.black = all.black;
        scene.display.white = all.white;
    } else if (shown) {
        scene.documents[size_t(shown - scene.documents.data())].levels = levels;
    }
}

float level_at(double value) { return float(std::clamp(value, -double(furthest), double(furthest))); }

}  // namespace

void change_exposure(Scene& scene, float stops) {
    float& exposure = scene.display.exposure;
    exposure = std::clamp(exposure + stops, -16.0f, 16.0f);
}

void set_black_level(Scene& scene, double value) {
    if (!std::isfinite(value)) return;
    Levels levels = levels_of(scene, scene.active);
    levels.black = std::min(level_at(value), furthest - gap_at(furthest));
    levels.white = std::max(levels.white, levels.black + gap_at(levels.black));
    put_levels(scene, levels);
}

void set_white_level(Scene& scene, double value) {
    if (!std::isfinite(value)) return;
    Levels levels = levels_of(scene, scene.active);
    levels.white = std::max(level_at(value), -furthest + gap_at(furthest));
    levels.black = std::min(levels.black, levels.white - gap_at(levels.white));
    put_levels(scene, levels);
}

void set_auto_contrast(AppState& state, double share) {
    const auto image = image_of(state.scene, state.scene.active);
    if (!image) return;
    if (!image->in_memory()) return state.tasks.push_back(task::AutoContrast{share});
    set_levels(state.scene, state.messages,
               auto_levels(*image, state.scene.selection, state.scene.display.channel, share));
}

void set_levels(Scene& scene, Messages& messages, const std::optional<Levels>& levels) {
    if (!levels)
        return post(messages, Message::Level::warning,
                    "No contrast to be found: the samples have all the same value, or none that is finite");
    put_levels(scene, Levels{std::max(levels->black, -furthest), std::min(levels->white, furthest)});
}

void toggle_levels(AppState& state) {
    const Document* shown = shown_document(state.scene);
    if (!shown || !shown->image) return;
    if (levels_of(state.scene, state.scene.active) != Levels{}) return put_levels(state.scene, Levels{});
    if (shown->look.levels) return put_levels(state.scene, {});
    constexpr double share = 0.001;
    set_auto_contrast(state, share);
}

void lock_levels(Scene& scene, bool locked) {
    if (scene.levels_locked == locked) return;
    const Levels now = levels_of(scene, scene.active);
    scene.levels_locked = locked;
    if (!locked) {
        scene.display.black = Levels{}.black;
        scene.display.white = Levels{}.white;
    }
    if (locked || levels_of(scene, scene.active) != now) put_levels(scene, now);
}

void choose_false_colour(Scene& scene, Messages& messages, ColourMap map) {
    const int pane = scene.active;
    if (map != ColourMap::channels && image_of(scene, pane) && !shows_single_channel(scene, pane))
        return post(messages, Message::Level::warning,
                    "False colour is for a single channel: choose one under Image and display");
    scene.display.map = map;
}

void reset_display(Scene& scene) {
    scene.display = {};
    scene.levels_locked = false;
    put_levels(scene, {});
}

bool is_display_usual(const Scene& scene) {
    const Document* shown = shown_document(scene);
    return scene.display == DisplaySettings{} && !scene.levels_locked && !(shown && shown->levels);
}

void reset_tones(Scene& scene) {
    const DisplaySettings usual;
    DisplaySettings& display = scene.display;
    display.exposure = usual.exposure;
    display.gamma = usual.gamma;
    display.curve = usual.curve;
    display.invert = usual.invert;
    put_levels(scene, {});
}

namespace {

// "levels 268 … 292", those of the active pane.
std::string level_range(const AppState& state) {
    const Levels levels = levels_of(state.scene, state.scene.active);
    const double factor = value_scale(state, state.scene.active).factor();
    const auto words = [&](double value) {
        return factor > 255 ? fmt::format("{:.0f}", value * factor) : fmt::format("{:.4g}", value * factor);
    };
    return fmt::format("levels {} … {}", words(levels.black), words(levels.white));
}

}  // namespace

std::string levels_words(const AppState& state) {
    return shows_levels_of_data(state.scene, state.scene.active) ? level_range(state) + " from the data" : "";
}

namespace {

std::vector<std::string> changed_tones(const DisplaySettings& display) {
    const DisplaySettings usual;
    std::vector<std::string> changed;
    if (display.exposure != usual.exposure)
        changed.push_back(
            fmt::format("exposure {}{:.3g}", display.exposure < 0 ? "−" : "+", std::abs(display.exposure)));
    if (display.curve != usual.curve) changed.push_back(fmt::format("tone curve {}", name_of(display.curve)));
    if (display.gamma != usual.gamma) changed.push_back(fmt::format("gamma {:.3g}", display.gamma));
    if (display.invert) changed.emplace_back("inverted");
    return changed;
}

}  // namespace

std::string tones_in_words(const DisplaySettings& display) {
    return fmt::format("{}", fmt::join(changed_tones(display), ", "));
}

std::string tone_words(const AppState& state) {
    const Scene& scene = state.scene;
    std::vector<std::string> changed = changed_tones(display_of(scene, scene.active));
    if (levels_of(scene, scene.active) != first_levels(scene)) changed.insert(changed.begin(), level_range(state));
    if (changed.empty()) return "";
    return changed.size() == 1 ? changed[0] : fmt::format("{} + {} more", changed[0], changed.size() - 1);
}

void toggle_dock(UiState& ui, Dock dock) { ui.dock = ui.dock == dock ? Dock::none : dock; }

void toggle_taps(UiState& ui) {
    ui.taps = !ui.taps;
    if (ui.taps) ui.dock = Dock::taps;
    else if (ui.dock == Dock::taps) ui.dock = Dock::none;
}

void offer_plot(AppState& state, const Document& document) {
    if (!document.is_file() || !document.image || document.image->one_dimensional()) return;
    const int width = document.image->width(), height = document.image->height();
    if (std::min(width, height) != 1 || width == height) return;
    const auto along = height == 1 ? ProfileLine::Along::row : ProfileLine::Along::column;
    post_offer(
        state,
        fmt::format("{} is a single {} of {} samples", document.title(), name_of(along), std::max(width, height)),
        "Plot it",
        [along](AppState& then) {
            choose_along(then, along);
            then.ui.dock = Dock::profile;
        },
        [source = document.source](const AppState& then) {
            const Document* shown = then.scene.document();
            return !shown || shown->source != source || then.ui.dock == Dock::profile;
        });
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

void pin_profile(Scene& scene, const Report& report, bool pinned) {
    ProfileLine& line = scene.profile;
    line.pinned = pinned;
    const ProfileReport& shown = report.findings.profile;
    if (pinned && shown.channels > 0) line.a = shown.point(shown.from);
}

void choose_value_unit(UiState& ui, ValueUnit unit) { ui.value_unit = unit; }

std::optional<SampleLine> shown_line(const Scene& scene) {
    const Document* document = scene.document();
    return document ? parse_sample_line(document->source) : std::nullopt;
}

void change_line(Scene& scene, const SampleLine& line) {
    Document* document = scene.document();
    const std::string before = document ? document->source : "", now = line.source();
    if (!parse_sample_line(before) || before == now) return;
    document->source = now;
    document->image = std::make_shared<const Image>(samples_of(*parse_sample_line(now)));
    for (Pane& pane : scene.panes)
        if (pane.source == before) pane.source = now;
    if (scene.reference.source == before) scene.reference.source = now;
}

void move_sample(Scene& scene, size_t k, double value, double range) {
    auto line = shown_line(scene);
    if (!line || k >= line->values.size()) return;
    const double step = std::pow(10, std::floor(std::log10(std::max(range, 1e-9) / 300)));
    line->values[k] = std::round(value / step) * step;
    line->formula.clear();
    change_line(scene, *line);
}

}  // namespace texelscope
