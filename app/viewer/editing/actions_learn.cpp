// Actions of the Learn menu: lessons, presenting, recording.

#include <fmt/format.h>

#include "app/state/session/session.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/lessons/lesson.h"

namespace texelscope {
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
    const auto run = [](LessonState& lesson) {
        lesson.list = !lesson.list;
        lesson.controls = false;
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
               [](LessonState& lesson) { lesson.answer = !lesson.answer; }}
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
            "Record the window as a 30 fps video into the current folder; without ffmpeg, as numbered pictures, after "
            "asking. Press again to stop.",
            [](Tasks& tasks) { tasks.push_back(task::ToggleRecording{}); }}
            .keys({"Ctrl+Shift+R"})
            .ticked_if([](const AppState& s) { return s.report.recording.active; }),
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
