// The toolbar: what is used most, one click away.

#include <array>
#include <span>

#include <fmt/format.h>
#include <imgui.h>

#include "app/state/panes.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/layout.h"
#include "app/viewer/widgets/theme.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

struct Tool {
    const char* action;
    const char* name;  // beside the icon, if the window is wide enough for all
    gui::Icon icon;
    bool begins_group = false;
    bool (*is_on)(const AppState&) = nullptr;  // else as the action is ticked
};

// So many panes are seen, arranged like this.
template <size_t panes, Arrangement arrangement> bool shows(const AppState& state) {
    return panes_in_view(state.scene).size() == panes && (panes == 1 || state.scene.arrangement == arrangement);
}

constexpr std::array tools = {
    Tool{"file.open", "Open", gui::folder_icon},
    Tool{"view.fit", "Fit", gui::fit_icon, true},
    Tool{"view.one-to-one", "100 %", gui::one_to_one_icon},
    Tool{"compare.single", "One", gui::cells_icon<1, 1>, true, shows<1, Arrangement::single>},
    Tool{"compare.two", "Two", gui::cells_icon<2, 1>, false, shows<2, Arrangement::columns>},
    Tool{"preset.four-methods", "Four", gui::cells_icon<2, 2>, false, shows<4, Arrangement::grid>},
    Tool{"compare.wipe", "Wipe", gui::wipe_icon},
    Tool{"compare.difference", "Difference", gui::difference_icon, true},
    Tool{"compare.loupe", "Loupe", gui::loupe_icon},
    Tool{"compare.best", "Which is best?", gui::podium_icon, true},
    Tool{"file.export", "Export", gui::export_icon},
    Tool{"learn.lessons", "Lessons", gui::book_icon},
};

constexpr float icon_side = 15, padding = 8, gap = 2, group_gap = 13;  // units

float width_of_tool(const Tool& tool, bool named) {
    const float text = named ? gui::px(6) + ImGui::CalcTextSize(tool.name).x : 0;
    return 2 * gui::px(padding) + gui::px(icon_side) + text;
}

float step_of(const Tool& tool, bool named) {
    return width_of_tool(tool, named) + gui::px(tool.begins_group ? group_gap : gap);
}

float width_of_all(bool named) {
    float width = 0;
    for (const Tool& tool : tools) width += step_of(tool, named);
    return width;
}

// How many icons have room, beside the button for the others.
size_t icons_with_room(float room) {
    float width = width_of_all(false);
    if (width <= room) return tools.size();
    size_t count = tools.size();
    for (width += 2 * gui::px(padding) + gui::px(icon_side); width > room && count > 1; --count)
        width -= step_of(tools[count - 1], false);
    return count;
}

// Tools without room, by their names.
void other_tools(AppState& state, size_t first, float x, float height, const gui::Box& box) {
    ImGui::SetCursorScreenPos({x, box.y + gui::px(3)});
    ImGui::PushStyleColor(ImGuiCol_Button, ImVec4(0, 0, 0, 0));
    if (ImGui::Button("»##more-tools", {2 * gui::px(padding) + gui::px(icon_side), height}))
        ImGui::OpenPopup("##others");
    ImGui::PopStyleColor();
    gui::note("tool:more");
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(gui::px(8), gui::px(8)));
    if (ImGui::BeginPopup("##others")) {
        for (const Tool& tool : std::span(tools).subspan(first)) {
            const Action& action = *find_action(tool.action);
            if (ImGui::MenuItem(tool.name, nullptr, action.is_checked(state), action.is_enabled(state)))
                action.perform(state);
            gui::note(fmt::format("tool:{}", tool.action));
        }
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

void button(AppState& state, const Tool& tool, bool named, float height) {
    const Action& action = *find_action(tool.action);
    const bool enabled = action.is_enabled(state), checked = tool.is_on ? tool.is_on(state) : action.is_checked(state);
    const ImVec2 at = ImGui::GetCursorScreenPos(), size{width_of_tool(tool, named), height};
    ImGui::BeginDisabled(!enabled);
    const bool clicked = ImGui::InvisibleButton(tool.action, size);
    ImGui::EndDisabled();
    const bool hovered = enabled && ImGui::IsItemHovered();
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    if (checked || hovered)
        draw.AddRectFilled(at, {at.x + size.x, at.y + size.y},
                           gui::packed(checked ? gui::faded(gui::colour::accent, 0.22f) : gui::colour::raised),
                           gui::px(4));
    const ImU32 ink = gui::packed(enabled ? gui::colour::text : gui::colour::mark);
    const float side = gui::px(icon_side), left = at.x + gui::px(padding);
    tool.icon(draw, {left + side / 2, at.y + height / 2}, side, ink);
    if (named) draw.AddText({left + side + gui::px(6), at.y + (height - ImGui::GetFontSize()) / 2}, ink, tool.name);
    const std::string keys = action.shortcut_text();
    gui::row_tooltip(fmt::format("{}{}\n{}", action.title, keys.empty() ? "" : " (" + keys + ")", action.tooltip));
    gui::note(fmt::format("tool:{}", tool.action));
    if (clicked) action.perform(state);
}

}  // namespace

void toolbar(AppState& state, const gui::Box& box) {
    if (box.empty()) return;
    const gui::BoxWindow window(
        "##toolbar", box,
        {.padding = ImVec2(gui::px(8), gui::px(3)),
         .any_size = true,
         .flags = ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollbar});
    ImDrawList& draw = *ImGui::GetWindowDrawList();
    const ImU32 line = gui::packed(gui::rgb(0x18191b));
    draw.AddLine({box.x, box.y + box.height - 0.5f}, {box.x + box.width, box.y + box.height - 0.5f}, line);
    const float height = box.height - 2 * gui::px(3);
    const bool named = width_of_all(true) <= box.width;
    float x = box.x + gui::px(8);
    const size_t count = named ? tools.size() : icons_with_room(box.width - gui::px(8));
    for (const Tool& tool : std::span(tools).first(count)) {
        if (&tool != tools.data()) x += gui::px(tool.begins_group ? group_gap : gap);
        if (tool.begins_group) {
            const float middle = std::round(x - gui::px(group_gap) / 2) + 0.5f;
            draw.AddLine({middle, box.y + gui::px(8)}, {middle, box.y + box.height - gui::px(8)},
                         gui::packed(gui::colour::line));
        }
        ImGui::SetCursorScreenPos({x, box.y + gui::px(3)});
        button(state, tool, named, height);
        x += width_of_tool(tool, named);
    }
    if (count < tools.size()) other_tools(state, count, x, height, box);
    if (state.presenter.on) gui::raise_window("##toolbar");  // over the picture's labels
}

}  // namespace texelscope::panels
