// Method: the list, the parameters of the active pane's method, its address modes, and what it costs. Advanced: how
// samples are read, by prefilter and fetch path.

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/picture/inspect/curves.h"
#include "app/picture/rendition.h"
#include "app/state/panes.h"
#include "app/text/glossary.h"
#include "app/text/text.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"
#include "gpu/method/kernel_method.h"
#include "gpu/recipes/recipe.h"

namespace texelscope::panels {

void parameter_rows(Scene& scene, Messages& messages) {
    MethodSpec& spec = scene.spec();
    const MethodParameters before = spec.parameters;
    for (size_t i = 0; i < spec.method->parameters.size(); ++i) {
        const ParameterInfo& info = spec.method->parameters[i];
        const std::string name(info.name), id = fmt::format("##parameter:{}", info.id);
        const std::string unit = info.unit.empty() ? "" : fmt::format(" {}", info.unit);
        const std::string format = "%.3f" + unit;
        const auto shown = [](double value) { return with_minus(fmt::format("{:.4g}", value)); };
        const std::string tip = fmt::format("{}\n{} … {}{}, default {}. Ctrl + click to type.", info.summary,
                                            shown(info.minimum), shown(info.maximum), unit, shown(info.standard));
        gui::label(name.c_str(), tip);
        gui::tuned_slider(id.c_str(), spec.parameters.value[i],
                          {info.minimum, info.maximum, info.standard, format.c_str(), tip});
    }
    check_parameters(scene, messages, before);
}

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

std::string_view plain_name(FetchPath path) {
    switch (path) {
        case FetchPath::automatic: return "fastest, exact";
        case FetchPath::global: return "memory";
        case FetchPath::lookup: return "texture cache";
        case FetchPath::hardware: return "texture unit";
    }
    return "";
}

namespace {

constexpr const char* table_tip =
    "Antialiased: the widened weights come from a table and the samples from linear memory. The path has no effect "
    "unless the view is at 100 % or more, or antialiasing is off (M).";

// The costs of the active pane; null before the first frame.
const PaneCost* active_cost(const AppState& state) {
    const PaneReport* report = report_of(state.report, state.scene.active);
    return report ? &report->cost : nullptr;
}

std::string path_tip(const AppState& state, FetchPath path) {
    if (const std::string why_not = why_no_path(state, path); !why_not.empty()) return why_not;
    const MethodSpec& spec = state.scene.spec();
    const PaneCost one{double(fetches(*spec.method, path, shows_signal(state))), path == FetchPath::automatic, false};
    std::string tip = fmt::format("The path {}. {}\n\n{} per pixel. {}", name_of(path), meaning(path), count_words(one),
                                  with_terms(count_meaning(one), {one.taps ? "tap" : "fetch"}));
    if (path == FetchPath::hardware && !spec.method->hardware_note.empty())
        tip += fmt::format("\n\n{}", spec.method->hardware_note);
    const PaneCost* cost = active_cost(state);
    return cost && cost->widened ? fmt::format("Not in use.\n{}\n\n{}", table_tip, tip) : tip;
}

void path_row(AppState& state) {
    MethodSpec& spec = state.scene.spec();
    if (kernel_of(*spec.method)) return;  // it reads its samples itself
    const PaneCost* cost = active_cost(state);
    const bool idle = cost && cost->widened;
    gui::label("Read by", with_terms("Press P for the next path.", {"path"}));
    ImGui::PushStyleColor(ImGuiCol_Text, ImVec4(idle ? gui::colour::secondary : gui::colour::text));
    const bool open = gui::begin_combo("##path", plain_name(spec.path).data());
    ImGui::PopStyleColor();
    if (!open) {
        gui::tooltip(path_tip(state, spec.path));
        gui::note("path");
        if (idle) gui::remark("without effect while antialiased");
        return;
    }
    for (const FetchPath path : all_fetch_paths) {
        const std::string name(name_of(path)), words = fmt::format("{} ({})", plain_name(path), name);
        ImGui::BeginDisabled(!why_no_path(state, path).empty());
        if (ImGui::Selectable(words.c_str(), spec.path == path)) spec.path = path;
        ImGui::EndDisabled();
        gui::tooltip(path_tip(state, path));
        gui::note("path:" + name);
    }
    ImGui::EndCombo();
}

constexpr const char* taps_tip =
    "Length of the short prefilter in samples, odd, 3 … 31. With 7 taps the error is visible; with 15 it can hardly be "
    "measured.";

void prefilter_taps(Prefilter& prefilter, float width) {
    int half = (prefilter.taps - 1) / 2;
    const std::string shown = fmt::format("{} taps", prefilter.taps);
    ImGui::SetNextItemWidth(width);
    if (gui::slider_int("##taps", half, 1, 15, shown.c_str())) prefilter.taps = 2 * half + 1;
    gui::tooltip(taps_tip);
    gui::note("prefilter:taps");
}

// The taps of a FIR filter share the row if there is space.
void coefficients(MethodSpec& spec) {
    const Prefilter::Kind kind = spec.effective_prefilter().kind;
    Prefilter& prefilter = spec.prefilter;
    if (kind == Prefilter::Kind::fir && !gui::roomy()) {
        gui::label("Taps", with_terms(taps_tip, {"fir"}));
        prefilter_taps(prefilter, -FLT_MIN);
    }
    if (kind == Prefilter::Kind::none) return;  // the samples themselves are used
    const std::array<gui::Segment, 2> segments = {
        {{"32 bits", "Floats of 32 bits for each coefficient."},
         {"16 bits",
          "Half floats of 16 bits for each coefficient, 11 of them significant: half the memory to read, errors up to 0.3 "
          "of 255 levels."}}};
    gui::label("Coefficients", with_terms("Number format of the prefilter's result.", {"coefficient"}));
    if (kind == Prefilter::Kind::fir && gui::roomy()) {
        prefilter_taps(prefilter, gui::px(72));
        ImGui::SameLine(0, gui::px(4));
    }
    const int clicked = gui::segmented("coefficients", segments, int(prefilter.half_float));
    if (clicked >= 0) prefilter.half_float = clicked == 1;
}

void prefilter(Scene& scene) {
    MethodSpec& spec = scene.spec();
    if (!spec.method->has_prefilter())
        return gui::remark(fmt::format("{} reads the samples themselves: there is no prefilter.", spec.method->name),
                           false);
    const std::array<gui::Segment, 3> segments = {{
        {"off", "Uses the samples as coefficients: smooth, but blurred, and the curve misses the samples."},
        {"short (fir)",
         "The central taps of the exact inverse, normalised to sum 1. From 13 taps on, the error stays below half an "
         "8-bit level even on black-and-white noise. The name means finite impulse response."},
        {"exact (iir)",
         "The exact inverse, to float32 precision: the interpolation passes through every sample. The name means "
         "infinite impulse response."},
    }};
    gui::label("Prefilter", with_terms("Press K for the next one.", {"prefilter"}));
    const int clicked = gui::segmented("prefilter", segments, int(spec.effective_prefilter().kind));
    if (clicked >= 0) spec.prefilter.kind = Prefilter::Kind(clicked);
    coefficients(spec);
}

void mip_row(Scene& scene) {
    MethodSpec& spec = scene.spec();
    if (spec.method->id != "nearest" && spec.method->id != "bilinear") return;
    gui::label("Mip levels",
               "Where many samples fall on a pixel, smaller images of the picture are read, a level for each pixel, as "
               "texture units do. In place of antialiasing.");
    if (!gui::begin_combo("##mip", in_words(spec.mip).c_str())) {
        gui::note("mip");
        return;
    }
    for (const Mip mip : all_values<Mip>) {
        if (ImGui::Selectable(in_words(mip).c_str(), mip == spec.mip)) spec.mip = mip;
        gui::note(fmt::format("mip:{}", name_of(mip)));
    }
    ImGui::EndCombo();
}

// What the active pane costs, the longest first.
std::vector<std::string> costs(const AppState& state) {
    const PaneReport* report = report_of(state.report, state.scene.active);
    if (!report || report->render_ms <= 0) return {};
    const std::string count = count_words(report->cost), time = time_text(report->render_ms);
    return {count + " · " + time, time};
}

std::string cost_tip(const AppState& state) {
    const PaneCost* pane = active_cost(state);
    if (!pane) return "";
    std::string tip = fmt::format(
        "{} per pixel, and the time of the last rendering, measured on the device that did the work. {}",
        pane->taps ? "Taps" : "Fetches or taps",
        state.machine.on_gpu ? "On the GPU: with CUDA events."
                             : "On the CPU the hardware path is emulated, so its fetch count says nothing about "
                               "speed.");
    tip = with_terms(tip, {"tap", "fetch"});
    if (!pane->widened) return tip;
    return fmt::format("{}\n\n{}\n\n{}", tip,
                       pane->fetches > 0
                           ? "The number is an average. Per axis, it grows with the scale up to 8; beyond "
                             "that, a smaller image is used."
                           : "Under a warp, the weight function widens with the distance between the "
                             "points neighbouring pixels read, which varies across the image.",
                       table_tip);
}

// The options of a recipe, by their names in its library, and its tested bound.
void recipe_rows(AppState& state) {
    MethodSpec& spec = state.scene.spec();
    const BoundRecipe& bound = *spec.method->recipe;
    float column = gui::column();  // as wide as the library's names are long
    for (const RecipeOption& option : bound.recipe->options)
        column = std::max(column, ImGui::CalcTextSize(std::string(option.id).c_str()).x + gui::px(12));
    for (const RecipeOption& option : bound.recipe->options) {
        const std::string name(option.id), value(bound.options.text(option.id));
        gui::label(name.c_str(), std::string(option.summary), column);
        std::string chosen = value;
        if (option.values.empty()) {
            double number = bound.options.number(option.id);
            gui::tuned_slider(("##recipe:" + name).c_str(), number,
                              {option.minimum, option.maximum, number, "%.4g", std::string(option.summary)});
            chosen = fmt::format("{}", number);
        } else if (gui::begin_combo(("##recipe:" + name).c_str(), value.c_str())) {
            for (const std::string_view each : option.values)
                if (ImGui::Selectable(std::string(each).c_str(), each == value)) chosen = each;
            ImGui::EndCombo();
        }
        gui::note("recipe:" + name);
        if (chosen != value) {
            spec = with_option(bound, name, chosen);
            return;  // the options are those of another record now
        }
    }
    gui::remark(fmt::format("Tested: {}", bound.recipe->bound), false);
}

}  // namespace

void method(AppState& state) {
    const bool several = state.scene.panes.size() > 1;
    const std::string title = several ? fmt::format("Method of {}###Method", pane_name(state.scene.active)) : "Method";
    const bool open = gui::section(title.c_str(), true, costs(state));
    gui::tooltip(cost_tip(state));
    gui::note("section:Method");
    if (!open) return;
    method_list(state);
    if (state.scene.spec().method->recipe) {
        recipe_rows(state);
    } else {
        parameter_rows(state.scene, state.messages);
        address_row(state);
    }
    ImGui::Dummy({0, gui::px(4)});
}

void advanced(AppState& state) {
    const bool open = gui::section("Advanced: how samples are read###Advanced", gui::tall(1300));
    gui::tooltip("Prefilter, coefficients and fetch path of the active pane's method.");
    gui::note("section:Advanced");
    if (!open) return;
    if (state.scene.spec().method->recipe) {
        gui::remark("A recipe says itself how samples are read: docs/libraries.md.", false);
    } else {
        prefilter(state.scene);
        path_row(state);
        mip_row(state.scene);
    }
    ImGui::Dummy({0, gui::px(4)});
}

}  // namespace texelscope::panels
