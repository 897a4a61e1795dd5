#pragma once
// The one table of actions: it drives the menus, the keys, the list of keys and the palette.

#include <functional>
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
    std::string id;     // "view.fit"
    std::string title;  // "Fit the window"
    Menu menu;
    int group = 0;  // lines separate the groups of a menu; below 0: by key only
    std::vector<Shortcut> shortcuts;
    std::string tooltip;
    std::function<void(AppState&)> run;
    std::function<bool(const AppState&)> enabled = {};  // empty: always
    std::function<bool(const AppState&)> checked = {};  // empty: no tick mark
    bool repeats = false;                               // repeats while the key is held

    bool is_enabled(const AppState& state) const { return !enabled || enabled(state); }
    bool is_checked(const AppState& state) const { return checked && checked(state); }
    std::string shortcut_text() const;  // "F, Ctrl+0"; empty if there is none
};

std::span<const Action> all_actions();

// Null if there is none with that id.
const Action* find_action(std::string_view id);

// Runs the enabled action of this stroke; false if there is none.
bool run_shortcut(AppState& state, const KeyStroke& stroke);

}  // namespace texelscope
