#include "app/viewer/editing/actions.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "app/state/history.h"
#include "app/state/session/session.h"
#include "app/text/text.h"
#include "app/viewer/lessons/lesson.h"
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
    if (adapt_actions) adapt_actions(table);
    return table;
}

// The topmost dialog owns the keyboard. What a stroke types belongs to its field, and so does the palette's own key. A
// tool window has no more than Enter, Tab and, as all do, Esc.
bool may_act(const Action& action, const UiState& ui, const KeyStroke& stroke) {
    const std::optional<Dialog> owner = ui.dialogs.keyboard_owner();
    if (!owner && ui.dialogs.topmost() && stroke.key == Key::enter && !stroke.modifiers.alt) return false;
    if (ui.dialogs.topmost() && stroke.key == Key::tab) return false;
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

// Actions of the Learn menu: lessons, presenting, recording.

namespace {

bool has_question(const LessonState& lesson) { return current_step(lesson) && !current_step(lesson)->question.empty(); }

// After a lesson's last step comes the next lesson.
void go_on(AppState& state) {
    if (has_next_step(state.lesson)) ask_for_step(state.lesson, state.tasks, state.lesson.step + 1);
    else if (const Lesson* next = next_lesson(state.lesson)) state.tasks.push_back(task::OpenLesson{next->name});
}

// Images are named relative to the open lesson, or else to the folder that the program was started in.
void copy_step(AppState& state) {
    const auto& lesson = state.lesson.lesson;
    std::error_code none;
    const bool own = lesson && !lesson->path.empty();
    const std::filesystem::path folder = own ? lesson->path.parent_path() : std::filesystem::current_path(none);
    state.tasks.push_back(
        task::CopyText{"```state\n" + step_to_json(session_of(state.scene, state.ui), folder) + "```\n",
                       fmt::format("a state block for a lesson in {}; paste it below a step's text", folder.string())});
}

Action open_action(const Lesson& lesson) {
    const std::string name = lesson.name;
    const auto run = [name](Tasks& tasks) { tasks.push_back(task::OpenLesson{name}); };
    return Action{"lesson." + name, lesson.title, Menu::learn, 1, plain_text(lesson.summary), run}.ticked_if(
        [name](const LessonState& open) { return open.lesson && open.lesson->name == name; });
}

Action list_action() {
    const auto run = [](AppState& state) {
        state.lesson.list = !state.lesson.list;
        state.lesson.controls = false;
        state.ui.panel_over = state.lesson.list;  // without space beside the picture
    };
    return Action{"learn.lessons",
                  "All lessons",
                  Menu::learn,
                  0,
                  "Show the list of lessons with their summaries, at the left.",
                  run}
        .ticked_if([](const LessonState& lesson) { return lesson.list; });
}

std::vector<Action> step_actions() {
    return {
        Action{"learn.next", "Next step", Menu::learn, 2,
               "Continue with the next step, or after the last one with the next lesson.", go_on}
            .keys({"N", "Alt+Right", "PgDn"})  // PgDn and PgUp: what presenters in the hand send
            .only_if([](const LessonState& lesson) { return has_next_step(lesson) || next_lesson(lesson); }),
        Action{"learn.back", "Previous step", Menu::learn, 2, "Go back to the previous step.",
               [](AppState& s) { ask_for_step(s.lesson, s.tasks, s.lesson.step - 1); }}
            .keys({"B", "Alt+Left", "PgUp"})
            .only_if(has_previous_step),
        Action{"learn.answer", "Show the answer", Menu::learn, 2, "Show or hide the answer to the step's question.",
               toggle_answer}
            .keys({"Q"})
            .only_if(has_question)
            .ticked_if([](const LessonState& lesson) { return lesson.answer; }),
        Action{"learn.return", "Return to the step", Menu::learn, 2, "Restore the step's original state.",
               [](AppState& s) { ask_for_step(s.lesson, s.tasks, s.lesson.step); }}
            .keys({"Backspace"})
            .only_if(has_left_step),
        Action{"learn.controls", "Controls beside the lesson", Menu::learn, 2,
               "Switch between the lesson's text and the controls, to experiment.",
               [](LessonState& lesson) { lesson.controls = !lesson.controls; }}
            .keys({"V"})
            .only_if([](const LessonState& lesson) { return current_step(lesson) != nullptr; })
            .ticked_if([](const LessonState& lesson) { return lesson.controls; }),
        Action{"learn.results", "Copy results", Menu::learn, 2,
               "Copy which questions of the lessons you have answered, and after how many replies, as a table.",
               [](AppState& s) {
                   s.tasks.push_back(task::CopyText{results_text(s.ui), "the results as a table"});
               }}
            .only_if([](const AppState& s) { return !results_text(s.ui).empty(); }),
        Action{"learn.leave", "Leave the lesson", Menu::learn, 2, "Close the lesson and restore what was shown before.",
               [](Tasks& tasks) { tasks.push_back(task::LeaveLesson{}); }}
            .only_if([](const LessonState& lesson) { return current_step(lesson) != nullptr; }),
    };
}

std::vector<Action> presenting_actions() {
    return {
        Action{
            "learn.presenter", "Presenter mode", Menu::learn, 3,
            "Large type, no panels, a halo round the cursor, keys shown; the lesson's text below the picture. Esc leaves "
            "it.",
            [](AppState& s) { s.presenter.on = !s.presenter.on; }}
            .keys({"F10"})
            .ticked_if([](const AppState& s) { return s.presenter.on; }),
        Action{
            "learn.record", "Record", Menu::learn, 3,
            "Record the window as a 30 fps video into the folder of the current file; without ffmpeg, as numbered pictures, "
            "after asking. Press again to stop.",
            [](Tasks& tasks) { tasks.push_back(task::ToggleRecording{}); }}
            .keys({"Ctrl+Shift+R"})
            .ticked_if([](const AppState& s) { return s.report.recording.active && !s.report.recording.stopped; }),
        Action{
            "learn.copy-step", "Copy as lesson step", Menu::learn, 4,
            "Copy the current state as a state block for a lesson (docs/lessons.md). Images in or below the open lesson's "
            "folder, or else the folder of the program's start, are named relative to it.",
            copy_step}
            .only_if(has_document),
    };
}

}  // namespace

std::vector<Action> learn_actions() {
    std::vector<Action> result = {list_action()};
    for (const Lesson& lesson : all_lessons()) result.push_back(open_action(lesson));
    for (auto group : {step_actions(), presenting_actions()}) result.insert(result.end(), group.begin(), group.end());
    return result;
}

// Actions on experiments.

std::vector<Action> experiment_actions() {
    return {
        Action{
            "learn.experiments", "Experiments…", Menu::learn, 1,
            "Published experiments, reproduced on this machine: repeated rotation, convergence, costs, with plots and a "
            "report.",
            [](UiState& ui) { ui.dialogs.toggle(Dialog::experiments); }}
            .opening(Dialog::experiments)
            .ticked_if([](const UiState& ui) { return ui.dialogs.has(Dialog::experiments); }),
        Action{"learn.cancel-experiment", "Cancel the experiment", Menu::learn, -1, "Stop the running experiment.",
               [](Tasks& tasks) { tasks.push_back(task::CancelBackground{}); }}
            .only_if([](const AppState& s) { return s.report.background.dialog == Dialog::experiments; }),
    };
}

}  // namespace texelscope
