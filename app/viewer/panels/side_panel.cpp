// What the window's parts need of its space; the panel at the left: its sections, and its edge to drag.

#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <string>

#include <fmt/format.h>

#include "app/state/panes.h"
#include "app/text/glossary.h"
#include "app/text/text.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/lessons/lesson.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"
#include "gpu/core/quantile.h"
#include "gpu/core/timing.h"

namespace texelscope::panels {

namespace {

// In units, for a window of this width. Source code and formulas have long lines, so they use the space of a wide window until its
// edge is dragged.
float dock_width(const UiState& ui, float window) {
    if (!is_wide(ui.dock)) return ui.dock == Dock::none ? 0 : ui.dock_width;
    const bool dragged = ui.text_dock_width != UiState{}.text_dock_width;
    return dragged ? ui.text_dock_width
                   : std::clamp((ui.dock == Dock::source ? 0.36f : 0.5f) * window, ui.text_dock_width, 760.0f);
}

// The width of a lesson's text, which has more space in a low window until its edge is dragged.
float lesson_width(const UiState& ui) {
    constexpr float in_low_window = 430;
    const bool dragged = ui.lesson_width != UiState{}.lesson_width;
    return gui::theme().dense && !dragged ? in_low_window : ui.lesson_width;
}

// Units: a formula is written beside its curves, and the stage has a legend.
constexpr float least_formula_width = 560, least_stage_width = 400;

constexpr float toolbar_height = 34;  // units

}  // namespace

gui::LayoutRequest layout_request(const AppState& state, float width, float height) {
    const gui::Theme& look = gui::theme();
    const bool with_lesson = shows_lesson_panel(state.lesson);
    return {.width = width,
            .height = height,
            .scale = look.scale,
            .pixel_ratio = look.pixel_ratio,
            .row_height = ImGui::GetFontSize() + gui::px(10),
            .toolbar_height = state.ui.toolbar ? gui::px(toolbar_height) : 0,
            .panel_width = with_lesson ? lesson_width(state.ui) : state.ui.panel_width,
            .dock_width = dock_width(state.ui, width / look.scale),
            .dock_least = state.ui.dock == Dock::formula || state.ui.dock == Dock::kernel ? least_formula_width
                          : state.ui.dock == Dock::stage                                  ? least_stage_width
                                                                                          : gui::min_dock_width,
            .panels = state.ui.panels,
            .presenting = state.presenter.on && !state.lesson.controls,
            .panel_first = with_lesson && current_step(state.lesson),
            .panel_over = state.ui.panel_over,
            .filmstrip = state.ui.filmstrip && !state.folder.folder.empty(),
            .caption_height = caption_height(state, width),
            .messages_width = width,
            .messages_height = 1,
            .dialog = state.ui.dialogs.keyboard_owner().has_value(),
            .tool = tool_window(state.ui.dialogs),
            .image = {}};
}

void side_panel(AppState& state, const gui::Box& box) {
    if (box.empty()) return;
    const gui::BoxWindow window(
        "##panel", box, {.padding = ImVec2(gui::px(16), gui::px(4)), .flags = ImGuiWindowFlags_NoBringToFrontOnFocus});
    // A line between panel and picture.
    ImGui::GetWindowDrawList()->AddLine({box.x + box.width - 0.5f, box.y},
                                        {box.x + box.width - 0.5f, box.y + box.height},
                                        gui::packed(gui::rgb(0x18191b)));
    display(state);
    method(state);
    compare(state);
    active_pane(state);
    view(state);
    advanced(state);
    image(state);
    timing(state);
    note_end_of_panel();
}

// The edge between the panel, whatever it holds, and the picture.
void panel_edge(UiState& ui, const LessonState& lesson, const gui::Box& box) {
    if (box.empty() || box.width >= ImGui::GetIO().DisplaySize.x) return;  // there is nothing beside it
    if (!gui::drag_edge("panel-edge", box.x + box.width, box.y, box.height)) return;
    float& panel_width = shows_lesson_panel(lesson) ? ui.lesson_width : ui.panel_width;
    panel_width = std::max(gui::min_panel_width, ImGui::GetIO().MousePos.x / gui::theme().scale);
}

void panel_handle(UiState& ui, const gui::Box& box) {
    if (box.empty()) return;
    const gui::BoxWindow window("##panel-handle", box,
                                {.padding = ImVec2(0, 0),
                                 .any_size = true,
                                 .flags = ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoScrollbar});
    if (ImGui::InvisibleButton("##open", {box.width, box.height})) ui.panel_over = !ui.panel_over;
    const ImVec2 middle{box.x + box.width / 2, box.y + box.height / 2};
    gui::chevron(middle, ui.panel_over ? gui::Way::left : gui::Way::right,
                 ImGui::IsItemHovered() ? gui::colour::text : gui::colour::secondary);
    gui::tooltip(ui.panel_over ? "Hide the panel." : "Show the panel over the picture: it has no space beside it.");
    gui::note("panel-handle");
}

// Timing: each stage of the last frame, and the frames before it.

namespace {

struct Stage {
    const WorkName& work;
    double StageTimings::*value;
    const gui::Colour colour;
    const char* tip;
};

constexpr gui::Colour quiet = gui::rgb(0x6b7078);

const Stage stages[] = {
    {work::prefilter, &StageTimings::prefilter, gui::pane_colour(3),
     "Computing coefficients from samples, on the backend's clock. 0 if they were already cached."},
    {work::acquire, &StageTimings::acquire, gui::pane_colour(4),
     "Mapping the pixel buffer for the backend, on the host's clock."},
    {work::render, &StageTimings::render, gui::pane_colour(0),
     "Interpolating all panes, on the backend's clock (CUDA events, or the host)."},
    {work::release, &StageTimings::release, gui::pane_colour(1),
     "Unmapping the pixel buffer, or copying into it, on the host's clock."},
    {work::draw, &StageTimings::draw, gui::pane_colour(2),
     "Drawing the picture, measured by a GL timer query a few frames late."},
    {work::panels, &StageTimings::gui, quiet, "Building and drawing the panels, on the host's clock."},
};

std::string with_capital(std::string name) {
    name[0] = char(std::toupper(name[0]));
    return name;
}

// A label and a number, with a dot between them if it has a colour.
void number_row(const char* name, const std::string& number, const std::string& tip,
                const gui::Colour* dot_colour = nullptr) {
    gui::label(name, tip);
    const float dot = gui::px(8), height = ImGui::GetFrameHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (dot_colour)
        ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + (height - dot) / 2},
                                                  {at.x + dot, at.y + (height + dot) / 2}, gui::packed(*dot_colour),
                                                  gui::px(2));
    ImGui::Dummy({dot, height});
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    gui::number(number);
    gui::tooltip(tip);
}

