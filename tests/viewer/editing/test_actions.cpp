// The table of actions and their shortcuts.

#include <map>
#include <set>
#include <stdexcept>

#include <gtest/gtest.h>

#include "app/viewer/editing/actions.h"

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
    state.report.frame.picture = {0, 0, 128, 128};
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
    for (const char* key :
         {"+",      "-",      "F",  "Shift+F", "R",      "Ctrl+0",   "Ctrl+1",       "[",           "]",
          "\\",     "1",      "4",  "P",       "A",      "K",        "Left",         "Shift+Left",  "PgUp",
          "PgDn",   "Space",  "S",  "Z",       "D",      "Tab",      "F11",          "Alt+Enter",   "Esc",
          "Ctrl+Q", "Ctrl+O", "F5", "Ctrl+W",  "Ctrl+S", "Ctrl+C",   "F1",           "?",           "M",
          "L",      "W",      "G",  "Ctrl+G",  "Ctrl+P", "C",        "Ctrl+Shift+P", "Ctrl+Z",      "Ctrl+Shift+Z",
          "I",      "T",      "H",  "Home",    "End",    "Alt+Left", "Alt+Right",    "Shift+Delete"})
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
}  // namespace texelscope::test
