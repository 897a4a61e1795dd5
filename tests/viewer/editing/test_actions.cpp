// The table of actions and their shortcuts.

#include <map>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "app/state/panes.h"
#include "app/text/text.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/lessons/lesson.h"
#include "tests/viewer/editing/panes_under_test.h"

namespace texelscope::test {
namespace {

AppState state_with_panes() {
    AppState state;
    const MethodSpec a = default_spec(*find_method("bspline"));
    MethodSpec b = default_spec(*find_method("nearest"));
    state.scene.panes = {{a}, {b}};
    return state;
}

AppState acting_state() {
    AppState state = state_with_panes();
    Document document;
    document.source = "@constant";
    document.image = std::make_shared<const Image>(64, 64, 1, SampleType::u8);
    state.scene.documents.push_back(document);
    state.scene.current = 0;
    state.places.picture = {0, 0, 128, 128};
    state.ui.animate = false;
    return state;
}

KeyStroke typed(char32_t c) { return {Key::none, c, {}, true, false}; }
KeyStroke pressed(char32_t c, Modifiers modifiers = {}) { return {Key::none, c, modifiers, false, false}; }

TEST(Actions, ChooseTheUnitOfAllValues) {
    AppState state;
    EXPECT_EQ(state.ui.value_unit, ValueUnit::code);
    for (const ValueUnit unit : all_value_units) {
        const Action& action = *find_action("inspect.values-" + std::string(name_of(unit)));
        EXPECT_EQ(action.is_checked(state), unit == ValueUnit::code) << "as stored is the default";
        action.run(state);
        EXPECT_EQ(state.ui.value_unit, unit);
        EXPECT_TRUE(action.is_checked(state));
        state.ui.value_unit = ValueUnit::code;
    }
}

// What walks through the folder is a step of the open lesson, which comes first and never is open beside walking.
bool is_lesson_step(const Action& action) { return action.id == "learn.next" || action.id == "learn.back"; }

TEST(Actions, NoShortcutStandsForTwo) {
    std::map<std::string, std::string> taken;
    for (const Action& action : all_actions())
        for (const Shortcut& shortcut : action.shortcuts) {
            if (is_lesson_step(action) && shortcut.key != Key::none) continue;
            const auto [at, fresh] = taken.emplace(to_string(shortcut), action.id);
            EXPECT_TRUE(fresh) << to_string(shortcut) << ": " << at->second << " and " << action.id;
        }
}

TEST(Actions, EachHasAnIdATitleAndSomethingToDo) {
    std::set<std::string> ids;
    for (const Action& action : all_actions()) {
        EXPECT_TRUE(ids.insert(action.id).second) << action.id;
        EXPECT_FALSE(action.title.empty()) << action.id;
        EXPECT_TRUE(bool(action.run)) << action.id;
        if (action.group >= 0) {
            EXPECT_FALSE(action.tooltip.empty()) << action.id;
        }
    }
}

TEST(Actions, KeysOfTheConventionsAreThere) {
    std::set<std::string> keys;
    for (const Action& action : all_actions())
        for (const Shortcut& shortcut : action.shortcuts) keys.insert(to_string(shortcut));
    for (const char* key : {"+",          "-",
                            "F",          "Shift+F",
                            "R",          "Ctrl+0",
                            "Ctrl+1",     "[",
                            "]",          "\\",
                            "1",          "4",
                            "P",          "A",
                            "K",          "Left",
                            "Shift+Left", "PgUp",
                            "PgDn",       "Space",
                            "S",          "Z",
                            "D",          "Tab",
                            "F11",        "Alt+Enter",
                            "Esc",        "Ctrl+Q",
                            "Ctrl+O",     "F5",
                            "Ctrl+W",     "Ctrl+S",
                            "Ctrl+C",     "Ctrl+V",
                            "F1",         "?",
                            "M",          "L",
                            "W",          "G",
                            "Ctrl+G",     "Ctrl+P",
                            "C",          "Ctrl+Shift+P",
                            "Ctrl+Z",     "Ctrl+Shift+Z",
                            "I",          "T",
                            "H",          "Home",
                            "End",        "Alt+Left",
                            "Alt+Right",  "Shift+Delete"})
        EXPECT_TRUE(keys.contains(key)) << key;
}

TEST(Actions, EscNeverQuits) {
    AppState state = acting_state();
    ASSERT_TRUE(run_shortcut(state, {Key::escape, 0, {}, false, false}));
    for (const Task& task : state.tasks) EXPECT_FALSE(std::holds_alternative<task::Quit>(task));
}

TEST(Actions, EveryEnabledActionRunsWithAndWithoutAnImage) {
    for (const Action& action : all_actions())
        for (AppState state : {state_with_panes(), acting_state()})
            if (action.is_enabled(state)) {
                EXPECT_NO_THROW(action.run(state)) << action.id;
                EXPECT_NO_THROW(action.is_checked(state)) << action.id;
            }
}

TEST(Actions, RepeatsOnlyWhereMeant) {
    AppState state = acting_state();
    KeyStroke space{Key::space, 0, {}, false, false};
    run_shortcut(state, space);
    EXPECT_EQ(state.scene.active, 1);
    space.repeated = true;
    run_shortcut(state, space);
    EXPECT_EQ(state.scene.active, 1);
}

TEST(Actions, MethodKeys) {
    AppState state = acting_state();
    run_shortcut(state, typed(U'2'));
    EXPECT_EQ(state.scene.spec().method->id, "bilinear");
    run_shortcut(state, pressed(U'p'));
    EXPECT_EQ(state.scene.spec().path, FetchPath::global);
    run_shortcut(state, pressed(U'a'));
    EXPECT_EQ(state.scene.spec().address, (AddressPair{AddressMode::border, AddressMode::border}));
    EXPECT_EQ(state.scene.outside, Outside::extend);
    EXPECT_EQ(state.scene.panes[1].spec.address, state.scene.panes[0].spec.address);
}

TEST(Shortcuts, ReadBackAsWritten) {
    for (const char* text :
         {"Ctrl+Shift+P", "F11", "[", "+", "-", "Shift+Left", "Alt+Enter", "?", "A", "9", "\\", "Space", "PgDn"})
        EXPECT_EQ(to_string(parse_shortcut(text)), text);
    for (const char* text : {"", "Ctrl+", "Hyper+X", "F13", "ab"})
        EXPECT_THROW(parse_shortcut(text), std::invalid_argument) << text;
}

TEST(Shortcuts, SymbolsCountAsTypedLettersAsKeys) {
    EXPECT_TRUE(parse_shortcut("+").matches(typed(U'+')));
    EXPECT_FALSE(parse_shortcut("+").matches(pressed(U'+')));
    EXPECT_TRUE(parse_shortcut("F").matches(pressed(U'f')));
    EXPECT_FALSE(parse_shortcut("F").matches(typed(U'f')));
    EXPECT_FALSE(parse_shortcut("F").matches(pressed(U'f', {.shift = true, .ctrl = false, .alt = false})));
    EXPECT_TRUE(parse_shortcut("Shift+F").matches(pressed(U'f', {.shift = true, .ctrl = false, .alt = false})));
    EXPECT_TRUE(parse_shortcut("Ctrl+1").matches(pressed(U'1', {.shift = false, .ctrl = true, .alt = false})));
    EXPECT_FALSE(parse_shortcut("1").matches(pressed(U'1', {.shift = false, .ctrl = true, .alt = false})));
}

TEST(Menus, GroupsAreTogetherAndQuitIsLast) {
    for (const auto& [menu, title] : menus) {
        int group = -1;
        for (const Action* action : actions_of(menu)) {
            EXPECT_GE(action->group, group) << title << ": " << action->id;
            group = action->group;
        }
    }
    EXPECT_EQ(actions_of(Menu::file).back()->id, "file.quit");
}

// The palette has nothing but the title to tell actions by.
TEST(Actions, NoTwoHaveTheSameTitle) {
    std::map<std::string, std::string> taken;
    for (const Action& action : all_actions()) {
        const auto [at, fresh] = taken.emplace(action.title, action.id);
        EXPECT_TRUE(fresh) << action.title << ": " << at->second << " and " << action.id;
    }
}

}  // namespace

// The command palette's matching.

namespace {

AppState with_picture() {
    AppState state;
    state.scene.panes = {{default_spec(*find_method("bspline"))}, {default_spec(*find_method("nearest"))}};
    Document document;
    document.source = "@constant";
    document.image = std::make_shared<const Image>(8, 8, 1, SampleType::u8);
    state.scene.documents.push_back(document);
    state.scene.current = 0;
    return state;
}

std::string first(std::string_view letters) {
    const auto found = matching_actions(with_picture(), letters);
    return found.empty() ? "" : found.front()->id;
}

TEST(Palette, LettersMustOccurInTheirOrder) {
    EXPECT_TRUE(match_score("", "Lanczos 3"));
    EXPECT_TRUE(match_score("lz3", "Lanczos 3"));
    EXPECT_TRUE(match_score("LANCZOS 3", "Lanczos 3"));
    EXPECT_FALSE(match_score("3l", "Lanczos 3"));
    EXPECT_FALSE(match_score("lanczos 3x", "Lanczos 3"));
}

TEST(Palette, WholeWordsAndBeginningsOfWordsWin) {
    EXPECT_GT(*match_score("fit", "Fit"), *match_score("fit", "Keep fitting"));
    EXPECT_GT(*match_score("sv", "Save view…"), *match_score("sv", "As Views linked"));
    EXPECT_EQ(first("lanczos 3"), "method.lanczos3");
    EXPECT_EQ(first("quit"), "file.quit");
    EXPECT_EQ(first("three paths"), "preset.paths");
    EXPECT_EQ(first("loupe"), "compare.loupe");
}

TEST(Palette, WhatNeedsAPictureIsFoundWhileTheFirstOneIsRead) {
    AppState state = with_picture();
    state.scene.documents[0].image.reset();
    ASSERT_TRUE(awaits_picture(state.scene));
    ASSERT_FALSE(matching_actions(state, "which is best").empty());
    EXPECT_EQ(matching_actions(state, "which is best").front()->id, "compare.best");
    state.scene.documents[0].unreadable = true;
    EXPECT_FALSE(awaits_picture(state.scene));
    for (const Action* action : matching_actions(state, "which is best")) EXPECT_NE(action->id, "compare.best");
}

TEST(Palette, ActionsAreFoundByOtherWordsForThem) {
    for (const char* words : {"best", "restore", "choose a method", "recommend"})
        EXPECT_EQ(first(words), "compare.best") << words;
    for (const char* words : {"background", "checkerboard", "transparency", "transparent"})
        EXPECT_EQ(first(words), "display.checkerboard") << words;
    for (const char* words : {"export", "resize"}) EXPECT_EQ(first(words), "file.export") << words;
}

// Lessons have long titles with most letters in them.
TEST(Palette, CommandsComeBeforeLessons) {
    for (const char* letters : {"rot", "zoom", "pre", "edge"}) {
        bool lesson = false;
        int commands = 0;
        for (const Action* action : matching_actions(with_picture(), letters)) {
            lesson = lesson || action->id.starts_with("lesson.");
            const bool as_typed = contains_ignoring_case(action->title, letters);
            const bool command = as_typed && !action->id.starts_with("lesson.");
            EXPECT_FALSE(command && lesson) << letters << ": " << action->id;
            commands += command;
        }
        EXPECT_GT(commands, 0) << letters;
    }
    // By its title, a lesson is among the first: commands may have the same words.
    for (const Lesson& lesson : all_lessons()) {
        const auto found = matching_actions(with_picture(), lesson.title);
        const auto at = std::find_if(found.begin(), found.end(),
                                     [&](const Action* action) { return action->id == "lesson." + lesson.name; });
        EXPECT_LT(at - found.begin(), 3) << lesson.title;
    }
}

TEST(Palette, BeforeAnythingIsTypedTheLessonsComeLast) {
    const auto found = matching_actions(with_picture(), "");
    const auto is_lesson = [](const Action* action) { return action->id.starts_with("lesson."); };
    const auto first = std::find_if(found.begin(), found.end(), is_lesson);
    ASSERT_NE(first, found.end());
    EXPECT_TRUE(std::all_of(first, found.end(), is_lesson));
    EXPECT_EQ(found.front()->menu, Menu::file);
    EXPECT_TRUE(
        std::is_sorted(found.begin(), first, [](const Action* a, const Action* b) { return a->menu < b->menu; }));
}

TEST(Palette, OnlyWhatCanBeDone) {
    const AppState state = with_picture();
    for (const Action* action : matching_actions(state, "")) EXPECT_TRUE(action->is_enabled(state)) << action->id;
    EXPECT_TRUE(matching_actions(state, "qqqqqq").empty());
}

}  // namespace

// Numbers in the palette and in the status bar.

namespace {

TEST(TypedCommands, SayWhatTheyDoAndDoIt) {
    AppState state = with_panes(2);
    struct Case {
        const char *text, *title;
        double zoom, rotate;
    };
    for (const Case& each : {Case{"zoom 400", "Zoom to 400 % (4:1)", 4, 0},
                             {"ZOOM 50 %", "Zoom to 50 % (1:2)", 0.5, 0},
                             {"zoom 4x", "Zoom to 400 % (4:1)", 4, 0},
                             {"zoom x2.5", "Zoom to 250 % (2.5:1)", 2.5, 0},
                             {"zoom ×8", "Zoom to 800 % (8:1)", 8, 0},
                             {"zoom 1:2", "Zoom to 50 % (1:2)", 0.5, 0},
                             {"z 51200", "Zoom to 51200 % (512:1)", 512, 0},
                             {"rotate 15", "Rotate to 15°", 512, 15},
                             {"rot -7.5°", "Rotate to −7.5°", 512, -7.5},
                             {"rotate −9", "Rotate to −9°", 512, -9},
                             {" rotate  +360 ", "Rotate to 360°", 512, 0}}) {
        const auto command = typed_command(state, each.text);
        ASSERT_TRUE(command) << each.text;
        EXPECT_EQ(command->title, each.title);
        EXPECT_EQ(command->problem, "") << each.text;
        ASSERT_TRUE(command->run) << each.text;
        command->run(state);
        EXPECT_NEAR(pane_view(state, 0).zoom(), each.zoom, 1e-9) << each.text;
        EXPECT_NEAR(pane_view(state, 0).rotate, each.rotate, 1e-9) << each.text;
    }
}

TEST(TypedCommands, OneSentenceForWhatCannotBe) {
    const AppState state = with_panes(1);
    for (const auto& [text, problem] : std::map<std::string, std::string>{
             {"zoom 0", "The zoom can be from 1 % to 51200 %."},
             {"zoom -4", "The zoom can be from 1 % to 51200 %."},
             {"zoom 99999999", "The zoom can be from 1 % to 51200 %."},
             {"zoom 600x", "The zoom can be from 1 % to 51200 %."},
             {"zoom 4:0", "“4:0” is no zoom; type a percentage such as 400, or a factor such as 4x."},
             {"zoom 4 4", "“4 4” is no zoom; type a percentage such as 400, or a factor such as 4x."},
             {"rotate 361", "The rotation can be from −360° to 360°."},
             {"rotate 1e999", "“1e999” is no angle; type degrees, such as 15 or −7.5."}}) {
        const auto command = typed_command(state, text);
        ASSERT_TRUE(command) << text;
        EXPECT_EQ(command->problem, problem);
        EXPECT_FALSE(command->run) << text;
    }
}

TEST(TypedCommands, LeaveOtherTextToTheOtherCommands) {
    AppState state = with_panes(1);
    for (const char* text : {"", "zoom", "zoom in", "4", "lanczos 3", "zoomer 3", "100 %", "rotate"})
        EXPECT_FALSE(typed_command(state, text)) << text;
    state.scene.current = -1;
    EXPECT_FALSE(typed_command(state, "zoom 400")) << "without an image";
}

// They wait for the picture, as other commands do.
TEST(TypedCommands, AreKnownBeforeTheFirstPictureIsThere) {
    AppState state = with_panes(1);
    state.scene.documents[0].image.reset();
    const auto command = typed_command(state, "zoom 400");
    ASSERT_TRUE(command);
    EXPECT_EQ(command->title, "Zoom to 400 % (4:1)");
    state.scene.documents[0].unreadable = true;
    EXPECT_FALSE(typed_command(state, "zoom 400")) << "it never comes";
}

TEST(TypedCommands, ActOnTheActivePane) {
    AppState state = with_panes(2);
    state.scene.arrangement = Arrangement::columns;
    for (Pane& pane : state.scene.panes) pane.own_view = View{};
    state.scene.active = 1;
    state.pointer.inside = true;
    zoom_command("400").run(state);
    typed_command(state, "rotate 15")->run(state);
    EXPECT_EQ(pane_view(state, 0), View{});
    EXPECT_EQ(pane_view(state, 1), (View{0, 0, 0.25, 15}));
}

TEST(OnState, IsMadeOfFunctionsOfTheStateOrItsParts) {
    AppState state;
    OnState<void, AppState>([](AppState& all) { all.now = 7; })(state);
    OnState<void, AppState>([](Scene& scene) { scene.active = 3; })(state);
    OnState<void, AppState>([](UiState& ui) { ui.loupe = true; })(state);
    OnState<void, AppState>([](Scene& scene, UiState& ui) { ui.pane_menu.pane = scene.active; })(state);
    OnState<void, AppState>([](Tasks& tasks) { tasks.push_back(task::Quit{}); })(state);
    OnState<void, AppState>([](LessonState& lesson) { lesson.list = true; })(state);
    EXPECT_EQ(state.now, 7);
    EXPECT_EQ(state.scene.active, 3);
    EXPECT_EQ(state.ui.pane_menu.pane, 3);
    EXPECT_EQ(state.tasks.size(), 1u);
    EXPECT_TRUE(state.lesson.list);
    const OnState<bool, const AppState> loupe = [](const UiState& ui) { return ui.loupe; };
    EXPECT_TRUE(loupe(state));
    const OnState<bool, const AppState> three = [](const LessonState& lesson, const Scene& scene, const Tasks& tasks) {
        return lesson.list && scene.active == 3 && tasks.size() == 1;
    };
    EXPECT_TRUE(three(state));
}

TEST(OnState, StaysEmptyWhenCopied) {
    const OnState<bool, const AppState> none, copy = none;
    EXPECT_FALSE(copy);
}

}  // namespace
}  // namespace texelscope::test
