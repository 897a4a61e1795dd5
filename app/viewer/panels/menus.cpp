#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/files/test_images/test_images.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/comparison_edits.h"
#include "app/viewer/editing/pane_edits.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/panels/dialogs.h"
#include "app/viewer/panels/panels.h"
#include "app/viewer/widgets/widgets.h"

namespace texelscope::panels {
namespace {

void item(AppState& state, const Action& action) {
    const std::string keys = action.shortcuts.empty() ? "" : "    " + to_string(action.shortcuts.front());
    if (gui::menu_item(action.title, keys, action.is_checked(state), action.is_enabled(state))) action.perform(state);
    gui::tooltip(action.tooltip);
    gui::note(action.id);
}

void test_images_menu(Tasks& tasks) {
    if (!gui::begin_menu("Test images")) return;
    {
        gui::MenuColumns columns(int(test_images().size()));
        for (const TestImage& test : test_images()) {
            columns.next();
            if (ImGui::MenuItem(std::string(test.name).c_str()))
                tasks.push_back(task::Open{"@" + std::string(test.id)});
            gui::tooltip(test.summary);
            gui::note("test-image:" + std::string(test.id));
        }
    }
    gui::end_menu();
}

void recent_menu(const UiState& ui, Tasks& tasks) {
    if (!gui::begin_menu("Recent files", !ui.recent.empty())) return;
    for (const std::string& path : ui.recent) {
        ImGui::PushID(path.c_str());
        if (ImGui::MenuItem(path.c_str())) tasks.push_back(task::Open{path});
        ImGui::PopID();
    }
    gui::end_menu();
}

void reference_menu(Scene& scene, UiState& ui) {
    const bool open = gui::begin_menu("Reference", scene.document() != nullptr);
    gui::note("menu:Reference");
    if (!open) return;
    {
        const std::vector<ReferenceChoice> choices = reference_choices(scene);
        gui::MenuColumns columns(int(choices.size()));
        for (const ReferenceChoice& choice : choices) {
            columns.next();
            ImGui::PushID(int(&choice - choices.data()));  // images may have the same title
            if (gui::menu_item(choice.title, "", choice.chosen, choice.enabled))
                choose_reference(scene, ui, choice.reference);
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
                                {Menu::file, 1, 1, "Parts and orientation", "part."},
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

int count_of(const Entry& entry) {
    const Action& first = *entry.actions.front();
    return 1 + (has_files_below(first) ? 2 : 0) + (has_reference_above(first) ? 1 : 0);
}

Length length_of(const std::vector<Entry>& entries) {
    Length length;
    for (size_t i = 0; i < entries.size(); ++i) {
        length.lines += begins_group(entries, i);
        length.entries += count_of(entries[i]);
    }
    return length;
}

// The entries of the group that begins there; 0 if none does.
int count_of_group(const std::vector<Entry>& entries, size_t i) {
    int count = 0;
    if (begins_group(entries, i)) do
            count += count_of(entries[i]);
        while (++i < entries.size() && !begins_group(entries, i));
    return count;
}

void show(AppState& state, const std::vector<Entry>& entries) {
    const Length length = length_of(entries);
    gui::MenuColumns columns(length.entries, length.lines);
    for (size_t i = 0; i < entries.size(); ++i) {
        const auto& [actions, submenu] = entries[i];
        columns.next(count_of_group(entries, i));
        if (has_reference_above(*actions.front())) {
            reference_menu(state.scene, state.ui);
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
            recent_menu(state.ui, state.tasks);
            columns.next();
            test_images_menu(state.tasks);
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

// The menus that have no space in the bar are behind its last entry.
void menus_in_bar(AppState& state, float width) {
    const float gap = 2 * ImGui::GetStyle().ItemSpacing.x;
    const auto wide = [&](const char* title) { return ImGui::CalcTextSize(title).x + gap; };
    constexpr const char* more = "»";
    float needed = ImGui::GetCursorPosX();
    for (const auto& [which, title] : menus) needed += wide(title);
    size_t shown = menus.size();
    for (; needed > width && shown > 1; --shown)
        needed += (shown == menus.size() ? wide(more) : 0) - wide(menus[shown - 1].second);
    for (size_t i = 0; i < shown; ++i) menu(state, menus[i].first, menus[i].second);
    if (shown == menus.size()) return;
    const bool open = gui::begin_menu(more);
    gui::note("menu:more");
    if (!open) return;
    for (size_t i = shown; i < menus.size(); ++i) menu(state, menus[i].first, menus[i].second);
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
        menus_in_bar(state, box.width);
        ImGui::EndMainMenuBar();
    }
    ImGui::PopStyleVar(3);
}

// The command palette: type a few letters of any action.

namespace {

constexpr int rows_shown = 12;

// At once, or when the picture that it needs has been read.
void choose(AppState& state, const WaitingCommand& command) {
    if (!command.enabled(state)) {
        state.ui.palette_waits = command;
        return;
    }
    state.ui.palette_waits.reset();
    state.ui.dialogs.close(Dialog::palette);
    command.run(state);
}

void choose(AppState& state, const TypedCommand& typed) {
    const auto has_picture = [](const AppState& s) { return s.scene.document() && s.scene.document()->image; };
    choose(state, {typed.title, has_picture, typed.run});
}

void choose(AppState& state, const Action& action) {
    choose(state, {action.title, [&action](const AppState& s) { return action.is_enabled(s); },
                   [&action](AppState& s) { action.perform(s); }});
}

void run_waiting(AppState& state) {
    const std::optional<WaitingCommand> command = state.ui.palette_waits;
    if (!command || (!command->enabled(state) && awaits_picture(state.scene))) return;
    state.ui.palette_waits.reset();
    if (command->enabled(state)) choose(state, *command);
}

// The command with a number, or why there is none for this number.
void typed_row(AppState& state, const TypedCommand& typed, bool chosen) {
    if (!typed.run) return gui::remark(typed.problem, false);
    if (ImGui::Selectable((typed.title + "##typed").c_str(), chosen)) choose(state, typed);
    gui::note("palette:typed");
    gui::tooltip("Acts on the active pane: zoom and rotation about its centre.");
}

void row(AppState& state, const Action& action, bool chosen) {
    const std::string keys = action.shortcuts.empty() ? "" : to_string(action.shortcuts.front());
    const std::string id = fmt::format("{}##{}", action.title, action.id);
    if (ImGui::Selectable(id.c_str(), chosen)) choose(state, action);
    gui::note("palette:" + action.id);
    gui::tooltip(action.tooltip);
    if (keys.empty()) return;
    ImGui::SameLine();
    ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(keys.c_str()).x);
    ImGui::TextDisabled("%s", keys.c_str());
}

// The key that opens the palette, pressed again: what is typed next replaces the text.
bool is_typed_anew() {
    const auto& keys = find_action("window.palette")->shortcuts;
    return std::any_of(keys.begin(), keys.end(), gui::pressed);
}

bool command_field(std::string& text) {
    const auto select_all = [](ImGuiInputTextCallbackData* data) {
        data->SelectAll();
        return 0;
    };
    ImGuiInputTextFlags flags = ImGuiInputTextFlags_EnterReturnsTrue;
    if (is_typed_anew()) flags |= ImGuiInputTextFlags_CallbackAlways;
    ImGui::SetNextItemWidth(-FLT_MIN);
    const char* const hint = "Type a command, zoom 400, rotate 15 or go 120.5 80.25";
    return ImGui::InputTextWithHint("##command", hint, &text, flags, select_all);
}

}  // namespace

void palette(AppState& state) {
    if (!state.ui.dialogs.has(Dialog::palette)) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    constexpr const DialogInfo& palette_row = row_of(Dialog::palette);
    const float width = std::min(gui::px(palette_row.width), screen.x);
    ImGui::SetNextWindowPos({(screen.x - width) / 2, std::min(gui::px(72), screen.y / 4)});
    ImGui::SetNextWindowSize({width, 0});
    ImGui::SetNextWindowFocus();  // whatever else is open
    ImGui::PushStyleColor(ImGuiCol_Border, ImVec4(gui::colour::accent));
    ImGui::Begin(palette_row.title, nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleColor();
    shade_behind(state.ui, Dialog::palette, palette_row.title, false);
    if (begins_anew(state.ui, Dialog::palette)) {
        state.ui.palette_text.clear();
        state.ui.palette_waits.reset();
        state.ui.palette_choice = 0;
    }
    focus_here(state.ui, Dialog::palette);
    const bool entered = command_field(state.ui.palette_text);
    gui::note("palette:text");
    const bool left = ImGui::IsItemDeactivated() && !entered;
    if (ImGui::IsItemEdited()) {
        state.ui.palette_choice = 0;
        state.ui.palette_waits.reset();
    }

    const std::vector<const Action*> found = matching_actions(state, state.ui.palette_text);
    const std::optional<TypedCommand> typed = typed_command(state, state.ui.palette_text);
    const int before = typed && typed->run ? 1 : 0;  // rows
    const int count = std::min(int(found.size()), rows_shown - before);
    int& choice = state.ui.palette_choice;
    move_choice(state.ui, Dialog::palette, choice, before + count, rows_shown);
    if (typed) typed_row(state, *typed, choice == 0);
    for (int i = 0; i < count; ++i) row(state, *found[size_t(i)], before + i == choice);
    if (found.empty() && !typed) gui::remark("No command contains these letters in this order.", false);
    if (int(found.size()) > count) gui::remark(fmt::format("… and {} more", int(found.size()) - count), false);
    if (const auto& waiting = state.ui.palette_waits)
        gui::remark(fmt::format("{} runs once the picture has been read.", waiting->title), false);
    const bool inside = ImGui::IsWindowHovered();
    ImGui::End();
    const bool runs = entered && (!typed || typed->run) && before + count > 0;  // never another than what was typed
    if (runs && choice < before) choose(state, *typed);
    else if (runs) choose(state, *found[size_t(choice - before)]);
    else if (left && !inside) state.ui.dialogs.close(Dialog::palette);
    run_waiting(state);
}

}  // namespace texelscope::panels