// What computed the active pane; the tooltip says why, of all panes.
void kernel_row(const AppState& state) {
    std::string tip = "The code that computes the picture, and why it was chosen.", name = "–";
    for (int pane = 0; pane < int(state.scene.panes.size()); ++pane) {
        const PaneReport* report = report_of(state.report, pane);
        if (!report || report->kernel.reason.empty()) continue;
        const auto& [kernel, reason] = report->kernel;
        tip += fmt::format("\n{}: {}: {}.", pane_name(pane), name_of(kernel), reason);
        if (pane == state.scene.active) name = name_of(kernel);
    }
    number_row("Kernel", name, tip);
}

void rows(const AppState& state) {
    const Report& report = state.report;
    const StageTimings& timings = report.frame.timings;
    for (const Stage& stage : stages) {
        std::string tip = stage.tip;
        if (stage.value == &StageTimings::draw && !report.frame.drawn_from.empty())
            tip += fmt::format("\nFrom the pixel buffer to the screen: {}.", report.frame.drawn_from);
        number_row(with_capital(stage.work.name).c_str(), fmt::format("{:8.3f} ms", timings.*stage.value), tip,
                   &stage.colour);
    }
    kernel_row(state);
    number_row(
        "Host", fmt::format("{:8.3f} ms", timings.total),
        fmt::format("CPU time spent on this frame until it was submitted, in milliseconds:\n"
                    "{:.3f} input, readouts, plan\n{:.3f} buffer acquired\n{:.3f} pictures {}\n"
                    "{:.3f} buffer released\n{:.3f} OpenGL calls for them\n{:.3f} panels",
                    timings.plan, timings.acquire, timings.launch, state.machine.on_gpu ? "launched" : "computed",
                    timings.release, timings.submit, timings.gui));
    number_row("Latency",
               report.frame.latency.frames > 0 ? fmt::format("{:8.3f} ms", report.frame.latency.last) : "       –",
               latency_words(report.frame.latency));
}

double sum(const StageTimings& frame) {
    double total = 0;
    for (const Stage& stage : stages) total += frame.*stage.value;
    return total;
}

