// Method: the list, the parameters of the active pane's method, its address modes, and what it costs. Advanced: how
// samples are read, by prefilter and fetch path.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/picture/inspect/curves.h"
#include "app/picture/rendition.h"
#include "app/state/panes.h"
#include "app/text/glossary.h"
#include "app/text/text.h"
#include "app/viewer/editing/comparison_edits.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/panels/panel_parts.h"
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
void recipe_rows(Scene& scene) {
    MethodSpec& spec = scene.spec();
    const BoundRecipe& bound = *spec.method->recipe;
    for (const RecipeOption& option : bound.recipe->options) {
        const std::string name(option.id), value(bound.options.text(option.id));
        gui::label(name.c_str(), std::string(option.summary));
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
        recipe_rows(state.scene);
    } else {
        parameter_rows(state.scene, state.messages);
        address_row(state);
    }
    ImGui::Dummy({0, gui::px(4)});
}

void advanced(AppState& state) {
    const bool open = gui::section("Advanced: how samples are read###Advanced", gui::tall(1080));
    gui::tooltip("Prefilter, coefficients and fetch path of the active pane's method.");
    gui::note("section:Advanced");
    if (!open) return;
    if (state.scene.spec().method->recipe) {
        gui::remark("A recipe says itself how samples are read: docs/libraries.md.", false);
    } else {
        prefilter(state.scene);
        path_row(state);
    }
    ImGui::Dummy({0, gui::px(4)});
}

// The list of methods: by groups, or those whose names contain what is typed.

