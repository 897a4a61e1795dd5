#include "app/viewer/editing/actions.h"

#include <algorithm>

#include <iterator>

#include <fmt/format.h>

#include "app/state/history.h"
#include "app/viewer/editing/action_groups.h"

namespace texelscope {
namespace {

std::vector<Action> make_table() {
    std::vector<Action> table;
    // A lesson's keys come first, where one is open.
    for (auto group : {learn_actions(), file_actions(), folder_actions(), part_actions(), keep_actions(),
                       view_actions(), method_actions(), compare_actions(), inspect_actions(), display_actions(),
                       experiment_actions(), window_actions()})
        table.insert(table.end(), std::make_move_iterator(group.begin()), std::make_move_iterator(group.end()));
    return table;
}

// The topmost dialog owns the keyboard. What a stroke types belongs to its field, and so does the palette's own key.
bool may_act(const Action& action, const AppState& state, const KeyStroke& stroke) {
    const std::optional<Dialog> owner = state.ui.dialogs.topmost();
    if (owner == Dialog::palette && action.dialog == owner) return false;
    return !owner || action.id == "window.escape" || (action.dialog == owner && !stroke.typed);
}

}  // namespace

bool has_document(const AppState& state) { return state.scene.document() && state.scene.document()->image; }

Action in_palette(Menu menu, std::string id, std::string title, std::function<void(AppState&)> run) {
    return Action{std::move(id), std::move(title), menu, -1, "", std::move(run)};
}

Action Action::keys(std::initializer_list<std::string_view> texts) && {
    for (const std::string_view text : texts) shortcuts.push_back(parse_shortcut(text));
    return std::move(*this);
}

Action Action::only_if(Condition condition) && {
    enabled = std::move(condition);
    return std::move(*this);
}

Action Action::ticked_if(Condition condition) && {
    checked = std::move(condition);
    return std::move(*this);
}

Action Action::repeating() && {
    repeats = true;
    return std::move(*this);
}

Action Action::opening(Dialog which) && {
    dialog = which;
    return std::move(*this);
}

Action Action::found_by(std::string words) && {
    also = std::move(words);
    return std::move(*this);
}

void Action::perform(AppState& state, bool again) const {
    if (!again) settle_history(state);
    run(state);
}

std::string Action::shortcut_text() const {
    std::string text;
    for (const Shortcut& shortcut : shortcuts) text += (text.empty() ? "" : ", ") + to_string(shortcut);
    return text;
}

std::span<const Action> all_actions() {
    static const std::vector<Action> table = make_table();
    return table;
}

std::vector<const Action*> actions_of(Menu menu) {
    std::vector<const Action*> found;
    for (const Action& action : all_actions())
        if (action.menu == menu && action.group >= 0) found.push_back(&action);
    std::stable_sort(found.begin(), found.end(), [](const Action* a, const Action* b) { return a->group < b->group; });
    return found;
}

const Action* find_action(std::string_view id) {
    for (const Action& action : all_actions())
        if (action.id == id) return &action;
    return nullptr;
}

bool run_shortcut(AppState& state, const KeyStroke& stroke) {
    bool known = false;
    for (const Action& action : all_actions())
        for (const Shortcut& shortcut : action.shortcuts)
            if (shortcut.matches(stroke) && may_act(action, state, stroke)) {
                known = true;
                if (!action.is_enabled(state)) continue;
                if (!stroke.repeated || action.repeats) action.perform(state, stroke.repeated);
                return true;
            }
    return known;
}

}  // namespace texelscope
