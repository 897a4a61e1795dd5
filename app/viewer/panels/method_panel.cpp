// Method: A or B, the method, its parameters, the fetch path, the prefilter, and the cost.

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "app/picture/pane_words.h"
#include "app/picture/widening.h"
#include "app/state/pane_images.h"
#include "app/text/glossary.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/editing/pane_edits.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

// Choice of the pane for the settings below; if there are too many panes, the compare section has the list.
void slots(AppState& state) {
    Scene& scene = state.scene;
    constexpr size_t room = 8;
    if (scene.panes.size() < 2) return;
    if (scene.panes.size() > room) {
        gui::remark(fmt::format("Settings of pane {}.", pane_name(scene.active)), false);
        return;
    }
    std::vector<gui::Segment> segments;
    std::vector<std::string> names;
    for (int pane = 0; pane < int(scene.panes.size()); ++pane) names.push_back(pane_name(pane));
    for (int pane = 0; pane < int(scene.panes.size()); ++pane)
        segments.push_back(
            {names[size_t(pane)].c_str(), fmt::format("Show and edit {}: {}.\nPress Space for the next pane.",
                                                      names[size_t(pane)], pane_label(state, pane))});
    const int clicked = gui::segmented("slot", segments, scene.active);
    if (clicked >= 0) scene.active = clicked;
}

std::string describe(const MethodInfo& method) {
    const std::string order =
        method.has_prefilter() ? fmt::format("order {} ({} without prefilter)", method.order, method.order_unfiltered)
                               : fmt::format("order {}", method.order);
    return fmt::format("{}\n\n{} taps along each axis, {}{}.\n{}", method.summary, method.taps, order,
                       method.interpolating ? ", passes through the samples" : "", method.paper);
}

constexpr int keyed_methods = 9;

bool has_key(const MethodInfo& method) { return method.rank >= 1 && method.rank <= keyed_methods; }

// True if it was clicked.
bool method_row(AppState& state, const MethodInfo& method) {
    const std::string name(method.name), key = has_key(method) ? fmt::format("{}", method.rank) : "";
    const int taps = fetches(method, FetchPath::global, shows_signal(state));
    const std::string cost = fmt::format("{} tap{}", taps, taps == 1 ? "" : "s");
    const bool clicked = gui::list_row(key.c_str(), name.c_str(), cost.c_str(), state.scene.spec().method == &method);
    if (clicked) choose_method(state, method);
    gui::tooltip(describe(method));
    gui::note(fmt::format("method:{}", method.id));
    return clicked;
}

// The methods without a key fold into one row, which shows the one in use.
void further_methods(AppState& state) {
    const auto all = all_methods();
    const auto further = std::count_if(all.begin(), all.end(), [](const MethodInfo* m) { return !has_key(*m); });
    if (further == 0) return;
    const MethodInfo& current = *state.scene.spec().method;
    const bool among = !has_key(current);
    const std::string preview = among ? std::string(current.name) : fmt::format("{} more", further);
    const ImVec4 chosen(gui::faded(gui::colour::accent, 0.22f)), none(gui::rgb(0, 0));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float text_y = at.y + (ImGui::GetFrameHeight() - ImGui::GetFontSize()) / 2;
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    ImGui::SetNextItemWidth(-FLT_MIN);
    ImGui::PushStyleColor(ImGuiCol_FrameBg, among ? chosen : none);
    const bool open = gui::begin_combo("##further-methods", "");
    ImGui::PopStyleColor();
    // Under the names of the rows above it.
    draw.AddText({at.x + gui::px(28), text_y}, gui::packed(among ? gui::colour::text : gui::colour::secondary),
                 preview.c_str());
    if (open) {
        for (const MethodInfo* method : all)
            if (!has_key(*method) && method_row(state, *method)) ImGui::CloseCurrentPopup();
        ImGui::EndCombo();
        return;
    }
    gui::tooltip(among ? describe(current) : "Methods without their own key.");
    gui::note("method:further");
}

