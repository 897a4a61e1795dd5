#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include <imgui.h>

#include "app/files/test_images/test_images.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/pane_edits.h"
#include "app/viewer/editing/reference_choices.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/menu_columns.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

void item(AppState& state, const Action& action) {
    const std::string keys = action.shortcuts.empty() ? "" : "    " + to_string(action.shortcuts.front());
    if (ImGui::MenuItem(action.title.c_str(), keys.c_str(), action.is_checked(state), action.is_enabled(state)))
        action.perform(state);
    gui::tooltip(action.tooltip);
    gui::note(action.id);
}

void test_images_menu(AppState& state) {
    if (!gui::begin_menu("Test images")) return;
    {
        gui::MenuColumns columns(int(test_images().size()));
        for (const TestImage& test : test_images()) {
            columns.next();
            if (ImGui::MenuItem(std::string(test.name).c_str()))
                state.tasks.push_back(task::Open{"@" + std::string(test.id)});
            gui::tooltip(test.summary);
            gui::note("test-image:" + std::string(test.id));
        }
    }
    gui::end_menu();
}

void recent_menu(AppState& state) {
    if (!gui::begin_menu("Recent files", !state.ui.recent.empty())) return;
    for (const std::string& path : state.ui.recent) {
        ImGui::PushID(path.c_str());
        if (ImGui::MenuItem(path.c_str())) state.tasks.push_back(task::Open{path});
        ImGui::PopID();
    }
    gui::end_menu();
}

void reference_menu(AppState& state) {
    const bool open = gui::begin_menu("Reference", state.scene.document() != nullptr);
    gui::note("menu:Reference");
    if (!open) return;
    {
        const std::vector<ReferenceChoice> choices = reference_choices(state);
        gui::MenuColumns columns(int(choices.size()));
        for (const ReferenceChoice& choice : choices) {
            columns.next();
            ImGui::PushID(int(&choice - choices.data()));  // images may have the same title
            if (ImGui::MenuItem(choice.title.c_str(), nullptr, choice.chosen, choice.enabled))
                choose_reference(state, choice.reference);
            ImGui::PopID();
            gui::tooltip(choice.tooltip);
            gui::note("menu-reference:" + choice.id);
        }
    }
    gui::end_menu();
}

// Entries that are no actions.
bool has_files_below(const Action& action) { return action.id == "file.open"; }
bool has_reference_above(const Action& action) { return action.id == "compare.difference"; }

// Actions of a menu that are behind one entry of it.
struct Submenu {
    Menu menu;
    int first, last;  // groups
    const char* title;
    std::string_view ids = "";  // only those that begin so
    bool if_long = false;       // only if the menu would not fit into one column
};
constexpr Submenu submenus[] = {{Menu::file, 1, 1, "Folder", "folder."},
                                {Menu::compare, 1, 3, "Layout and links"},
                                {Menu::compare, 5, 5, "Presets"},
                                {Menu::learn, 1, 1, "Lessons", "lesson.", true}};

// Actions in a row that are one entry, of this submenu, or a single one.
struct Entry {
    std::span<const Action* const> actions;
    const Submenu* submenu = nullptr;

    int group() const { return actions.front()->group; }
};
using Actions = std::span<const Action* const>;

std::vector<Entry> single_entries(Actions actions) {
    std::vector<Entry> entries;
    for (size_t i = 0; i < actions.size(); ++i) entries.push_back({actions.subspan(i, 1)});
    return entries;
}

std::vector<Entry> with_submenus(Actions actions, bool is_long) {
    const auto submenu_of = [&](const Action& action) {
        const auto found = std::find_if(std::begin(submenus), std::end(submenus), [&](const Submenu& each) {
            return each.menu == action.menu && action.group >= each.first && action.group <= each.last &&
                   action.id.starts_with(each.ids) && (is_long || !each.if_long);
        });
        return found == std::end(submenus) ? nullptr : found;
    };
    std::vector<Entry> entries;
    for (size_t i = 0; i < actions.size(); ++i) {
        const Submenu* submenu = submenu_of(*actions[i]);
        if (submenu && !entries.empty() && entries.back().submenu == submenu)
            entries.back().actions = {entries.back().actions.data(), entries.back().actions.size() + 1};
        else entries.push_back({actions.subspan(i, 1), submenu});
    }
    return entries;
}

struct Length {
    int entries = 0, lines = 0;
};

bool begins_group(const std::vector<Entry>& entries, size_t i) {
    return i > 0 && entries[i].group() != entries[i - 1].actions.back()->group;
}

Length length_of(const std::vector<Entry>& entries) {
    Length length;
    for (size_t i = 0; i < entries.size(); ++i) {
        length.lines += begins_group(entries, i);
        const Action& first = *entries[i].actions.front();
        length.entries += 1 + (has_files_below(first) ? 2 : 0) + (has_reference_above(first) ? 1 : 0);
    }
    return length;
}

void show(AppState& state, const std::vector<Entry>& entries) {
    const Length length = length_of(entries);
    gui::MenuColumns columns(length.entries, length.lines);
    for (size_t i = 0; i < entries.size(); ++i) {
        const auto& [actions, submenu] = entries[i];
        columns.next(begins_group(entries, i));
        if (has_reference_above(*actions.front())) {
            reference_menu(state);
            columns.next();
        }
        if (!submenu) {
            item(state, *actions.front());
        } else {
            const bool open = gui::begin_menu(submenu->title);
            gui::note(std::string("menu:") + submenu->title);
            if (open) {
                show(state, single_entries(actions));
                gui::end_menu();
            }
        }
        if (has_files_below(*actions.front())) {
            columns.next();
            recent_menu(state);
            columns.next();
            test_images_menu(state);
        }
    }
}

void menu(AppState& state, Menu which, const char* title) {
    const bool open = gui::begin_menu(title);
    gui::note(std::string("menu:") + title);
    if (!open) return;
    const std::vector<const Action*> actions = actions_of(which);
    std::vector<Entry> entries = with_submenus(actions, false);
    if (const Length length = length_of(entries); !gui::fits_one_column(length.entries, length.lines))
        entries = with_submenus(actions, true);
    show(state, entries);
    gui::end_menu();
}

}  // namespace

void menu_bar(AppState& state, const gui::Box& box) {
    if (box.empty()) return;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(gui::px(8), (box.height - ImGui::GetFontSize()) / 2));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gui::px(8), gui::px(6)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(gui::px(8), gui::px(8)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
    const bool open = ImGui::BeginMainMenuBar();
    ImGui::PopStyleVar();
    if (open) {
        for (const auto& [which, title] : menus) menu(state, which, title);
        ImGui::EndMainMenuBar();
    }
    ImGui::PopStyleVar(3);
}

}  // namespace texelscope::panels
