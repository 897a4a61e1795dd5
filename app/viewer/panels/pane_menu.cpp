// The context menu of a pane, which need not be the active one.

#include <fmt/format.h>
#include <imgui.h>

#include "app/picture/pane_words.h"
#include "app/state/pane_images.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/method_edits.h"
#include "app/viewer/editing/pane_edits.h"
#include "app/viewer/editing/reference_choices.h"
#include "app/viewer/panels/panel_parts.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/menu_columns.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

constexpr const char* name = "##pane-menu";

bool item(const std::string& title, const std::string& id, const std::string& tip, const std::string& keys = "",
          bool ticked = false, bool enabled = true) {
    const std::string shown = keys.empty() ? "" : "    " + keys;
    const bool clicked = ImGui::MenuItem(title.c_str(), shown.c_str(), ticked, enabled);
    gui::tooltip(tip);
    gui::note("pane-menu:" + id);
    return clicked;
}

bool submenu(const char* title, const char* id) {
    const bool open = gui::begin_menu(title);
    gui::note(std::string("pane-menu:") + id);
    return open;
}

// A row of the table of actions, on the active pane.
bool action_item(AppState& state, const std::string& id) {
    const Action& action = *find_action(id);
    const std::string keys = action.shortcuts.empty() ? "" : to_string(action.shortcuts.front());
    const bool clicked =
        item(action.title, id, action.tooltip, keys, action.is_checked(state), action.is_enabled(state));
    if (clicked) action.perform(state);
    return clicked;
}

void method_menu(AppState& state) {
    if (!submenu("Method", "method")) return;
    {
        gui::MenuColumns columns(int(all_methods().size()));
        for (const MethodInfo* method : all_methods()) {
            columns.next();
            action_item(state, fmt::format("method.{}", method->id));
        }
    }
    gui::end_menu();
}

void path_menu(AppState& state) {
    if (!submenu("Path", "path")) return;
    FetchPath& path = state.scene.spec().path;
    for (const FetchPath which : all_fetch_paths) {
        const std::string why = why_no_path(state, which), word(name_of(which));
        if (item(word, "path." + word, why.empty() ? meaning(which) : why, "", which == path, why.empty()))
            path = which;
    }
    gui::end_menu();
}

void pane_reference_menu(AppState& state) {
    if (!submenu("Reference", "reference")) return;
    const Pane& pane = state.scene.pane();
    const Reference& reference = state.scene.reference;
    const bool this_one = reference.kind == Reference::Kind::method && reference.spec.method == pane.spec.method;
    if (item(fmt::format("This method: {}", pane.spec.method->name), "reference.pane",
             "All panes are measured against this pane's method, with exact weights and coefficients.", "", this_one))
        measure_against_pane(state, state.scene.active);
    for (const ReferenceChoice& choice : reference_choices(state)) {
        const Reference::Kind kind = choice.reference.kind;
        if (kind == Reference::Kind::method || choice.reference.source == document_of(state, pane)->source) continue;
        if (item(fmt::format("{}##{}", choice.title, choice.reference.source), "reference." + choice.id, choice.tooltip,
                 "", choice.chosen, choice.enabled))
            choose_reference(state, choice.reference);
    }
    gui::end_menu();
}

void heading(const AppState& state, int pane) {
    ImGui::PushFont(gui::theme().heading);
    ImGui::TextColored(ImVec4(gui::pane_colour(pane)), "%s", pane_name(pane).c_str());
    ImGui::PopFont();
    ImGui::SameLine();
    ImGui::TextDisabled("%s", gui::shortened(pane_label(state, pane), gui::px(280)).c_str());
    ImGui::Separator();
}

void rows(AppState& state, int pane) {
    heading(state, pane);
    bool later = false;  // done by a dialog or a task, which take the active pane
    {
        const ActingOn this_pane(state, pane);
        method_menu(state);
        path_menu(state);
        if (item("Difference in this pane", "difference", "Show how this pane differs from what its figure is against.",
                 "", state.scene.panes[size_t(pane)].difference))
            toggle_difference(state, pane);
        pane_reference_menu(state);
        ImGui::Separator();
        later |= action_item(state, "file.save-view");
        later |= action_item(state, "edit.copy-picture");
        ImGui::Separator();
    }
    if (later) state.scene.active = pane;
    const Action& remove = *find_action("compare.remove");
    if (item("Close pane", "close", "Remove this pane; the others share its place.", to_string(remove.shortcuts[0]),
             false, remove.is_enabled(state)))
        return remove_pane(state, pane);
    ImGui::Separator();
    if (action_item(state, "help.numbers")) state.scene.active = pane;
}

}  // namespace

void pane_menu(AppState& state) {
    PaneMenu& menu = state.ui.pane_menu;
    // Dear ImGui closes popups in the frame that sees the button pressed, which may be this one.
    if (menu.asked && !ImGui::IsMouseDown(1)) {
        menu.asked = false;
        ImGui::OpenPopup(name);
    }
    if (!ImGui::IsPopupOpen(name)) return;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gui::px(8), gui::px(6)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(gui::px(8), gui::px(8)));
    if (ImGui::BeginPopup(name)) {
        if (size_t(menu.pane) < state.scene.panes.size()) rows(state, menu.pane);
        else ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar(2);
}

}  // namespace texelscope::panels
