// The panel at the left: its sections, and its edge to drag.

#include <algorithm>
#include <cctype>
#include <string>

#include <fmt/format.h>
#include <imgui.h>

#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"
#include "gpu/core/quantile.h"
#include "gpu/core/timing.h"

namespace texelscope::panels {

void side_panel(AppState& state, const gui::Box& box) {
    if (box.empty()) return;
    ImGui::SetNextWindowPos({box.x, box.y});
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(gui::px(16), gui::px(4)));
    ImGui::Begin("##panel", nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus);
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
    ImGui::End();
    ImGui::PopStyleVar(3);
}

// The edge between the panel, whatever it holds, and the picture.
void panel_edge(UiState& ui, const LessonState& lesson, const gui::Box& box) {
    if (box.empty() || !gui::drag_edge("panel-edge", box.x + box.width, box.y, box.height)) return;
    float& panel_width = shows_lesson_panel(lesson) ? ui.lesson_width : ui.panel_width;
    panel_width = std::max(gui::min_panel_width, ImGui::GetIO().MousePos.x / gui::theme().scale);
}

void panel_handle(UiState& ui, const gui::Box& box) {
    if (box.empty()) return;
    ImGui::SetNextWindowPos({box.x, box.y});
    ImGui::SetNextWindowSize({box.width, box.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    ImGui::Begin("##panel-handle", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing);
    if (ImGui::InvisibleButton("##open", {box.width, box.height})) ui.panel_over = !ui.panel_over;
    const ImVec2 middle{box.x + box.width / 2, box.y + box.height / 2};
    gui::chevron(middle, ui.panel_over ? gui::Way::left : gui::Way::right,
                 ImGui::IsItemHovered() ? gui::colour::text : gui::colour::secondary);
    gui::tooltip(ui.panel_over ? "Hide the panel." : "Show the panel over the picture: it has no space beside it.");
    gui::note("panel-handle");
    ImGui::End();
    ImGui::PopStyleVar(4);
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
