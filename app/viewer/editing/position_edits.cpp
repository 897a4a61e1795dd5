#include "app/viewer/editing/position_edits.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/state/pane_images.h"
#include "app/state/pane_places.h"
#include "app/state/pane_views.h"
#include "app/state/view_math.h"
#include "app/text/text.h"
#include "gpu/core/text.h"

namespace texelscope {
namespace {

// The numbers of a text; empty if there is anything else in it. Commas, semicolons and brackets separate as blanks do.
std::vector<double> coordinates_in(std::string_view text) {
    std::string plain(text);
    for (char& c : plain)
        if (std::string_view(",;()[]\t").find(c) != std::string_view::npos) c = ' ';
    std::vector<double> numbers;
    for (std::string_view rest = trimmed(plain); !rest.empty();) {
        const size_t end = std::min(rest.find(' '), rest.size());
        const auto number = number_in(rest.substr(0, end));
        if (!number) return {};
        numbers.push_back(*number);
        rest = trimmed(rest.substr(end));
    }
    return numbers;
}

std::string coordinate_text(double value) { return with_minus(fmt::format("{:.8g}", value)); }

// Where the image is extended, one may go as far beyond each edge as it is long.
struct Reach {
    double low, high;
};
Reach reach_of(const AppState& state, int samples) {
    const double beyond = state.scene.outside == Outside::extend ? samples : 0;
    return {-0.5 - beyond, samples - 0.5 + beyond};
}

std::string out_of_reach(const char* axis, const Reach& reach) {
    return fmt::format("{} can be from {} to {}: sample i is at i.", axis, coordinate_text(reach.low),
                       coordinate_text(reach.high));
}

bool is_within(double value, const Reach& reach) { return value >= reach.low && value <= reach.high; }

// Output pixels to samples of the current image, at the end of any animation.
Affine current_affine_at_rest(AppState& state, int pane) {
    auto moving = std::exchange(state.transition, {});
    const Affine affine = current_affine(state, pane);
    state.transition = std::move(moving);
    return affine;
}

}  // namespace

void go_to(AppState& state, Point p) {
    const int pane = state.scene.active;
    const PanePlace place = place_of(state, pane);
    if (!place.has_picture() || place.clip.empty()) return;
    const Point pixel{double(place.clip.x - place.rect.x + place.clip.width / 2),
                      double(place.clip.y - place.rect.y + place.clip.height / 2)};
    View view = target_view(state.scene, pane);
    const Extent image = place.samples(), output = place.output();
    const Affine affine =
        sampling_affine(about_samples(view, *place.image), image.width, image.height, output.width, output.height);
    const Point read = apply(affine, pixel.x, pixel.y);
    view.translate_x += p.x - read.x;
    if (!place.signal()) view.translate_y += p.y - read.y;
    set_view(state, view, true, pane);
    state.ui.cursor = apply(current_affine_at_rest(state, pane), pixel.x, pixel.y);
    state.ui.taps = true;
    state.ui.dock = Dock::taps;
}

TypedCommand position_command(const AppState& state, std::string_view text) {
    const auto failing = [](std::string problem) { return TypedCommand{"", std::move(problem), {}}; };
    const bool signal = shows_signal(state, state.scene.active);
    const std::vector<double> typed = coordinates_in(text);
    if (typed.size() != (signal ? 1 : 2))
        return failing(fmt::format("“{}” is no position; type {}.", trimmed(text),
                                   signal ? "x in samples, such as 120.5" : "x and y in samples, such as 120.5 80.25"));
    const Point p{typed[0], signal ? 0 : typed[1]};
    if (const auto image = image_of(state.scene, state.scene.active)) {
        const Reach across = reach_of(state, image->width()), down = reach_of(state, image->height());
        if (!is_within(p.x, across)) return failing(out_of_reach("x", across));
        if (!signal && !is_within(p.y, down)) return failing(out_of_reach("y", down));
    }
    const std::string where =
        signal ? coordinate_text(p.x) : fmt::format("{}, {}", coordinate_text(p.x), coordinate_text(p.y));
    return {"Go to " + where, "", [p](AppState& s) { go_to(s, p); }};
}

void type_position(AppState& state) {
    const int pane = state.scene.active;
    const PanePlace place = place_of(state, pane);
    if (!place.has_picture()) return;
    const auto& readout = state.report.findings.readout;
    Point p = apply(shown_affine(state, pane), (place.rect.width - 1) / 2.0, (place.rect.height - 1) / 2.0);
    if (state.ui.cursor && readout && acting_warp(state, pane).kind == Warp::Kind::none) p = readout->position;
    state.ui.panels = true;  // the status bar is one of them
    state.ui.typed_position =
        TypedField{shows_signal(state, pane) ? fmt::format("{:.8g}", p.x) : fmt::format("{:.8g} {:.8g}", p.x, p.y)};
}

}  // namespace texelscope