namespace {

std::string describe(const MethodInfo& method) {
    if (kernel_of(method)) return std::string(method.summary);
    if (method.recipe)
        return fmt::format("{}\n\nTested: {} ({}).{}{}", method.summary, method.recipe->recipe->bound,
                           method.recipe->recipe->versions, method.recipe->recipe->unknown.empty() ? "" : "\n",
                           method.recipe->recipe->unknown);
    const std::string order =
        method.has_prefilter() ? fmt::format("order {} ({} without prefilter)", method.order, method.order_unfiltered)
                               : fmt::format("order {}", method.order);
    return fmt::format("{}\n\n{}, {}{}.\n{}", method.summary, taps_words(method), order,
                       method.interpolating ? ", passes through the samples" : "", method.paper);
}

constexpr int keyed_methods = 9;

bool has_key(const MethodInfo& method) { return method.rank >= 1 && method.rank <= keyed_methods; }

constexpr size_t curve_points = 25;
using Curve = std::array<float, curve_points>;

// The weight function from one end of its support to the other, between the least and the largest weight of all methods.
Curve curve_of(const MethodInfo& method, const MethodParameters& parameters) {
    constexpr double least = -0.25, most = 1.05, radius = 3;  // samples: a wider function is cut off
    Curve curve{};
    for (size_t i = 0; i < curve_points; ++i) {
        const double x = radius * (2 * double(i) / double(curve_points - 1) - 1);
        const double weight = 2 * std::abs(x) < method.taps ? method.weight(x, parameters) : 0;
        curve[i] = float(std::clamp((weight - least) / (most - least), 0.0, 1.0));
    }
    return curve;
}

// True if it was clicked.
bool method_row(AppState& state, const MethodInfo& method) {
    const MethodSpec& spec = state.scene.spec();
    const bool chosen = spec.method == &method;
    const std::string name(method.name), key = has_key(method) ? fmt::format("{}", method.rank) : "";
    const int taps = fetches(method, FetchPath::global, shows_signal(state));
    const std::string cost = taps > 0 ? fmt::format("{} tap{}", taps, taps == 1 ? "" : "s") : "";
    Curve curve{};
    if (method.weight) curve = curve_of(method, chosen ? spec.parameters : method.standard_parameters());
    const std::span<const float> drawn = method.weight ? std::span<const float>(curve) : std::span<const float>();
    const bool clicked = gui::list_row(key.c_str(), name.c_str(), cost.c_str(), chosen, drawn);
    if (clicked) {
        choose_method(state.scene, method);
        look_closer(state, true);
    }
    gui::tooltip(describe(method));
    gui::note(fmt::format("method:{}", method.id));
    return clicked;
}

// Those of the panes, and the ones that were made last.
std::vector<const MethodInfo*> own_methods(const AppState& state) {
    std::vector<const MethodInfo*> all;
    const auto add = [&](const MethodInfo* method) {
        if (method && method->group == MethodGroup::own && std::find(all.begin(), all.end(), method) == all.end())
            all.push_back(method);
    };
    for (const Pane& pane : state.scene.panes) add(pane.spec.method);
    add(state.weights.made);
    add(state.kernel.made);
    return all;
}

// All recipes with their usual options, but for those in use with theirs.
std::vector<const MethodInfo*> recipe_methods(const AppState& state) {
    const MethodInfo* const current = state.scene.spec().method;
    std::vector<const MethodInfo*> all;
    for (const Recipe& recipe : all_recipes()) {
        const bool used = current->recipe && current->recipe->recipe == &recipe;
        all.push_back(used ? current
                           : parse_spec(fmt::format("{}{}/{}", recipe_prefix, recipe.library, recipe.function)).method);
    }
    return all;
}

std::vector<const MethodInfo*> methods_of(const AppState& state, MethodGroup group) {
    if (group == MethodGroup::own) return own_methods(state);
    std::vector<const MethodInfo*> found;
    if (group == MethodGroup::library) return recipe_methods(state);
    for (const MethodInfo* method : all_methods())
        if (method->group == group) found.push_back(method);
    return found;
}

std::vector<const MethodInfo*> methods_with(const AppState& state, const std::string& typed) {
    std::vector<const MethodInfo*> found = own_methods(state);
    found.insert(found.begin(), all_methods().begin(), all_methods().end());
    for (const MethodInfo* recipe : recipe_methods(state)) found.push_back(recipe);
    std::erase_if(found, [&](const MethodInfo* method) {
        return !contains_ignoring_case(method->name, typed) && !contains_ignoring_case(method->id, typed);
    });
    return found;
}

size_t most_in_a_group() {
    size_t most = 0;
    for (const MethodGroup group : all_values<MethodGroup>)
        most = std::max<size_t>(most, std::ranges::count(all_methods(), group, &MethodInfo::group));
    return most;
}

// Enter takes the first that is found.
void find_row(AppState& state) {
    auto& memory = state.ui.memory.methods;
    ImGui::SetNextItemWidth(-FLT_MIN);
    const bool entered =
        ImGui::InputTextWithHint("##find-method", "Find a method", &memory.typed, ImGuiInputTextFlags_EnterReturnsTrue);
    gui::tooltip("Shows the methods whose names contain this. Enter takes the first of them.");
    gui::note("method:find");
    if (!entered || memory.typed.empty()) return;
    const std::vector<const MethodInfo*> found = methods_with(state, memory.typed);
    if (!found.empty()) {
        choose_method(state.scene, *found.front());
        look_closer(state, true);
    }
    memory.typed.clear();
}

void group_row(MethodGroup& group) {
    std::vector<gui::Segment> segments;
    for (const auto& row : method_groups) segments.push_back({row.title.data(), std::string(row.meaning)});
    // Two rows in a narrow panel, whether it scrolls or not.
    const ImGuiStyle& style = ImGui::GetStyle();
    const float room = ImGui::GetWindowWidth() - 2 * style.WindowPadding.x - style.ScrollbarSize;
    const bool fits = gui::least_segments_width(segments, 0) <= room;
    const size_t in_row = fits ? segments.size() : (segments.size() + 1) / 2;
    const int chosen = int(group);
    for (size_t first = 0; first < segments.size(); first += in_row) {
        const auto row = std::span(segments).subspan(first, std::min(in_row, segments.size() - first));
        const int clicked = gui::segmented("method:group", row, chosen - int(first));
        if (clicked >= 0) group = MethodGroup(int(first) + clicked);
    }
}

// In a low window, one row instead of the list.
void method_choice(AppState& state) {
    const MethodInfo& current = *state.scene.spec().method;
    ImGui::SetNextItemWidth(-FLT_MIN);
    if (!gui::begin_combo("##method", std::string(current.name).c_str())) {
        gui::tooltip(describe(current));
        gui::note("method:choice");
        return;
    }
    for (const auto& row : method_groups) {
        ImGui::TextDisabled("%s", row.title.data());
        for (const MethodInfo* method : methods_of(state, row.value))
            if (method_row(state, *method)) ImGui::CloseCurrentPopup();
    }
    own_method_rows(state);
    ImGui::EndCombo();
}

}  // namespace

void method_list(AppState& state) {
    if (!gui::tall(780)) return method_choice(state);
    auto& memory = state.ui.memory.methods;
    const MethodInfo* current = state.scene.spec().method;
    if (std::exchange(memory.followed, current) != current) memory.group = current->group;
    find_row(state);
    const bool finds = !memory.typed.empty();
    ImGui::BeginDisabled(finds);
    group_row(memory.group);
    ImGui::EndDisabled();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, gui::px(1)));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ImGui::GetStyle().FramePadding.x, gui::px(1)));
    // As high with every group, so that what is below keeps its place.
    const float height = float(most_in_a_group()) * ImGui::GetFrameHeightWithSpacing();
    ImGui::BeginChild("##methods", {0, height});
    const auto shown = finds ? methods_with(state, memory.typed) : methods_of(state, memory.group);
    for (const MethodInfo* method : shown)
        if (method_row(state, *method)) memory.typed.clear();
    if (finds && shown.empty()) gui::remark("No method has this in its name.", false);
    if (!finds && memory.group == MethodGroup::own) own_method_rows(state);
    ImGui::EndChild();
    ImGui::PopStyleVar(2);
    ImGui::Dummy({0, gui::px(2)});
}

}  // namespace texelscope::panels
