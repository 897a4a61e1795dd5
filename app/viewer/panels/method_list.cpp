// The list of methods: by groups, or those whose names contain what is typed.

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/picture/first_look.h"
#include "app/picture/inspect/curves.h"
#include "app/picture/rendition.h"
#include "app/state/panes.h"
#include "app/text/text.h"
#include "app/viewer/editing/comparison_edits.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"
#include "gpu/method/kernel_method.h"
#include "gpu/recipes/recipe.h"

namespace texelscope::panels {

namespace {

std::string with_full_stop(std::string_view text) {
    return text.empty() || text.ends_with('.') ? std::string(text) : std::string(text) + ".";
}

std::string describe(const MethodInfo& method) {
    if (kernel_of(method)) return std::string(method.summary);
    if (method.recipe)
        return fmt::format("{}\n\nTested: {} ({}).{}{}", with_full_stop(method.summary), method.recipe->recipe->bound,
                           method.recipe->recipe->versions, method.recipe->recipe->unknown.empty() ? "" : "\n",
                           with_full_stop(method.recipe->recipe->unknown));
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
    auto& memory = state.ui.memory.methods;
    const bool chosen = spec.method == &method, marked = memory.marked ? memory.marked == &method : chosen;
    const std::string name(method.name), key = has_key(method) ? fmt::format("{}", method.rank) : "";
    const int taps = fetches(method, FetchPath::global, shows_signal(state));
    const std::string cost = taps > 0 ? fmt::format("{} tap{}", taps, taps == 1 ? "" : "s") : "";
    Curve curve{};
    if (method.weight) curve = curve_of(method, chosen ? spec.parameters : method.standard_parameters());
    const std::span<const float> drawn = method.weight ? std::span<const float>(curve) : std::span<const float>();
    const bool clicked = gui::list_row(key.c_str(), name.c_str(), cost.c_str(), marked, drawn);
    if (marked && std::exchange(memory.reveal, false) && !ImGui::IsItemVisible()) ImGui::SetScrollHereY();
    if (clicked) {
        choose_method(state.scene, method);
        look_closer(state, true);
    }
    gui::tooltip(describe(method));
    gui::note(fmt::format("method:{}", method.id));
    return clicked;
}

// One's own methods: of the panes, and the ones that were made last.
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

// As many as there is space for above what was below the list in the last frame.
int rows_with_room() {
    const float below = ImGui::GetStateStorage()->GetFloat(ImGui::GetID("##below-methods"), FLT_MAX);
    return int((ImGui::GetWindowHeight() - ImGui::GetCursorPosY() - below) / ImGui::GetFrameHeightWithSpacing());
}

int rows_of_largest_group() {
    size_t most = 0;
    for (const auto& row : method_groups)
        most = std::max(most, size_t(std::ranges::count(all_methods(), row.value, &MethodInfo::group)));
    return int(most);
}

// More, and the panel is higher than a small screen; fewer there if other sections need the height: for more panes than two,
// for what single channels, complex data and alpha have, for parameters, for buttons that have no space in one row.
int rows_without_scrolling(const Scene& scene) {
    constexpr int least = 3, most = 6;
    const auto image = image_of(scene, scene.active);
    const bool row_of_display = shows_single_channel(scene, scene.active) ||
                                (image && (image->channels() == 2 || image->alpha() != Alpha::none));
    const int more = std::max(int(scene.panes.size()) - 2, 0) + int(row_of_display) + int(!gui::roomy()) +
                     int(scene.spec().method->parameters.size());
    const int usual = gui::tall(900) ? most : std::clamp(most - more, least, most);
    return std::max(usual, std::min(rows_with_room(), rows_of_largest_group()));
}

// The rows of the list below the field.
std::vector<const MethodInfo*> rows_of(const AppState& state, bool all_groups) {
    const auto& memory = state.ui.memory.methods;
    if (!memory.typed.empty()) return methods_with(state, memory.typed);
    if (!all_groups) return methods_of(state, memory.group);
    std::vector<const MethodInfo*> all;
    for (const auto& row : method_groups)
        for (const MethodInfo* method : methods_of(state, row.value)) all.push_back(method);
    return all;
}

int count_steps(ImGuiInputTextCallbackData* data) {
    *static_cast<int*>(data->UserData) += data->EventKey == ImGuiKey_DownArrow ? 1 : -1;
    return 0;
}

// The arrow keys mark a row, Enter takes it: the first that is found, before. True if it did.
bool find_row(AppState& state, bool all_groups) {
    auto& memory = state.ui.memory.methods;
    const std::string before = memory.typed;
    int steps = 0;
    ImGui::SetNextItemWidth(-FLT_MIN);
    const bool entered = ImGui::InputTextWithHint(
        "##find-method", "Find a method", &memory.typed,
        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackHistory, count_steps, &steps);
    const bool active = ImGui::IsItemActive();
    gui::tooltip("Shows the methods whose names contain this. The arrow keys choose one of them, and Enter takes it.");
    gui::note("method:find");
    if (memory.typed.empty() && !active && !entered) memory.marked = nullptr;
    if (memory.typed != before) memory.marked = nullptr;
    if (!active && !entered) return false;
    const std::vector<const MethodInfo*> rows = rows_of(state, all_groups);
    const auto place = [&](const MethodInfo* method) { return std::find(rows.begin(), rows.end(), method); };
    auto at = place(memory.marked ? memory.marked : memory.typed.empty() ? state.scene.spec().method : nullptr);
    if (at == rows.end()) at = rows.begin();
    if (rows.empty()) return false;
    if (steps != 0) at = rows.begin() + std::clamp<ptrdiff_t>(at - rows.begin() + steps, 0, ptrdiff_t(rows.size()) - 1);
    memory.reveal = memory.reveal || steps != 0 || memory.typed != before;
    if (steps != 0 || !memory.typed.empty()) memory.marked = *at;
    if (!entered || !memory.marked) return false;
    choose_method(state.scene, **at);
    look_closer(state, true);
    memory.typed.clear();
    memory.marked = nullptr;
    return true;
}

// A row for each, of which a click takes one. True if it did.
bool found_rows(AppState& state) {
    const std::vector<const MethodInfo*> found = methods_with(state, state.ui.memory.methods.typed);
    bool taken = false;
    for (const MethodInfo* method : found) taken |= method_row(state, *method);
    if (found.empty()) gui::remark("No method has this in its name.", false);
    return taken;
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
    const float top = ImGui::GetCursorScreenPos().y + ImGui::GetFrameHeight();
    ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, FLT_MAX});
    if (!gui::begin_combo("##method", std::string(current.name).c_str())) {
        gui::tooltip(describe(current));
        gui::note("method:choice");
        return;
    }
    std::string& typed = state.ui.memory.methods.typed;
    const bool appears = ImGui::IsWindowAppearing();
    if (appears) {
        typed.clear();
        state.ui.memory.methods.marked = nullptr;
        ImGui::SetKeyboardFocusHere();
    }
    bool taken = find_row(state, true);
    // Down to the lower edge of the window, below the field for names.
    const ImGuiStyle& style = ImGui::GetStyle();
    const float above = ImGui::GetFrameHeightWithSpacing() + 2 * style.WindowPadding.y;
    const float room = ImGui::GetIO().DisplaySize.y - top - above - gui::px(8);
    ImGui::BeginChild("##rows", {gui::px(340), std::max(room, gui::px(200))});
    if (!typed.empty()) taken |= found_rows(state);
    for (const auto& row : method_groups) {
        if (!typed.empty()) break;
        ImGui::TextDisabled("%s", row.title.data());
        for (const MethodInfo* method : methods_of(state, row.value)) {
            taken |= method_row(state, *method);
            if (appears && method == &current) ImGui::SetScrollHereY();
        }
    }
    if (typed.empty()) own_method_rows(state);
    ImGui::EndChild();
    if (taken) {
        typed.clear();
        ImGui::CloseCurrentPopup();
    }
    ImGui::EndCombo();
}

}  // namespace

