#include "app/viewer/editing/actions.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "app/state/history.h"
#include "app/text/text.h"
#include "gpu/core/text.h"

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

// The topmost dialog owns the keyboard. What a stroke types belongs to its field, and so does the palette's own key. A
// tool window has no more than Enter and, as all do, Esc.
bool may_act(const Action& action, const UiState& ui, const KeyStroke& stroke) {
    const std::optional<Dialog> owner = ui.dialogs.keyboard_owner();
    if (!owner && ui.dialogs.topmost() && stroke.key == Key::enter && !stroke.modifiers.alt) return false;
    if (owner == Dialog::palette && action.dialog == owner) return false;
    return !owner || action.id == "window.escape" || (action.dialog == owner && !stroke.typed);
}

}  // namespace

bool has_document(const Scene& scene) { return scene.document() && scene.document()->image; }

Action in_palette(Menu menu, std::string id, std::string title, OnState<void, AppState> run) {
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
            if (shortcut.matches(stroke) && may_act(action, state.ui, stroke)) {
                known = true;
                if (!action.is_enabled(state)) continue;
                if (!stroke.repeated || action.repeats) action.perform(state, stroke.repeated);
                return true;
            }
    return known;
}

namespace {

bool begins_word(std::string_view text, size_t at) {
    return at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]));
}

// What has the letters as they were typed comes before what has them somewhere; then commands before lessons.
int rank(const Action& action, std::string_view letters) {
    const bool as_typed = contains_ignoring_case(action.title, letters) || contains_ignoring_case(action.id, letters) ||
                          contains_ignoring_case(action.also, letters);
    const bool lesson = action.id.starts_with("lesson.");
    return (as_typed ? 0 : 2) + (lesson ? 1 : 0);
}

}  // namespace

std::optional<int> match_score(std::string_view letters, std::string_view title) {
    // Trying every alignment would be exponential; a greedy match that prefers word starts is good enough.
    int score = 0;
    size_t at = 0, last = std::string_view::npos;
    for (const char letter : letters) {
        if (letter == ' ') continue;
        size_t found = std::string_view::npos;
        if (last != std::string_view::npos && last + 1 < title.size() &&
            lower_case(title[last + 1]) == lower_case(letter))
            found = last + 1;
        for (size_t i = at; found == std::string_view::npos && i < title.size(); ++i)
            if (lower_case(title[i]) == lower_case(letter) && begins_word(title, i)) found = i;
        for (size_t i = at; found == std::string_view::npos && i < title.size(); ++i)
            if (lower_case(title[i]) == lower_case(letter)) found = i;
        if (found == std::string_view::npos) return {};
        score += begins_word(title, found) ? 8 : 1;
        if (last != std::string_view::npos && found == last + 1) score += 4;
        last = found;
        at = found + 1;
    }
    return score * 64 - int(std::min<size_t>(title.size(), 63));  // on a tie, the shorter title
}

bool awaits_picture(const Scene& scene) {
    const Document* document = scene.document();
    return document && !document->image && !document->unreadable;
}

std::vector<const Action*> matching_actions(const AppState& state, std::string_view letters) {
    struct Found {
        int rank, score;
        const Action* action;
    };
    std::vector<Found> found;
    for (const Action& action : all_actions()) {
        if (action.id == "window.palette" || !(action.is_enabled(state) || awaits_picture(state.scene))) continue;
        // The methods are also found under the name of their menu: "method lan".
        std::optional<int> best = match_score(letters, action.title);
        for (const std::string* other : {&action.id, &action.also})
            if (const auto score = match_score(letters, *other)) best = std::max(best.value_or(-1 << 20), *score - 256);
        if (best) found.push_back({rank(action, letters), *best, &action});
    }
    // Lessons, whose keys come first in the table, are what one opens the palette for least.
    if (letters.empty())
        std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
            const auto place = [](const Action& action) {
                return std::pair(action.id.starts_with("lesson."), action.menu);
            };
            return place(*a.action) < place(*b.action);
        });
    else
        std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
            return a.rank < b.rank || (a.rank == b.rank && a.score > b.score);
        });
    std::vector<const Action*> actions;
    for (const Found& one : found) actions.push_back(one.action);
    return actions;
}

}  // namespace texelscope