// The top of the graph: a round number of milliseconds that covers all but exceptional frames.
double graph_top(const FrameHistory& history) {
    std::vector<double> sums;
    for (int i = 0; i < history.count; ++i) sums.push_back(sum(history.at(i)));
    if (sums.empty()) return 1;
    std::sort(sums.begin(), sums.end());
    const double wanted = quantile(sums, 0.95);
    double top = 0.5;
    for (double next : {1.0, 2.0, 4.0, 8.0, 16.0, 33.0, 66.0, 133.0, 266.0, 1000.0})
        if (top < wanted) top = next;
    return top;
}

// The last frames that rendered something, each a bar of its stages; the newest at the right.
void graph(const FrameHistory& history) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), size{ImGui::GetContentRegionAvail().x, gui::px(64)};
    ImGui::Dummy(size);
    gui::tooltip(
        "The last 120 frames that rendered something, the newest at the right; each bar consists of the stages above.");
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    draw.AddRectFilled(at, {at.x + size.x, at.y + size.y}, gui::packed(gui::colour::field), gui::px(4));
    const double top = graph_top(history);
    const float width = size.x / FrameHistory::capacity;
    draw.PushClipRect(at, {at.x + size.x, at.y + size.y}, true);
    for (int i = 0; i < history.count; ++i) {
        const float x = at.x + width * float(FrameHistory::capacity - history.count + i);
        float y = at.y + size.y;
        for (const Stage& stage : stages) {
            const float height = float(history.at(i).*stage.value / top) * size.y;
            draw.AddRectFilled({x, y - height}, {x + std::max(width - 0.5f, 1.0f), y}, gui::packed(stage.colour));
            y -= height;
        }
    }
    draw.PopClipRect();
    const std::string text = fmt::format("{:g} ms", top);
    draw.AddText(gui::theme().mono, ImGui::GetFontSize() * 0.85f, {at.x + gui::px(6), at.y + gui::px(3)},
                 gui::packed(gui::colour::secondary), text.c_str());
}

}  // namespace

void timing(AppState& state) {
    const bool open = gui::section("Timing", false);
    gui::note("section:Timing");
    if (!open) return;
    rows(state);
    ImGui::Dummy({0, gui::px(4)});
    graph(state.report.frame.history);
}

}  // namespace texelscope::panels

