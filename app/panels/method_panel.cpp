// Method: A or B, the method, its parameters, the fetch path, the prefilter, and what that costs.

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "app/gui/widgets.h"
#include "app/panels/panels.h"
#include "app/spec_commands.h"

namespace texelscope::panels {
namespace {

void slots(AppState& state) {
    Scene& scene = state.scene;
    std::vector<gui::Segment> segments;
    const std::vector<std::string> names = {pane_name(0), pane_name(1)};
    for (size_t i = 0; i < 2; ++i)
        segments.push_back({names[i].c_str(), fmt::format("Show and edit {}: {}.\nSpace flips, S swaps.", names[i],
                                                          to_string(scene.panes[i].spec))});
    segments.push_back({"|A − B|", "Show how far the two are apart, times the gain. D"});
    const bool difference = scene.show == Show::difference;
    const int clicked = gui::segmented("slot", segments, difference ? 2 : scene.active, &state);
    if (clicked == 2)
        toggle_difference(state);
    else if (clicked >= 0) {
        scene.active = clicked;
        scene.show = Show::pane;
    }
    if (!difference) return;
    gui::label("Gain", "The difference is multiplied by this, 1 … 256.");
    gui::slider_float("##gain", scene.difference_gain, 1, 256, "× %.0f", true);
    gui::tooltip("The difference is multiplied by this, 1 … 256. Ctrl + click to type.");
    gui::remark(fmt::format("The settings below are those of {}.", pane_name(scene.active)), false);
}

std::string describe(const MethodInfo& method) {
    const std::string order =
        method.has_prefilter() ? fmt::format("order {} ({} without prefilter)", method.order, method.order_unfiltered)
                               : fmt::format("order {}", method.order);
    return fmt::format("{}\n\n{} taps along each axis, {}{}.\n{}", method.summary, method.taps, order,
                       method.interpolating ? ", passes through the samples" : "", method.paper);
}

void method_list(AppState& state) {
    ImGui::Dummy({0, gui::px(2)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, gui::px(1)));
    for (const MethodInfo* method : all_methods()) {
        const std::string name(method->name),
            key = method->rank >= 1 && method->rank <= 9 ? fmt::format("{}", method->rank) : "";
        if (gui::list_row(key.c_str(), name.c_str(), state.scene.spec().method == method))
            choose_method(state, *method);
        gui::tooltip(describe(*method));
        gui::note(state, fmt::format("method:{}", method->id));
    }
    ImGui::PopStyleVar();
    ImGui::Dummy({0, gui::px(2)});
}

void parameters(AppState& state) {
    MethodSpec& spec = state.scene.spec();
    for (size_t i = 0; i < spec.method->parameters.size(); ++i) {
        const ParameterInfo& info = spec.method->parameters[i];
        const std::string name(info.name), id = fmt::format("##parameter:{}", info.id);
        const std::string unit = info.unit.empty() ? "" : fmt::format(" {}", info.unit);
        const std::string tip = fmt::format("{}\n{:g} … {:g}{}, standard {:g}. Ctrl + click to type.", info.summary,
                                            info.minimum, info.maximum, unit, info.standard);
        gui::label(name.c_str(), tip);
        float value = float(spec.parameters.value[i]);
        if (gui::slider_float(id.c_str(), value, float(info.minimum), float(info.maximum), ("%.3f" + unit).c_str()))
            spec.parameters.value[i] = double(value);
        gui::tooltip(tip);
        gui::note(state, id.substr(2));
    }
}

const char* meaning(FetchPath path) {
    switch (path) {
        case FetchPath::automatic: return "The fastest path with exact weights.";
        case FetchPath::global: return "Taps from linear memory; the address mode is applied in code. Exact weights.";
        case FetchPath::lookup:
            return "Point-filtered texture fetches: the texture unit is a cache and applies the address mode. Exact "
                   "weights.";
        case FetchPath::hardware:
            return "Linear filtering by the texture unit: fewer fetches, weights of 8 bits, float32 positions.";
    }
    return "";
}

std::string path_note(const AppState& state, FetchPath path) {
    const MethodSpec& spec = state.scene.spec();
    if (path == FetchPath::automatic) {
        const auto& costs = state.report.costs;
        const bool known = spec.path == FetchPath::automatic && size_t(state.scene.active) < costs.size();
        return known ? fmt::format("→ {}", name_of(costs[size_t(state.scene.active)].path)) : "";
    }
    const int n = path == FetchPath::hardware ? spec.method->hardware_fetches : spec.method->taps;
    return fmt::format("{} fetch{}", n * n, n * n == 1 ? "" : "es");
}

void paths(AppState& state) {
    MethodSpec& spec = state.scene.spec();
    for (FetchPath path : all_fetch_paths) {
        const std::string name(name_of(path)), why_not = why_no_path(state, path), cost = path_note(state, path);
        gui::label(path == FetchPath::automatic ? "Path" : "", "How a kernel reads its taps. P picks the next.");
        ImGui::BeginDisabled(!why_not.empty());
        if (gui::radio(name.c_str(), spec.path == path)) spec.path = path;
        ImGui::EndDisabled();
        const std::string note = path == FetchPath::hardware ? std::string(spec.method->hardware_note) : "";
        gui::tooltip(!why_not.empty() ? why_not
                     : note.empty()   ? meaning(path)
                                      : fmt::format("{}\n\n{}", meaning(path), note));
        gui::note(state, "path:" + name);
        if (cost.empty()) continue;
        ImGui::SameLine();
        ImGui::AlignTextToFramePadding();
        ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(cost.c_str()).x);
        ImGui::TextDisabled("%s", cost.c_str());
        gui::tooltip("Fetches for each pixel of the result, both axes together.");
    }
}

void prefilter(AppState& state) {
    MethodSpec& spec = state.scene.spec();
    const bool has = spec.method->has_prefilter();
    const std::string none_there =
        fmt::format("{} takes the samples as they are: it has no prefilter.", spec.method->name);
    const auto tip = [&](const char* text) { return has ? std::string(text) : none_there; };
    const std::array<gui::Segment, 3> segments = {{
        {"none", tip("The samples themselves serve as coefficients: smooth, but it blurs and misses the samples."),
         has},
        {"fir",
         tip("The central taps of the exact inverse, normalised to sum 1. From 11 taps on the error is far below 8 "
             "bits."),
         has},
        {"iir", tip("The exact inverse to float32: the interpolation passes through every sample."), has},
    }};
    gui::label("Prefilter", tip("What turns samples into the method's coefficients. K picks the next."));
    const int clicked = gui::segmented("prefilter", segments, int(spec.effective_prefilter().kind), &state);
    if (clicked >= 0) spec.prefilter.kind = Prefilter::Kind(clicked);
    if (!has || spec.prefilter.kind != Prefilter::Kind::fir) return;
    gui::label("Taps", "Length of the FIR filter, odd, 3 … 31.");
    int half = (spec.prefilter.taps - 1) / 2;
    const std::string shown = fmt::format("{} taps", spec.prefilter.taps);
    if (gui::slider_int("##taps", half, 1, 15, shown.c_str())) spec.prefilter.taps = 2 * half + 1;
    gui::tooltip("Length of the FIR filter, odd, 3 … 31. 7 taps can be seen, 15 hardly measured.");
    gui::note(state, "prefilter:taps");
}

void cost(const AppState& state) {
    if (size_t(state.scene.active) >= state.report.costs.size()) return;
    const PaneCost& pane = state.report.costs[size_t(state.scene.active)];
    gui::label(
        "Cost",
        "Fetches for each pixel, and milliseconds for the last picture on the clock of the device that computed it.");
    ImGui::AlignTextToFramePadding();
    gui::number(
        fmt::format("{} fetch{}, {:.2f} ms", pane.fetches, pane.fetches == 1 ? "" : "es", state.report.timings.render));
    gui::tooltip(state.report.on_gpu
                     ? "On the GPU, by CUDA events."
                     : "On the CPU; the hardware path is emulated there, so its fetches are no measure.");
}

}  // namespace

void method(AppState& state) {
    const bool open = gui::section("Method", true);
    gui::note(state, "section:Method");
    if (!open) return;
    slots(state);
    method_list(state);
    parameters(state);
    prefilter(state);
    paths(state);
    cost(state);
}

}  // namespace texelscope::panels
