// Going through a lesson, and the positions in its steps.

#include <gtest/gtest.h>

#include "app/state/panes.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/picture_input.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/lessons/lesson.h"

namespace texelscope::test {
namespace {

// Going through a lesson: which step's state is shown, what counts as playing, and the way back.

std::shared_ptr<const Lesson> three_steps() {
    return std::make_shared<const Lesson>(parse_lesson(
        "# T\n\nS.\n\n## One\n\nText.\n\n```state\n{\"image\": \"@step:8\", \"panes\": [{\"spec\": "
        "\"nearest\"}]}\n```\n\n"
        "## Two\n\nText.\n\n? Q?\n\n! A.\n\n"
        "## Three\n\nText.\n\n```state\n{\"image\": \"@step:8\", \"panes\": [{\"spec\": \"bilinear\"}], "
        "\"interface\": {\"plot\": \"curves\"}}\n```\n\n```source\ngpu/methods/bilinear.cpp: weights\n```\n",
        "t.md", {}));
}

AppState state_before() {
    AppState state;
    state.scene.panes = {{parse_spec("lanczos3")}};
    Document document;
    document.source = "@constant:8";
    document.image = std::make_shared<const Image>(8, 8, 1, SampleType::u8);
    state.scene.documents = {document};
    state.scene.current = 0;
    state.places.picture = {0, 0, 100, 100};
    return state;
}

// As the program does it between two frames; all images are 8×8.
void go_to(AppState& state, int step) {
    const ViewBefore before = view_before(state);
    if (!enter_step(state, step)) return;
    for (Document& document : state.scene.documents)
        if (!document.image) document.image = std::make_shared<const Image>(8, 8, 1, SampleType::u8);
    note_shown(state, before);
}

std::string method_of(const AppState& state) { return std::string(state.scene.spec().method->id); }

std::shared_ptr<const Lesson> lesson_of(const std::string& steps) {
    return std::make_shared<const Lesson>(parse_lesson("# T\n\nS.\n\n" + steps, "t.md", {}));
}

// The task that a slider or an answer leaves is carried out as go_to() does it.
void carry_out(AppState& state) {
    for (const Task& task : std::exchange(state.tasks, {})) {
        const auto* step = std::get_if<task::ShowStep>(&task);
        if (!step) continue;
        const ViewBefore before = view_before(state);
        if (!enter_step(state, step->step, step->again)) continue;
        for (Document& document : state.scene.documents)
            if (!document.image) document.image = std::make_shared<const Image>(8, 8, 1, SampleType::u8);
        note_shown(state, before);
    }
}

const std::string with_slider =
    "## One\n\nc is {c}.\n\n```sliders\nc = 0.25 from 0 to 1, kept\n```\n\n```state\n{\"image\": \"@step:8\", \"panes\": "
    "[{\"spec\": \"bc:b=0,c={c}\"}]}\n```\n\n";

double parameter_c(const AppState& state) { return state.scene.spec().parameters.value[1]; }

TEST(LessonPlayer, ASliderSetsWhatTheStepShowsAndItsText) {
    AppState state = state_before();
    begin_lesson(state, lesson_of(with_slider + with_slider));
    go_to(state, 0);
    EXPECT_EQ(parameter_c(state), 0.25);
    set_view(state, {1, 2, 0.125, 0}, false);  // the reader looks closer
    const View looked = state.scene.document()->view;
    state.lesson.sliders = {0.75};
    state.tasks.push_back(task::ShowStep{0, true});
    carry_out(state);
    EXPECT_EQ(parameter_c(state), 0.75);
    EXPECT_EQ(state.scene.document()->view, looked);
    EXPECT_EQ(plain_text(with_live_texts(current_step(state.lesson)->text, state)), "c is 0.75.");
    go_to(state, 1);  // whose slider keeps its value
    EXPECT_EQ(state.lesson.sliders, (std::vector<double>{0.75}));
    EXPECT_EQ(parameter_c(state), 0.75);
}

// Nothing else has to be changed for it, and a slider that keeps its value from step to step returns as well.
TEST(LessonPlayer, AMovedSliderIsAWayFromTheStepAndBack) {
    AppState state = state_before();
    begin_lesson(state, lesson_of(with_slider + with_slider));
    for (const int step : {0, 1}) {
        go_to(state, step);
        EXPECT_FALSE(has_left_step(state)) << step;
        const double first = parameter_c(state);
        state.lesson.sliders = {0.75};
        state.tasks.push_back(task::ShowStep{step, true});
        carry_out(state);
        EXPECT_EQ(parameter_c(state), 0.75) << step;
        EXPECT_TRUE(has_left_step(state)) << step;
        EXPECT_TRUE(find_action("learn.return")->is_enabled(state)) << step;
        find_action("learn.return")->perform(state);
        carry_out(state);
        EXPECT_EQ(state.lesson.sliders, (std::vector<double>{first})) << step;
        EXPECT_EQ(parameter_c(state), first) << step;
        EXPECT_FALSE(has_left_step(state)) << step;
    }
}

TEST(LessonPlayer, ChoicesAreCheckedAndCounted) {
    AppState state = state_before();
    begin_lesson(state,
                 lesson_of("## One\n\nText.\n\n? Q?\n\n- [ ] no | for this reason\n- [x] yes\n\n! A.\n\n```state\n"
                           "{\"image\": \"@step:8\", \"panes\": [{\"spec\": \"lanczos3\"}]}\n```\n"));
    go_to(state, 0);
    choose_reply(state, 0);
    EXPECT_FALSE(state.lesson.answer);
    EXPECT_EQ(state.ui.answered.at("t#1"), -1);
    choose_reply(state, 1);
    EXPECT_TRUE(state.lesson.answer);
    EXPECT_EQ(state.ui.answered.at("t#1"), 2) << "right at the second try";
    carry_out(state);
    EXPECT_EQ(method_of(state), "lanczos3") << "the state of the answer";
    choose_reply(state, 0);
    EXPECT_EQ(state.ui.answered.at("t#1"), 2) << "later replies do not count";
}

TEST(LessonPlayer, TypedNumbersAreCheckedWithinTheirTolerance) {
    AppState state = state_before();
    begin_lesson(state, lesson_of("## One\n\nText.\n\n? Q?\n\n= -7.4 ± 0.1 %\n= -14.8 | Twice.\n\n! A.\n"));
    go_to(state, 0);
    type_reply(state, "seven");
    EXPECT_FALSE(state.lesson.replied) << "no number is no reply";
    EXPECT_TRUE(state.ui.answered.empty());
    type_reply(state, "−14,75");
    EXPECT_EQ(state.lesson.chosen, 1) << "a likely mistake has its hint";
    EXPECT_FALSE(state.lesson.answer);
    type_reply(state, "-37/0");
    EXPECT_FALSE(state.lesson.replied);
    type_reply(state, "9/3");
    EXPECT_EQ(state.lesson.chosen, -1);
    type_reply(state, "−37/5 %");  // −7.4
    EXPECT_TRUE(state.lesson.answer);
    EXPECT_EQ(state.ui.answered.at("t#1"), 3);
}

// A plot that another step has opened does not hide the source of one that says nothing of plots.
TEST(LessonPlayer, TheSourceOfAStepWithoutAStateOpens) {
    AppState state = state_before();
    begin_lesson(state, std::make_shared<const Lesson>(parse_lesson(
                            "# T\n\nS.\n\n## One\n\nText.\n\n```state\n{\"image\": \"@step:8\", \"panes\": [{\"spec\": "
                            "\"nearest\"}], \"interface\": {\"plot\": \"profile\"}}\n```\n\n"
                            "## Two\n\nText.\n\n```source\ngpu/methods/bilinear.cpp: weights\n```\n",
                            "t.md", {})));
    go_to(state, 0);
    EXPECT_EQ(state.ui.dock, Dock::profile);
    go_to(state, 1);
    EXPECT_EQ(state.ui.dock, Dock::source);
    go_to(state, 0);
    EXPECT_EQ(state.ui.dock, Dock::profile);
}

TEST(LessonPlayer, StepsSetTheState) {
    AppState state = state_before();
    begin_lesson(state, three_steps());
    go_to(state, 0);
    EXPECT_EQ(method_of(state), "nearest");
    EXPECT_EQ(state.scene.document()->source, "@step:8");
    EXPECT_FALSE(has_previous_step(state.lesson));
    EXPECT_TRUE(has_next_step(state.lesson));
    go_to(state, 2);
    EXPECT_EQ(method_of(state), "bilinear");
    EXPECT_EQ(state.ui.dock, Dock::curves);  // the state's plot comes before the source
    EXPECT_FALSE(has_next_step(state.lesson));
    go_to(state, 77);
    EXPECT_EQ(state.lesson.step, 2);
}

TEST(LessonPlayer, AStepWithoutAStateKeepsWhatIsShownOrShowsTheNearestBefore) {
    AppState state = state_before();
    begin_lesson(state, three_steps());
    go_to(state, 0);
    state.scene.spec() = parse_spec("mitchell");
    go_to(state, 1);  // by Next
    EXPECT_EQ(method_of(state), "mitchell");
    go_to(state, 2);
    go_to(state, 1);  // by Back
    EXPECT_EQ(method_of(state), "nearest");
    EXPECT_EQ(state.ui.dock, Dock::none);
    const auto lesson = three_steps();
    EXPECT_EQ(step_to_show(*lesson, 1, -1), 0);
    EXPECT_EQ(step_to_show(*lesson, 1, 0), -1);
    EXPECT_EQ(step_to_show(*lesson, 2, 1), 2);
}

TEST(LessonPlayer, OnlyChangesByTheReaderLeaveTheStep) {
    AppState state = state_before();
    begin_lesson(state, three_steps());
    EXPECT_FALSE(has_left_step(state));
    go_to(state, 0);
    EXPECT_FALSE(has_left_step(state));
    state.scene.wipe.at = 0.9;               // follows the mouse
    state.scene.document()->view.scale = 3;  // follows the window, as long as it is fitted
    EXPECT_FALSE(has_left_step(state));
    for (const auto& play : std::vector<void (*)(AppState&)>{
             [](AppState& s) { s.scene.document()->keep_fit = false; },
             [](AppState& s) { s.scene.spec() = parse_spec("bspline"); }, [](AppState& s) { s.ui.loupe = true; },
             [](AppState& s) { s.ui.dock = Dock::histogram; },
             [](AppState& s) { s.scene.panes.push_back(s.scene.panes[0]); }}) {
        play(state);
        EXPECT_TRUE(has_left_step(state));
        go_to(state, 0);
        EXPECT_FALSE(has_left_step(state));
        EXPECT_EQ(method_of(state), "nearest");
        EXPECT_EQ(state.scene.panes.size(), 1u);
        EXPECT_FALSE(state.ui.loupe);
    }
}

TEST(LessonPlayer, TheViewGlidesWhereTheImageStays) {
    AppState state = state_before();
    begin_lesson(state, three_steps());
    go_to(state, 0);
    EXPECT_FALSE(state.transition);  // another image
    state.scene.document()->view = {1, 2, 0.5, 10};
    go_to(state, 2);
    ASSERT_TRUE(state.transition);
    EXPECT_EQ(state.transition->from, (View{1, 2, 0.5, 10}));
    state.ui.animate = false;
    go_to(state, 0);
    EXPECT_FALSE(state.transition);
}

TEST(LessonPlayer, LeavingBringsBackWhatWasThere) {
    AppState state = state_before();
    begin_lesson(state, three_steps());
    go_to(state, 0);
    begin_lesson(state, three_steps());  // another lesson: the state before the first counts
    go_to(state, 2);
    EXPECT_TRUE(leave_lesson(state));
    EXPECT_EQ(method_of(state), "lanczos3");
    EXPECT_EQ(state.scene.document()->source, "@constant:8");
    EXPECT_EQ(state.ui.dock, Dock::none);
    EXPECT_EQ(current_step(state.lesson), nullptr);
    EXPECT_FALSE(leave_lesson(state));
}

TEST(LessonPlayer, KeysAskForSteps) {
    AppState state = state_before();
    const auto press = [&](Key key, char32_t character, bool alt) {
        state.tasks.clear();
        run_shortcut(state, {key, character, {.shift = false, .ctrl = false, .alt = alt}, false, false});
        const auto* step = state.tasks.empty() ? nullptr : std::get_if<task::ShowStep>(&state.tasks[0]);
        return step ? step->step : -1;
    };
    EXPECT_EQ(press(Key::none, U'n', false), -1);  // no lesson
    begin_lesson(state, three_steps());
    go_to(state, 1);
    EXPECT_EQ(press(Key::none, U'n', false), 2);
    EXPECT_EQ(press(Key::right, 0, true), 2);
    EXPECT_EQ(press(Key::none, U'b', false), 0);
    EXPECT_EQ(press(Key::left, 0, true), 0);
    press(Key::none, U'q', false);
    EXPECT_TRUE(state.lesson.answer);
    go_to(state, 2);
    EXPECT_FALSE(state.lesson.answer);
    EXPECT_EQ(press(Key::none, U'n', false), -1);  // the last step of a lesson that has no successor
}

TEST(LessonPlayer, SourcesOpenTheirTab) {
    auto lesson = *three_steps();
    lesson.steps[2].state = {};
    AppState state = state_before();
    begin_lesson(state, std::make_shared<const Lesson>(lesson));
    go_to(state, 1);
    go_to(state, 2);
    EXPECT_EQ(state.ui.dock, Dock::source);
    EXPECT_FALSE(has_left_step(state));
    go_to(state, 1);
    EXPECT_EQ(state.ui.dock, Dock::none);
}

TEST(KeyHint, ShowsKeysAndWheelForAMoment) {
    AppState state = state_before();
    const auto stroke = [](Key key, char32_t c, bool ctrl, bool typed) {
        return KeyStroke{key, c, {.shift = false, .ctrl = ctrl, .alt = false}, typed, false};
    };
    EXPECT_LT(key_hint_left(state.presenter, state.now), 0);
    note_input(state.presenter, state.now, stroke(Key::none, U'g', true, false));
    EXPECT_EQ(state.presenter.key.text, "Ctrl+G");
    EXPECT_GT(key_hint_left(state.presenter, state.now), 0);
    note_input(state.presenter, state.now, stroke(Key::none, U'3', false, false));
    note_input(state.presenter, state.now, stroke(Key::none, U'3', false, true));  // the same key as it is typed
    EXPECT_EQ(state.presenter.key.text, "3");
    EXPECT_EQ(state.presenter.key.count, 1);
    note_input(state.presenter, state.now, stroke(Key::none, U'+', false, true));
    EXPECT_EQ(state.presenter.key.text, "+");
    note_input(state.presenter, state.now, stroke(Key::none, 0, true, false));  // only a modifier
    EXPECT_EQ(state.presenter.key.text, "+");
    for (int i = 0; i < 3; ++i) note_input(state.presenter, state.now, WheelTurned{-1, 0, 0, {}});
    EXPECT_EQ(state.presenter.key.text, "wheel ↓");
    EXPECT_EQ(state.presenter.key.count, 3);
    state.now += 5;
    EXPECT_LT(key_hint_left(state.presenter, state.now), 0);
    note_input(state.presenter, state.now, WheelTurned{-1, 0, 0, {}});
    EXPECT_EQ(state.presenter.key.count, 1);
    note_input(state.presenter, state.now, MousePressed{MouseButton::left, 0, 0, {}});
    EXPECT_TRUE(state.presenter.pressed);
    note_input(state.presenter, state.now, MouseReleased{MouseButton::left, 0, 0});
    EXPECT_FALSE(state.presenter.pressed);
}

// Positions in steps, whatever the window's size: regions kept in view, and a cursor that is not the mouse.

AppState state_of(int width, int height) {
    AppState state;
    state.scene.panes = {{parse_spec("bilinear")}};
    Document document;
    document.source = "@step:64x48";
    document.image = std::make_shared<const Image>(64, 48, 1, SampleType::u8);
    state.scene.documents = {document};
    state.scene.current = 0;
    state.places.picture = {10, 20, width, height};
    state.ui.animate = false;
    return state;
}

TEST(KeptRegion, FillsAnyPictureFromItsMiddle) {
    for (const auto& [width, height] : {std::pair{400, 300}, std::pair{1000, 200}, std::pair{150, 900}})
        for (const double rotate : {0.0, 90.0}) {
            AppState state = state_of(width, height);
            state.scene.document()->region = Region{10, 5, 30, 20};
            state.scene.document()->view.rotate = rotate;
            update_views(state);
            const Affine affine = shown_affine(state);
            const Point middle = apply(affine, (width - 1) / 2.0, (height - 1) / 2.0);
            EXPECT_NEAR(middle.x, 20, 1e-9);
            EXPECT_NEAR(middle.y, 12.5, 1e-9);
            const double across = rotate == 0 ? 20 : 15, down = rotate == 0 ? 15 : 20;
            EXPECT_NEAR(state.scene.document()->view.scale, std::max(across / width, down / height), 1e-12);
        }
}

TEST(KeptRegion, StaysWhileTurnedAndGoesWhenMovedOrFitted) {
    AppState state = state_of(400, 300);
    const Region region{10, 5, 30, 20};
    state.scene.document()->region = region;
    update_views(state);
    rotate_by(state, 10);
    EXPECT_TRUE(state.scene.document()->keep_fit);
    EXPECT_EQ(state.scene.document()->region, region);
    pan_by(state, 5, 0, false);
    const View moved = state.scene.document()->view;
    update_views(state);
    EXPECT_EQ(state.scene.document()->view, moved);
    keep_fit(state, true);
    EXPECT_FALSE(state.scene.document()->region);
}

TEST(HeldCursor, IsThePointerUntilTheMouseMovesOverThePicture) {
    AppState state = state_of(101, 101);
    state.scene.document()->keep_fit = false;
    state.scene.document()->view = {0, 0, 0.5, 0};
    state.ui.cursor = Point{31.5 + 10, 23.5 - 5};  // from the middle: 20 pixels right, 10 up
    PictureInput input({[](double, double) { return false; }, [] { return false; }, [] { return false; }, {}});
    input.follow(state);
    EXPECT_TRUE(state.pointer.inside);
    EXPECT_EQ(state.pointer.x, 70);
    EXPECT_EQ(state.pointer.y, 40);
    input.handle(state, MouseMoved{300, 5});  // beside the picture
    input.follow(state);
    EXPECT_TRUE(state.ui.cursor);
    EXPECT_EQ(state.pointer.x, 70);
    input.handle(state, MouseMoved{10 + 33, 20 + 44});
    input.follow(state);
    EXPECT_FALSE(state.ui.cursor);
    EXPECT_EQ(state.pointer.x, 33);
    EXPECT_EQ(state.pointer.y, 44);
    state.ui.cursor = Point{1000, 0};  // out of view: the mouse counts
    input.follow(state);
    EXPECT_EQ(state.pointer.x, 33);
}

}  // namespace
}  // namespace texelscope::test