void method_list(AppState& state) {
    ImGui::Dummy({0, gui::px(2)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, gui::px(1)));
    for (const MethodInfo* method : all_methods())
        if (has_key(*method)) method_row(state, *method);
    further_methods(state);
    ImGui::PopStyleVar();
    ImGui::Dummy({0, gui::px(2)});
}

void parameters(AppState& state) {
    MethodSpec& spec = state.scene.spec();
    for (size_t i = 0; i < spec.method->parameters.size(); ++i) {
        const ParameterInfo& info = spec.method->parameters[i];
        const std::string name(info.name), id = fmt::format("##parameter:{}", info.id);
        const std::string unit = info.unit.empty() ? "" : fmt::format(" {}", info.unit);
        const std::string format = "%.3f" + unit;
        const std::string tip = fmt::format("{}\n{:.4g} … {:.4g}{}, default {:.4g}. Ctrl + click to type.",
                                            info.summary, info.minimum, info.maximum, unit, info.standard);
        gui::label(name.c_str(), tip);
        gui::tuned_slider(id.c_str(), spec.parameters.value[i],
                          {info.minimum, info.maximum, info.standard, format.c_str(), tip});
    }
}

}  // namespace

const char* meaning(FetchPath path) {
    switch (path) {
        case FetchPath::automatic:
            return "The fastest exact code: kernels that read linear memory and share texels and sums between "
                   "neighbouring pixels, or vector code on the CPU. Exact weights.";
        case FetchPath::global:
            return "Reads taps from linear memory and applies the address mode in code. Exact weights.";
        case FetchPath::lookup:
            return "Point-filtered texture fetches: the texture unit is a cache and applies the address mode. Exact "
                   "weights.";
        case FetchPath::hardware:
            return "Linear filtering by the texture unit: fewer fetches, weights of 8 bits, float32 positions.";
    }
    return "";
}

