#include "app/viewer/editing/view_edits.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/state/panes.h"
#include "app/state/view_math.h"
#include "app/text/text.h"
#include "app/viewer/editing/actions.h"
#include "gpu/core/text.h"

namespace texelscope {
namespace {

// The pane that an edit changes.
int chosen(const Scene& scene, std::optional<int> pane) { return pane.value_or(scene.active); }

View fitting(const PanePlace& pane) { return fitted(pane.target.rotate, pane.frame(), pane.output()); }
double lowest(const PanePlace& pane) { return lowest_zoom(pane.target.rotate, pane.frame(), pane.output()); }
View zoomed(const PanePlace& pane, const View& from, double zoom, Point pixel) {
    return zoomed_about(from, zoom, pane.frame(), pane.output(), pixel);
}

// A region of the image's samples, now counted from the first one of its frame.
Region in_frame(const Region& region, const Image& image) {
    const SampleRegion frame = frame_around(image);
    const auto x = double(frame.x), y = double(frame.y);
    return {region.x0 - x, region.y0 - y, region.x1 - x, region.y1 - y};
}

}  // namespace

void set_view(AppState& state, const View& view, bool animate, std::optional<int> pane) {
    Document* const document = state.scene.document();
    if (!document) return;
    dismiss_hint(state);
    const int index = chosen(state.scene, pane);
    if (auto& own = state.scene.panes[size_t(index)].own_view) {
        own = view;
        return;
    }
    const View before = shown_view(state);
    document->view = without_offset(view, place_of(state, index).offset);
    document->keep_fit = false;
    state.transition.reset();
    if (animate && state.ui.animate && !(before == document->view)) state.transition = Transition{before, state.now};
}

void set_zoom(AppState& state, double zoom) {
    const PanePlace pane = place_of(state, state.scene.active);
    if (!pane.has_picture()) return;
    const Point centre{(pane.rect.width - 1) / 2.0, (pane.rect.height - 1) / 2.0};
    set_view(state, zoomed(pane, pane.target, zoom, centre));
}

void zoom_by(AppState& state, double factor, Point pixel, std::optional<int> pane) {
    const int index = chosen(state.scene, pane);
    const PanePlace which = place_of(state, index);
    if (!which.has_picture()) return;
    // The step starts from the target zoom, so that quick notches add up; the position from the view on the screen.
    const double zoom = stepped_zoom(which.target.zoom(), factor, lowest(which));
    set_view(state, zoomed(which, which.view, zoom, pixel), true, index);
}

void zoom_power_of_two(AppState& state, int direction) {
    const PanePlace pane = place_of(state, state.scene.active);
    if (pane.has_picture()) set_zoom(state, power_of_two_zoom(pane.target.zoom(), direction, lowest(pane)));
}

void pan_by(AppState& state, double dx, double dy, bool animate, std::optional<int> pane) {
    const int index = chosen(state.scene, pane);
    const PanePlace which = place_of(state, index);
    if (!which.has_picture()) return;
    // A drag starts from the picture on the screen; steps by key add up.
    set_view(state, panned(animate ? which.target : which.view, dx, dy), animate, index);
}

void move_by_fingers(AppState& state, const FingersMoved& moved, Point pixel, int pane) {
    const PanePlace which = place_of(state, pane);
    if (!which.has_picture()) return;
    const double zoom = std::clamp(which.view.zoom() * moved.factor, lowest(which), max_zoom);
    View view = zoomed(which, which.view, zoom, pixel);
    const auto sample = [&] {
        const Extent frame = which.frame(), output = which.output();
        return apply(sampling_affine(view, frame.width, frame.height, output.width, output.height), pixel.x, pixel.y);
    };
    const Point kept = sample();
    view = rotated(view, -moved.degrees);
    const Point now = sample();
    view.translate_x += kept.x - now.x;
    view.translate_y += kept.y - now.y;
    set_view(state, panned(view, moved.dx, moved.dy), false, pane);
}

void fit(AppState& state) {
    const PanePlace pane = place_of(state, state.scene.active);
    if (pane.has_picture()) set_view(state, fitting(pane));
}

void keep_fit(AppState& state, bool keep) {
    if (!state.scene.document()) return;
    if (keep) fit(state);
    state.scene.document()->region.reset();
    // A pane's own view is fitted, but does not follow the window.
    if (!state.scene.pane().own_view) state.scene.document()->keep_fit = keep;
}

void show_one_to_one(AppState& state) {
    const PanePlace pane = place_of(state, state.scene.active);
    if (pane.has_picture()) set_view(state, one_to_one(pane.target));
}

void toggle_fit(AppState& state, int pane, Point pixel) {
    const PanePlace which = place_of(state, pane);
    if (!which.has_picture() || !state.scene.document()) return;
    const View now = which.target, whole = fitting(which);
    constexpr double close = 4;  // output pixels; a click may move the mouse a little
    const bool fits = std::abs(now.scale / whole.scale - 1) < 1e-6 &&
                      std::abs(now.translate_x - whole.translate_x) < close * whole.scale &&
                      std::abs(now.translate_y - whole.translate_y) < close * whole.scale;
    if (fits) return set_view(state, one_to_one(zoomed(which, now, 1, pixel)), true, pane);
    set_view(state, whole, true, pane);
    if (state.scene.panes[size_t(pane)].own_view) return;
    state.scene.document()->region.reset();
    state.scene.document()->keep_fit = true;
}

void reset_view(AppState& state) { set_view(state, View{}); }

void rotate_by(AppState& state, double degrees) {
    const Document* document = state.scene.document();
    if (!document) return;
    const bool keep = document->keep_fit && !state.scene.pane().own_view;
    set_view(state, rotated(place_of(state, state.scene.active).target, degrees));
    if (!keep) return;
    if (document->region) state.scene.document()->keep_fit = true;
    else keep_fit(state, true);
}

void rotate_to(AppState& state, double degrees) {
    if (state.scene.document()) rotate_by(state, degrees - place_of(state, state.scene.active).target.rotate);
}

void zoom_to_selection(AppState& state) {
    const PanePlace pane = place_of(state, state.scene.active);
    if (!pane.has_picture() || !state.scene.selection) return;
    set_view(state,
             zoomed_to(in_frame(*state.scene.selection, *pane.image), pane.target.rotate, pane.frame(), pane.output()));
}

void centre_on(AppState& state, int pane, Point p) {
    const auto image = image_of(state.scene, pane);
    if (!image) return;
    const double x = std::clamp(p.x, -0.5, image->width() - 0.5), y = std::clamp(p.y, -0.5, image->height() - 0.5);
    View view = pane_view(state, pane);
    const View samples = about_samples({}, *image);
    view.translate_x = x - (image->width() - 1) / 2.0 - samples.translate_x;
    view.translate_y = y - (image->height() - 1) / 2.0 - samples.translate_y;
    set_view(state, view, false, pane);
}

void unlink_view(AppState& state, int pane) {
    Pane& which = state.scene.panes[size_t(pane)];
    which.own_view = pane_view(state, pane);
}

void link_view(Scene& scene, int pane) {
    Pane& which = scene.panes[size_t(pane)];
    which.own_view.reset();
    which.offset = {};
}

void update_views(AppState& state) {
    if (state.transition && state.now - state.transition->start >= transition_seconds) state.transition.reset();
    Document* document = state.scene.document();
    if (!document || !document->keep_fit || !document->image) return;
    const Extent frame = frame_size(*document->image);
    const Extent output = output_extent(state, panes_in_view(state.scene).front());
    if (output.empty()) return;
    const double rotate = document->view.rotate;
    document->view = document->region ? zoomed_to(in_frame(*document->region, *document->image), rotate, frame, output)
                                      : fitted(rotate, frame, output);
}

namespace {

constexpr double most_degrees = 360;

// The number before or after one of these marks; empty if none of them is there.
std::optional<double> marked_number(std::string_view text, std::initializer_list<std::string_view> marks) {
    for (const std::string_view mark : marks) {
        if (text.ends_with(mark)) return number_in(text.substr(0, text.size() - mark.size()));
        if (text.starts_with(mark)) return number_in(text.substr(mark.size()));
    }
    return {};
}

std::optional<double> parse_zoom(std::string_view text) {
    text = trimmed(text);
    if (const size_t colon = text.find(':'); colon != text.npos) {
        const auto screen = number_in(text.substr(0, colon)), samples = number_in(text.substr(colon + 1));
        return screen && samples && *samples > 0 ? std::optional(*screen / *samples) : std::nullopt;
    }
    if (const auto factor = marked_number(text, {"x", "X", "×", "*"})) return factor;
    const auto percent = text.ends_with('%') ? number_in(text.substr(0, text.size() - 1)) : number_in(text);
    return percent ? std::optional(*percent / 100) : std::nullopt;
}

TypedCommand failing(std::string problem) { return {"", std::move(problem), {}}; }

TypedCommand rotate_command(std::string_view text) {
    const auto marked = marked_number(text, {"°"}), degrees = marked ? marked : number_in(text);
    if (!degrees) return failing(fmt::format("“{}” is no angle; type degrees, such as 15 or −7.5.", text));
    if (std::abs(*degrees) > most_degrees)
        return failing(fmt::format("The rotation can be from −{0:g}° to {0:g}°.", most_degrees));
    return {fmt::format("Rotate to {}{:.6g}°", *degrees < 0 ? "−" : "", std::abs(*degrees)), "",
            [to = *degrees](AppState& s) { rotate_to(s, to); }};
}

struct Kind {
    std::string_view word;
    TypedCommand (*make)(std::string_view number);
};
constexpr Kind kinds[] = {{"zoom", zoom_command}, {"rotate", rotate_command}};

bool has_digit(std::string_view text) { return text.find_first_of("0123456789") != text.npos; }

}  // namespace

TypedCommand zoom_command(std::string_view number) {
    const auto zoom = parse_zoom(number);
    if (!zoom)
        return failing(fmt::format("“{}” is no zoom; type a percentage such as 400, or a factor such as 4x.", number));
    if (!(*zoom >= min_zoom && *zoom <= max_zoom))
        return failing(fmt::format("The zoom can be from {:g} % to {:g} %.", 100 * min_zoom, 100 * max_zoom));
    return {"Zoom to " + zoom_text(*zoom), "", [to = *zoom](AppState& s) { set_zoom(s, to); }};
}

std::optional<TypedCommand> typed_command(const AppState& state, std::string_view text) {
    text = trimmed(text);
    size_t letters = 0;
    while (letters < text.size() && std::isalpha(static_cast<unsigned char>(text[letters]))) ++letters;
    std::string_view number = trimmed(text.substr(letters));
    if (number.starts_with("to ")) number = trimmed(number.substr(3));
    if (letters == 0 || !has_digit(number)) return {};
    if (!has_document(state.scene) && !awaits_picture(state.scene)) return {};
    const std::string word = lower_case(std::string(text.substr(0, letters)));
    for (const Kind& kind : kinds)
        if (kind.word.starts_with(word)) return kind.make(number);
    if (std::string_view("goto").starts_with(word)) return position_command(state, number);
    return {};
}

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
    View view = place.target;
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