void method_list(AppState& state) {
    if (!gui::tall(780)) return method_choice(state);
    auto& memory = state.ui.memory.methods;
    const MethodInfo* current = state.scene.spec().method;
    const bool other = std::exchange(memory.followed, current) != current;
    if (other) memory.group = current->group;
    find_row(state, false);
    const bool finds = !memory.typed.empty();
    ImGui::BeginDisabled(finds);
    group_row(memory.group);
    ImGui::EndDisabled();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, gui::px(1)));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(ImGui::GetStyle().FramePadding.x, gui::px(1)));
    // As high with every group, so that what is below keeps its place.
    const float height = float(rows_without_scrolling(state.scene)) * ImGui::GetFrameHeightWithSpacing();
    ImGui::BeginChild("##methods", {0, height});
    if (finds && found_rows(state)) memory.typed.clear();
    if (!finds)
        for (const MethodInfo* method : methods_of(state, memory.group)) {
            method_row(state, *method);
            if (other && method == current && !ImGui::IsItemVisible()) ImGui::SetScrollHereY();
        }
    if (!finds && memory.group == MethodGroup::own) own_method_rows(state);
    ImGui::EndChild();
    ImGui::PopStyleVar(2);
    ImGui::GetStateStorage()->SetFloat(ImGui::GetID("##methods-end"), ImGui::GetCursorPosY());
    ImGui::Dummy({0, gui::px(2)});
}

}  // namespace texelscope::panels