namespace {

constexpr const char* table_tip =
    "Antialiased: the widened weights come from a table and the samples from linear memory. The path has no effect "
    "unless the view is at 100 % or more, or antialiasing is off (M).";

// The costs of the active pane; null before the first frame.
const PaneCost* active_cost(const AppState& state) {
    const PaneReport* report = report_of(state, state.scene.active);
    return report ? &report->cost : nullptr;
}

std::string path_note(const AppState& state, FetchPath path) {
    const MethodSpec& spec = state.scene.spec();
    const PaneCost* cost = active_cost(state);
    if (cost && cost->widened) return spec.path == path ? "not in use" : "";
    const bool shared = path == FetchPath::automatic;
    return count_words({double(fetches(*spec.method, path, shows_signal(state))), shared, false});
}

void path_cost(const AppState& state, FetchPath path) {
    const std::string cost = path_note(state, path);
    if (cost.empty()) return;
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    const float x = ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(cost.c_str()).x;
    if (x < ImGui::GetCursorPosX()) {  // a narrow panel has no space for it
        ImGui::NewLine();
        return;
    }
    ImGui::SetCursorPosX(x);
    ImGui::TextDisabled("%s", cost.c_str());
    const PaneCost* pane = active_cost(state);
    const PaneCost shown{.taps = path == FetchPath::automatic};
    gui::tooltip(pane && pane->widened ? table_tip : with_terms(count_meaning(shown), {shown.taps ? "tap" : "fetch"}));
}

void paths(AppState& state) {
    MethodSpec& spec = state.scene.spec();
    for (FetchPath path : all_fetch_paths) {
        const std::string name(name_of(path)), why_not = why_no_path(state, path);
        gui::label(path == FetchPath::automatic ? "Path" : "", with_terms("Press P for the next path.", {"path"}));
        ImGui::BeginDisabled(!why_not.empty());
        if (gui::radio(name.c_str(), spec.path == path)) spec.path = path;
        ImGui::EndDisabled();
        const std::string note = path == FetchPath::hardware ? std::string(spec.method->hardware_note) : "";
        gui::tooltip(!why_not.empty() ? why_not
                     : note.empty()   ? meaning(path)
                                      : fmt::format("{}\n\n{}", meaning(path), note));
        gui::note("path:" + name);
        path_cost(state, path);
    }
}

void prefilter_taps(Prefilter& prefilter) {
    gui::label("Taps", with_terms("Length of the FIR filter, odd, 3 … 31.", {"fir"}));
    int half = (prefilter.taps - 1) / 2;
    const std::string shown = fmt::format("{} taps", prefilter.taps);
    if (gui::slider_int("##taps", half, 1, 15, shown.c_str())) prefilter.taps = 2 * half + 1;
    gui::tooltip(
        "Length of the FIR filter, odd, 3 … 31. With 7 taps the error is visible; with 15 it can hardly be measured.");
    gui::note("prefilter:taps");
}

void coefficients(Prefilter& prefilter) {
    const std::array<gui::Segment, 2> segments = {{
        {"float", "32 bits per coefficient.", true},
        {"half",
         "16 bits per coefficient, 11 of them significant: half the memory to read, errors up to 0.3 of 255 levels.",
         true},
    }};
    gui::label("Coefficients", with_terms("Number format of the prefilter's result.", {"coefficient"}));
    const int clicked = gui::segmented("coefficients", segments, int(prefilter.half_float));
    if (clicked >= 0) prefilter.half_float = clicked == 1;
}

void prefilter(AppState& state) {
    MethodSpec& spec = state.scene.spec();
    const bool has = spec.method->has_prefilter();
    const std::string none_there =
        fmt::format("{} uses the samples directly and needs no prefilter.", spec.method->name);
    const auto tip = [&](const char* text) { return has ? std::string(text) : none_there; };
    const std::array<gui::Segment, 3> segments = {{
        {"none", tip("Uses the samples as coefficients: smooth, but blurred, and the curve misses the samples."), has},
        {"fir",
         tip("The central taps of the exact inverse, normalised to sum 1. From 13 taps on, the error stays below half "
             "an 8-bit level even on black-and-white noise. The name means finite impulse response."),
         has},
        {"iir",
         tip("The exact inverse, to float32 precision: the interpolation passes through every sample. The name means "
             "infinite impulse response."),
         has},
    }};
    gui::label("Prefilter", with_terms(tip("Press K for the next one."), {"prefilter"}));
    const int clicked = gui::segmented("prefilter", segments, int(spec.effective_prefilter().kind));
    if (clicked >= 0) spec.prefilter.kind = Prefilter::Kind(clicked);
    if (!has) return;
    if (spec.prefilter.kind == Prefilter::Kind::fir) prefilter_taps(spec.prefilter);
    if (spec.prefilter.kind != Prefilter::Kind::none) coefficients(spec.prefilter);
}

void cost(const AppState& state) {
    const PaneCost* pane = active_cost(state);
    if (!pane) return;
    gui::label("Cost",
               with_terms("Fetches or taps per pixel, and the time of the last rendering in milliseconds, measured on "
                          "the device that did the work.",
                          {"tap", "fetch"}));
    ImGui::AlignTextToFramePadding();
    gui::number(fmt::format("{}, {:.2f} ms", count_words(*pane), report_of(state, state.scene.active)->render_ms));
    const char* clock = state.report.machine.on_gpu
                            ? "Measured on the GPU with CUDA events."
                            : "On the CPU the hardware path is emulated, so its fetch count says nothing "
                              "about speed.";
    gui::tooltip(!pane->widened ? clock
                 : pane->fetches > 0
                     ? fmt::format("Average per pixel. The number of taps per axis grows with the scale "
                                   "up to 8; beyond that, a smaller image is used.\n\n{}",
                                   table_tip)
                     : fmt::format("Under a warp, the weight function widens with the distance between the "
                                   "points neighbouring pixels read, which varies across the image.\n\n{}",
                                   table_tip));
}

}  // namespace

void method(AppState& state) {
    const bool open = gui::section("Method", true);
    gui::note("section:Method");
    if (!open) return;
    slots(state);
    method_list(state);
    parameters(state);
    prefilter(state);
    paths(state);
    cost(state);
}

}  // namespace texelscope::panels
