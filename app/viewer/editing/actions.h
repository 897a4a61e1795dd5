#pragma once
// The one table of actions: it drives the menus, the keys, the list of keys and the palette.

#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/state/app_state.h"
#include "app/window/input.h"

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

// A function of the state, made of one whose parameters are the parts of the state that it reads or changes, or all of it:
// each parameter's type says which part. Another type is no part, and does not compile.
template <class Result, class State> class OnState : public std::function<Result(State&)> {
public:
    OnState() = default;
    template <class Function>
    OnState(Function made_of) : std::function<Result(State&)>(on_parts(std::function(std::move(made_of)))) {}

private:
    template <class Part> static auto& part_of(State& state) {
        using Named = std::remove_cvref_t<Part>;
        using AsInState = std::conditional_t<std::is_const_v<State>, const Named, Named>;
        return std::get<AsInState&>(std::tie(state, state.scene, state.ui, state.tasks, state.lesson));
    }
    template <class Returned, class... Parts>
    static std::function<Result(State&)> on_parts(std::function<Returned(Parts...)> made_of) {
        return [made_of = std::move(made_of)](State& state) { return made_of(part_of<Parts>(state)...); };
    }
};

struct Action {
    using Condition = OnState<bool, const AppState>;

    std::string id;     // "view.fit"
    std::string title;  // "Fit the window"
    Menu menu;
    int group = 0;  // lines separate the groups of a menu; below 0: by key only
    std::string tooltip;
    OnState<void, AppState> run;  // see perform
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

// What another platform has more, fewer or elsewhere: set before the table is asked for the first time.
inline void (*adapt_actions)(std::vector<Action>& table) = nullptr;

// The actions of a menu, group by group.
std::vector<const Action*> actions_of(Menu menu);

// Null if there is none with that id.
const Action* find_action(std::string_view id);

// Runs the first enabled action of this stroke; false if none has it. While a dialog owns the keyboard, that is only an
// action which opens this dialog, or Esc.
bool run_shortcut(AppState& state, const KeyStroke& stroke);

// The parts of the action table, one file each.

std::vector<Action> file_actions();
std::vector<Action> folder_actions();  // the pictures beside the shown one
std::vector<Action> part_actions();    // what is seen of the shown file
std::vector<Action> view_actions();
std::vector<Action> method_actions();
std::vector<Action> compare_actions();     // panes, differences, presets
std::vector<Action> inspect_actions();     // plots, taps, pixel grid and values
std::vector<Action> display_actions();     // levels, exposure, tone curve, false colour
std::vector<Action> learn_actions();       // lessons, presenting, recording
std::vector<Action> keep_actions();        // saving, sessions, clipboard, undo
std::vector<Action> experiment_actions();  // published experiments
std::vector<Action> window_actions();      // panels, full screen, help

bool has_document(const Scene& scene);

// An action that only the palette lists, since a panel has it beside its like.
Action in_palette(Menu menu, std::string id, std::string title, OnState<void, AppState> run);

// Finds actions by a few typed letters.

// How well the letters match the title, more is better; empty if they do not occur in this order. Ignores case; letters
// at word starts, and adjacent ones, count more.
std::optional<int> match_score(std::string_view letters, std::string_view title);

// The first picture has not been read yet: commands that need one can be chosen, and run once it is there.
bool awaits_picture(const Scene& scene);

// The actions with a matching title that are enabled, or will be once the first picture is there; best first. Without
// letters, all of them in the order of the menus, the lessons last.
std::vector<const Action*> matching_actions(const AppState& state, std::string_view letters);

}  // namespace texelscope
