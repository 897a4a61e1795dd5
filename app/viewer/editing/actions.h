#pragma once
// The one table of actions: it drives the menus, the keys, the list of keys and the palette.

#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/app_state.h"
#include "app/window/shortcut.h"

namespace texelscope {

enum class Menu { file, edit, view, method, compare, inspect, learn, help };

inline constexpr std::array<std::pair<Menu, const char*>, 8> menus = {{{Menu::file, "File"},
                                                                       {Menu::edit, "Edit"},
                                                                       {Menu::view, "View"},
                                                                       {Menu::method, "Method"},
                                                                       {Menu::compare, "Compare"},
                                                                       {Menu::inspect, "Inspect"},
                                                                       {Menu::learn, "Learn"},
                                                                       {Menu::help, "Help"}}};

struct Action {
    using Condition = std::function<bool(const AppState&)>;

    std::string id;     // "view.fit"
    std::string title;  // "Fit the window"
    Menu menu;
    int group = 0;  // lines separate the groups of a menu; below 0: by key only
    std::string tooltip;
    std::function<void(AppState&)> run;  // see perform
    std::vector<Shortcut> shortcuts = {};
    Condition enabled = {};             // empty: always
    Condition checked = {};             // empty: no tick mark
    bool repeats = false;               // repeats while the key is held
    std::optional<Dialog> dialog = {};  // that it opens: there, its keys act as well, to close it
    std::string also = {};              // other words that find it in the palette: "compare quality"

    // A row of the table is Action{…}.keys({"F", "Ctrl+0"}).only_if(…): what most actions do not have is named.
    Action keys(std::initializer_list<std::string_view> texts) &&;
    Action only_if(Condition condition) &&;
    Action ticked_if(Condition condition) &&;
    Action repeating() &&;
    Action opening(Dialog which) &&;
    Action found_by(std::string words) &&;

    // Runs it, so that undo takes it back alone. `again`: by a key that is held, which makes one change.
    void perform(AppState& state, bool again = false) const;

    bool is_enabled(const AppState& state) const { return !enabled || enabled(state); }
    bool is_checked(const AppState& state) const { return checked && checked(state); }
    std::string shortcut_text() const;  // "F, Ctrl+0"; empty if there is none
};

std::span<const Action> all_actions();

// Those of a menu, group by group.
std::vector<const Action*> actions_of(Menu menu);

// Null if there is none with that id.
const Action* find_action(std::string_view id);

// Runs the first enabled action of this stroke; false if none has it. While a dialog is open, that is only an action which
// opens this dialog, or Esc.
bool run_shortcut(AppState& state, const KeyStroke& stroke);

}  // namespace texelscope