namespace texelscope::panels {

// View: translate, scale, rotate as typed numbers, warp, antialiasing, light, and the usual views.

namespace {

bool field(const char* name, const char* id, const char* tip, double& value, const char* format) {
    gui::label(name, tip);
    const bool changed = gui::input_double(id, value, format);
    gui::tooltip(tip);
    gui::note(id + 2);
    return changed;
}

void warp_strength(Scene& scene) {
    Warp& warp = scene.warp;
    const WarpInfo info = info_of(warp.kind);
    const bool turns = info.unit == "degrees";
    const std::string unit = turns ? "°" : info.unit.empty() ? "" : fmt::format(" {}", info.unit);
    const std::string format = (info.unit.empty() ? "%.3f" : "%.1f") + unit;
    const auto shown = [](double value) { return with_minus(fmt::format("{}", value)); };
    const std::string tip = fmt::format("{} … {}{}, default {}. Ctrl + click to type.", shown(info.minimum),
                                        shown(info.maximum), unit, shown(info.standard));
    gui::label("Strength", tip);
    gui::tuned_slider("##warp:strength", warp.strength,
                      {info.minimum, info.maximum, info.standard, format.c_str(), tip});
}

void homography_row(AppState& state) {
    constexpr const char* tip =
        "A,B,C,D,E,F,G,H,I: (x, y) reads ((A·x + B·y + C) / w, (D·x + E·y + F) / w), w = G·x + H·y + I, in samples.";
    gui::label("Matrix", tip);
    ImGui::SetNextItemWidth(-1);
    gui::input_text("##warp:matrix", homography_text(state.scene.warp), [&](const std::string& typed) {
        try {
            state.scene.warp = parse_homography("the matrix", typed);
            return true;
        } catch (const Error& error) {
            post(state.messages, Message::Level::warning, error.what());
            return false;
        }
    });
    gui::tooltip(tip);
    gui::note("warp:matrix");
}

void warp_rows(AppState& state) {
    const bool signal = shows_signal(state);
    const std::string tip =
        signal ? "A signal has no plane to warp."
               : "Warps the image under the view: each pixel reads from a displaced position. Press W for the "
                 "next one.";
    gui::label("Warp", tip);
    ImGui::BeginDisabled(signal);
    const Warp::Kind current = acting_warp(state).kind;
    if (gui::begin_combo("##warp", name_of(current).data())) {
        for (const WarpInfo& kind : warp_kinds) {
            if (ImGui::Selectable(kind.name.data(), kind.value == current)) choose_warp(state.scene, kind.value);
            gui::tooltip(kind.meaning);
            gui::note(fmt::format("warp:{}", kind.name));
        }
        ImGui::EndCombo();
    } else {
        gui::tooltip(signal ? tip : fmt::format("{}\n{}", info_of(current).meaning, tip));
        gui::note("warp");
    }
    ImGui::EndDisabled();
    const Warp::Kind acting = acting_warp(state).kind;
    if (acting == Warp::Kind::homography) homography_row(state);
    else if (acting != Warp::Kind::none) warp_strength(state.scene);
}

void extend_row(Scene& scene) {
    gui::label("Extend", "Shown outside the image: its extension, or the background.");
    bool extend = scene.outside == Outside::extend;
    constexpr const char* tip =
        "On: the image is extended by its address modes. Off: the background is shown. Choosing a mode turns it on.";
    if (gui::check("beyond the edges", extend, tip, "address:extend"))
        scene.outside = extend ? Outside::extend : Outside::background;
}

void sampling_rows(Scene& scene) {
    gui::label("Antialias", with_terms("Press M to toggle it.", {"antialias", "aliasing"}));
    bool antialias = scene.antialias;
    if (gui::check("when zoomed out", antialias, fmt::format("{}\n\nPress M to toggle it.", antialias_tip),
                   "view:antialias"))
        toggle_antialias(scene);
    gui::label("Light", with_terms("Press L to toggle it.", {"linear light"}));
    bool linear = scene.light_of(scene.active) == Light::linear;
    if (gui::check("linear, from sRGB", linear, fmt::format("{}\n\nPress L to toggle it.", linear_light_tip),
                   "view:linear-light"))
        toggle_linear_light(scene);
}

}  // namespace

void view(AppState& state) {
    const bool open = gui::section("View", gui::tall(1300));
    gui::note("section:View");
    const Document* document = state.scene.document();
    if (!open || !document) return;
    if (state.scene.pane().own_view) gui::remark("This pane has its own view. Press U to link it again.", false);

    View edited = pane_view(state, state.scene.active);
    double percent = 100 * edited.zoom();
    if (field("Zoom", "##view:zoom",
              "Zoom in percent: 100 is one sample per screen pixel. 1 … 51200.\n+ and − go to powers of two.", percent,
              "%.6g %%"))
        set_zoom(state, percent / 100);
    sampling_rows(state.scene);
    extend_row(state.scene);
    warp_rows(state);
    bool changed = field("Scale", "##view:scale", "Samples per screen pixel: 1 / zoom. Above 1 zooms out. 1/512 … 100.",
                         edited.scale, "%.8g");
    changed |= field("Translate x", "##view:x",
                     "Samples from the image's centre to the window's; positive looks to the right.",
                     edited.translate_x, "%.6f");
    changed |= field("Translate y", "##view:y", "Samples from the image's centre to the window's; positive looks down.",
                     edited.translate_y, "%.6f");
    changed |= field("Rotate", "##view:rotate",
                     "Angle by which the sampling grid turns clockwise, and so the picture anticlockwise, about the "
                     "window's centre, in degrees, −180 … 180.\n[ turns the picture by 10° clockwise, ] anticlockwise.",
                     edited.rotate, "%.6g°");
    const PanePlace place = place_of(state, state.scene.active);
    if (changed && place.has_picture()) {
        edited.scale = std::clamp(edited.scale > 0 ? edited.scale : 1, 1 / max_zoom,
                                  1 / lowest_zoom(edited.rotate, place.frame(), place.output()));
        set_view(state, rotated(edited, 0));
    }

    ImGui::Dummy({0, gui::px(2)});
    action_button(state, "Fit", "view.fit", 3);
    ImGui::SameLine();
    action_button(state, "100 %", "view.one-to-one", 3);
    ImGui::SameLine();
    action_button(state, "Reset", "view.reset", 3);
    if (state.scene.selection) action_button(state, "Zoom to selection", "view.zoom-selection", 1);
}

}  // namespace texelscope::panels
