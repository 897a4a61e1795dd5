// Dialogs own the keyboard: every key of the action table is typed into every dialog, and nothing behind it changes. Those
// that ask for one answer own the mouse as well.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

#include "app/files/reading/image_files.h"
#include "app/viewer/editing/actions.h"
#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

using DialogWindows = ViewerTest;

// By its keysym.
std::string key_name(const Shortcut& shortcut) {
    static const std::map<std::string, std::string> names = {
        {"Esc", "Escape"},    {"Enter", "Return"},   {"PgUp", "Prior"},
        {"PgDn", "Next"},     {"Space", "space"},    {"Backspace", "BackSpace"},
        {"[", "bracketleft"}, {"]", "bracketright"}, {"\\", "backslash"},
        {"+", "plus"},        {"-", "minus"},        {"?", "question"},
        {",", "comma"},       {".", "period"},       {"<", "less"},
        {">", "greater"},     {"/", "slash"},        {"=", "equal"},
        {"*", "asterisk"},    {"'", "apostrophe"}};
    std::string name;
    if (shortcut.modifiers.ctrl) name += "ctrl+";
    if (shortcut.modifiers.shift) name += "shift+";
    if (shortcut.modifiers.alt) name += "alt+";
    Shortcut bare = shortcut;
    bare.modifiers = {};
    std::string key = to_string(bare);
    if (const auto found = names.find(key); found != names.end()) key = found->second;
    else if (key.size() == 1) key = std::string(1, char(std::tolower(key[0])));
    return name + key;
}

// All keys of the table but those a dialog itself answers: Esc, Enter, Tab, and those of the actions that open it. What
// types something comes first, so that a field that filters is not empty.
std::vector<std::string> keys_behind(Dialog dialog) {
    std::vector<std::string> typing, others;
    for (const Action& action : all_actions())
        for (const Shortcut& shortcut : action.shortcuts) {
            if (action.dialog == dialog || shortcut.key == Key::escape || shortcut.key == Key::enter) continue;
            if (shortcut.key == Key::tab) continue;
            const bool types = shortcut.character && !shortcut.modifiers.ctrl && !shortcut.modifiers.alt;
            (types ? typing : others).push_back(key_name(shortcut));
        }
    typing.insert(typing.end(), others.begin(), others.end());
    return typing;
}

// What must not change behind a dialog.
json behind(json state) {
    for (const char* own : {"frames", "controls", "dialog", "palette", "experiment", "restoring", "latency_ms",
                            "latency_median_ms", "host_ms", "drawn_from", "cursor", "value", "kernel"})
        state.erase(own);
    return state;
}

TEST_F(DialogWindows, OwnTheKeyboardUntilOneEscClosesThem) {
    const CurrentFolder empty(scratch("empty"));  // the browser has nothing to open
    ViewerInProcess viewer(*screen_, {"@zone-plate:64", "@step:64"});
    viewer.key("g");  // two panes
    viewer.move_to(0.3, 0.5);
    const json first = behind(viewer.settled_state());
    const auto topmost = [](const std::string& name) {
        return [name](const json& s) { return s.at("dialog") == name; };
    };
    for (const Dialog dialog : all_values<Dialog>) {
        if (dialog == Dialog::question) continue;  // no action opens it
        if (!row_of(dialog).owns_keyboard) continue;
        const std::string name(name_of(dialog));
        const auto opens = [&](const Action& action) { return action.dialog == dialog; };
        const Action& action = *std::find_if(all_actions().begin(), all_actions().end(), opens);
        if (!action.shortcuts.empty()) {
            ASSERT_TRUE(viewer.change([&] { viewer.key(key_name(action.shortcuts[0])); }, topmost(name))) << name;
        } else {
            viewer.change([&] { viewer.key("ctrl+shift+p"); }, topmost("palette"));
            std::string title = action.title;  // without "…", which no key types
            std::erase_if(title, [](char each) { return static_cast<unsigned char>(each) >= 0x80; });
            viewer.type(title);
            ASSERT_TRUE(viewer.change([&] { viewer.key("Return"); }, topmost(name))) << name;
        }
        viewer.settled_state();
        viewer.keys(keys_behind(dialog));
        viewer.move_to(0.3, dialog == Dialog::palette ? 0.08 : 0.5);  // on the dialog, which lies over the picture
        viewer.wheel(3);
        if (row_of(dialog).owns_mouse && dialog != Dialog::palette) {  // beside it, nothing can be done either
            viewer.move_to(0.03, 0.9);
            viewer.wheel(3);
            viewer.drag(0.03, 0.9, 0.08, 0.7);
            viewer.drag(0.03, 0.9, 0.08, 0.7, 3);
            viewer.drag(0.97, 0.1, 0.97, 0.1, 3);
            viewer.click_control("menu:View");
            viewer.click_control("section:View");
        }
        const json open = viewer.settled_state();
        EXPECT_EQ(open.at("dialog"), name);
        EXPECT_EQ(json::diff(first, behind(open)), json::array()) << name;
        viewer.key("Escape");
        const json closed = viewer.settled_state();
        EXPECT_EQ(closed.at("dialog"), "") << name;
        EXPECT_EQ(json::diff(first, behind(closed)), json::array()) << name << ", closed";
        ASSERT_TRUE(viewer.running()) << name;
    }
    EXPECT_TRUE(
        viewer.change([&] { viewer.key("2"); }, [&](const json& s) { return s.at("panes") != first.at("panes"); }));
}

// The palette closes by a click beside it, which does nothing else; a window for the picture leaves the mouse to it.
TEST_F(DialogWindows, TheMouseBesideAPaletteAndBesideAWindow) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:64"});
    const auto topmost = [](const char* name) { return [name](const json& s) { return s.at("dialog") == name; }; };
    const json first = behind(viewer.settled_state());
    ASSERT_TRUE(viewer.change([&] { viewer.key("ctrl+shift+p"); }, topmost("palette")));
    viewer.settled_state();
    viewer.move_to(0.1, 0.9);
    viewer.wheel(3);
    EXPECT_EQ(json::diff(first, behind(viewer.settled_state())), json::array());
    viewer.drag(0.1, 0.9, 0.3, 0.8);
    const json closed = viewer.settled_state();
    EXPECT_EQ(closed.at("dialog"), "");
    EXPECT_EQ(json::diff(first, behind(closed)), json::array());
    ASSERT_TRUE(viewer.change([&] { viewer.key("F1"); }, topmost("keys")));
    viewer.move_to(0.9, 0.1);
    EXPECT_TRUE(
        viewer.change([&] { viewer.wheel(3); }, [&](const json& s) { return s.at("view") != first.at("view"); }));
}

// Its own key again: what is typed next is another command, and never drives the picture.
TEST_F(DialogWindows, ThePaletteBeginsAnew) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:64"});
    const json first = viewer.settled_state();
    const auto topmost = [](const char* name) { return [name](const json& s) { return s.at("dialog") == name; }; };
    ASSERT_TRUE(viewer.change([&] { viewer.key("ctrl+shift+p"); }, topmost("palette")));
    viewer.settled_state();
    viewer.type("zoom 2");
    viewer.settled_state();
    viewer.key("ctrl+shift+p");
    EXPECT_TRUE(topmost("palette")(viewer.settled_state()));
    const auto enlarged = [](const json& s) {
        return s.at("settled") == true && std::abs(s.at("view").at("scale").get<double>() - 0.25) < 1e-9;
    };
    viewer.type("zoom 400");
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, enlarged)) << "not zoom 2zoom 400";
    EXPECT_EQ(viewer.settled_state().at("panes"), first.at("panes"));
    EXPECT_EQ(viewer.settled_state().at("dialog"), "");
    // However fast.
    viewer.keys({"ctrl+shift+p", "z", "o", "o", "m", "space", "2", "ctrl+shift+p", "r", "o", "t", "9", "0", "Return"});
    EXPECT_EQ(viewer.settled_state().at("view").at("rotate"), 90.0);
    EXPECT_EQ(viewer.settled_state().at("panes"), first.at("panes"));
}

TEST_F(DialogWindows, ThoseWithListsAreDrivenByKeys) {
    const fs::path folder = scratch("pictures"), inner = folder / "inner";
    fs::create_directories(inner);
    for (const char* name : {"alpha.png", "beta.png", "gamma.png"}) write_image(load_image("@step:32"), folder / name);
    write_image(load_image("@rings:40"), inner / "rings.png");
    ViewerInProcess viewer(*screen_, {(folder / "alpha.png").string()});
    const auto shows = [](const fs::path& path) {
        return [path](const json& s) { return s.at("image") == path.string(); };
    };
    const auto open_browser = [&] {
        ASSERT_TRUE(
            viewer.change([&] { viewer.key("ctrl+o"); }, [](const json& s) { return s.at("dialog") == "browser"; }));
        viewer.settled_state();
    };
    const auto lists = [&](const char* name) {
        return viewer.settled_state().at("controls").contains(std::string("browser:") + name);
    };
    open_browser();  // inner, alpha, beta, gamma
    viewer.keys({"End", "Up"});
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, shows(folder / "beta.png")));
    open_browser();
    viewer.type("amm");
    EXPECT_FALSE(lists("alpha.png"));
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, shows(folder / "gamma.png")));
    open_browser();
    viewer.key("Return");  // into the first, a folder
    EXPECT_TRUE(lists("rings.png"));
    viewer.key("BackSpace");  // and out again
    EXPECT_TRUE(lists("beta.png"));
    viewer.type("nowhere");
    EXPECT_TRUE(viewer.settled_state().at("controls").contains("browser-empty")) << "an empty list says why";
    viewer.key("ctrl+a");
    viewer.settled_state();
    viewer.type("inner/none.png");
    viewer.key("Return");
    EXPECT_EQ(viewer.settled_state().at("dialog"), "browser");  // it says that there is none
    viewer.key("ctrl+a");                                       // and the field can be typed over
    viewer.settled_state();
    viewer.type("inner/in");
    EXPECT_TRUE(lists("rings.png")) << "the folder of the path";
    EXPECT_FALSE(lists("beta.png"));
    viewer.key("ctrl+a");
    viewer.settled_state();
    viewer.type("alp");
    EXPECT_TRUE(lists("alpha.png")) << "the folder before it";
    viewer.key("ctrl+a");
    viewer.settled_state();
    viewer.type("inner/in");
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, shows(inner / "rings.png"))) << "of which it is a part";
    viewer.key("F1");
    viewer.settled_state();
    viewer.type("no such word");
    EXPECT_TRUE(viewer.settled_state().at("controls").contains("keys:none"));
    viewer.key("ctrl+a");
    viewer.settled_state();
    viewer.type("decibel");
    const json found = viewer.settled_state().at("controls");
    EXPECT_TRUE(found.contains("keys:PSNR")) << "by what the glossary says of it";
    EXPECT_FALSE(found.contains("keys:Wheel") || found.contains("keys:fetch"));
    viewer.key("Escape");
    EXPECT_EQ(viewer.settled_state().at("dialog"), "");
    fs::remove_all(folder);
}

TEST_F(DialogWindows, AnExistingFileIsReplacedOnlyOnceConfirmed) {
    const fs::path file = scratch("original.png");
    write_image(load_image("@rings:50x40"), file);
    std::ifstream old(file, std::ios::binary);
    const std::string original{std::istreambuf_iterator<char>(old), {}};
    const auto unchanged = [&] {
        std::ifstream now(file, std::ios::binary);
        return std::string{std::istreambuf_iterator<char>(now), {}} == original;
    };
    const auto topmost = [](const char* name) { return [name](const json& s) { return s.at("dialog") == name; }; };
    ViewerInProcess viewer(*screen_, {file.string()});
    const json place = viewer.settled_state().at("picture");
    ASSERT_TRUE(viewer.change([&] { viewer.key("ctrl+s"); }, topmost("save")));
    viewer.settled_state();
    viewer.key("ctrl+a");
    viewer.settled_state();
    viewer.type(file.string());
    ASSERT_TRUE(viewer.change([&] { viewer.key("Return"); }, topmost("question")));
    viewer.settled_state();
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, topmost("save")));  // cancels
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.key("Return"); }, topmost("question")));
    viewer.settled_state();
    EXPECT_TRUE(viewer.change([&] { viewer.key("Escape"); }, topmost("save")));
    viewer.settled_state();
    EXPECT_TRUE(unchanged());
    ASSERT_TRUE(viewer.change([&] { viewer.key("Return"); }, topmost("question")));
    viewer.settled_state();
    viewer.key("Left");
    const auto saved = [](const json& s) { return s.at("messages").dump().find(": saved") != std::string::npos; };
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, saved));
    EXPECT_FALSE(unchanged());
    EXPECT_EQ(viewer.settled_state().at("dialog"), "");
    EXPECT_EQ(viewer.settled_state().at("picture"), place);  // a message does not resize it
    fs::remove(file);
}

TEST_F(DialogWindows, FitTheSmallestWindowAtScaleTwo) {
    ViewerInProcess viewer(*screen_, {"@rings:256", "--ui-scale", "2"});
    viewer.resize(640, 480);
    const auto inside = [](const json& state, const std::string& control) {
        if (!state.at("controls").contains(control)) return false;
        const auto box = state.at("controls").at(control).get<std::array<float, 4>>();
        return box[0] >= 0 && box[1] >= 0 && box[0] + box[2] <= 640 && box[1] + box[3] <= 480;
    };
    viewer.key("ctrl+o");
    EXPECT_TRUE(inside(viewer.settled_state(), "browser:open"));
    viewer.key("Escape");
    viewer.settled_state();
    viewer.key("ctrl+s");
    EXPECT_TRUE(inside(viewer.settled_state(), "save:path"));
    EXPECT_TRUE(inside(viewer.settled_state(), "save:save"));
    viewer.key("Escape");
    // The longest menu leaves the bar free.
    const auto bar = viewer.settled_state().at("controls").at("menu:File").get<std::array<float, 4>>();
    viewer.click_control("menu:File");
    const json open = viewer.settled_state();
    EXPECT_TRUE(inside(open, "file.open"));
    EXPECT_GE(open.at("controls").at("file.open").at(1).get<float>(), bar[1] + bar[3] - 1);
}

// Nothing of a large dialog is under a message; and Esc takes the message away once nothing else uses it.
TEST_F(DialogWindows, GiveWayToMessages) {
    ViewerInProcess viewer(*screen_, {"/nonexistent/picture.png", "@rings:256"});
    const auto tells = [](const json& s) { return s.at("messages").dump().find("nonexistent") != std::string::npos; };
    const auto topmost = [](const std::string& name) {
        return [name](const json& s) { return s.at("dialog") == name; };
    };
    viewer.resize(1280, 700);  // so low that it would be under the message
    viewer.settled_state();
    viewer.move_to(0.5, 0.5);
    ASSERT_TRUE(tells(viewer.settled_state()));
    ASSERT_TRUE(viewer.change([&] { viewer.key("F1"); }, topmost("keys")));
    const json state = viewer.settled_state();
    ASSERT_TRUE(state.at("controls").contains("message:dismiss"));
    const float top = state.at("controls").at("message:dismiss").at(1).get<float>();
    const auto dialog = state.at("controls").at("dialog:keys").get<std::array<float, 4>>();
    EXPECT_LE(dialog[1] + dialog[3], top);
    for (int each = 0; each < 3 && viewer.settled_state().at("controls").contains("message:dismiss"); ++each)
        viewer.click_control("message:dismiss");  // a GPU may have more to say
    const json after = viewer.settled_state();
    EXPECT_FALSE(tells(after));
    const auto back = after.at("controls").at("dialog:keys").get<std::array<float, 4>>();
    EXPECT_GT(back[1] + back[3], top) << "it has its place and size again: " << after.at("messages");
    EXPECT_NEAR(back[1] + back[3] / 2, (700 + 25) / 2, 4) << "in the middle, below the menu";
}

TEST_F(DialogWindows, EscTakesTheNewestMessageAwayAfterAllElse) {
    ViewerInProcess viewer(*screen_, {"/nonexistent/picture.png", "@rings:256"});
    const auto tells = [](const json& s) { return s.at("messages").dump().find("nonexistent") != std::string::npos; };
    viewer.move_to(0.5, 0.5);
    ASSERT_TRUE(tells(viewer.settled_state()));
    viewer.drag(0.4, 0.4, 0.6, 0.6, 3);
    ASSERT_TRUE(viewer.settled_state().contains("selection"));
    EXPECT_TRUE(viewer.change([&] { viewer.key("Escape"); }, [](const json& s) { return !s.contains("selection"); }));
    EXPECT_TRUE(tells(viewer.settled_state())) << "one Esc, one thing";
    EXPECT_TRUE(viewer.change([&] { viewer.key("Escape"); }, std::not_fn(tells)));
}

// In one column, as far to the right of the left edge as in the panel.
TEST_F(DialogWindows, FieldsOfExperimentsStandInTheColumn) {
    ViewerInProcess viewer(*screen_, {"@constant"});
    viewer.settled_state();
    viewer.click_control("menu:Learn");
    viewer.settled_state();
    viewer.click_control("learn.experiments");
    const json controls = viewer.settled_state().at("controls");
    const auto left = [&](const char* control) { return controls.at(control).at(0).get<float>(); };
    EXPECT_EQ(left("experiment-option:turns"), left("experiment-option:angle"));
    EXPECT_EQ(left("experiment-option:turns") - left("experiment:run"), 96);
}

TEST_F(DialogWindows, TablesOfExperimentsHaveTheSpaceOfTheirHeadings) {
    ViewerInProcess viewer(*screen_, {"@constant"});
    viewer.settled_state();
    viewer.click_control("menu:Learn");
    viewer.settled_state();
    viewer.click_control("learn.experiments");
    viewer.settled_state();
    viewer.click_control("experiment:weights");
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("experiment:run"); },
                              [](const json& s) { return s.at("experiment").at("results") == 1; }, 60));
    viewer.click_control("experiment:Tables");
    const json state = viewer.settled_state();
    int headings = 0;
    for (const auto& [id, box] : state.at("controls").items()) {
        const std::string before = "experiment:column:0:";
        if (!id.starts_with("experiment:column:")) continue;
        constexpr float least_letter = 5.5f;  // units: the mean width of a letter, or a little less
        EXPECT_GE(box.at(2).get<float>(), least_letter * float(id.size() - before.size())) << id;
        ++headings;
    }
    EXPECT_GE(headings, 4);
}

// A message is over the picture; the mouse on it does not reach the picture.
// A group is in one column, as there is space for it.
TEST_F(DialogWindows, AColumnOfAMenuEndsWithAGroup) {
    ViewerInProcess viewer(*screen_, {"@constant", "--window", "1280x720"});
    viewer.settled_state();
    viewer.click_control("menu:Method");
    const json controls = viewer.settled_state().at("controls");
    const auto left = [&](const char* entry) { return controls.at(entry).at(0).get<float>(); };
    EXPECT_LT(left("method.nearest"), left("method.program")) << "more than one column";
    EXPECT_EQ(left("method.lanczos3"), left("method.mks2021"));
    EXPECT_EQ(left("method.bspline"), left("method.quartic"));
}

TEST_F(DialogWindows, MessagesTakeTheMouseButNoSpace) {
    ViewerInProcess viewer(*screen_, {"@rings:256", "/nonexistent/picture.png"});
    const json before = viewer.settled_state();
    viewer.move_to(0.5, 0.5);
    viewer.key("Next");
    const json state = viewer.settled_state();
    ASSERT_TRUE(state.at("controls").contains("message:dismiss"));
    EXPECT_EQ(state.at("picture"), before.at("picture"));
    const auto dismiss = state.at("controls").at("message:dismiss").get<std::array<float, 4>>();
    const auto picture = state.at("picture").get<std::array<float, 4>>();
    viewer.move_to((dismiss[0] - 40 - picture[0]) / picture[2], (dismiss[1] + 4 - picture[1]) / picture[3]);
    EXPECT_FALSE(viewer.settled_state().contains("cursor"));
    viewer.wheel(3);
    EXPECT_EQ(viewer.settled_state().at("view"), before.at("view"));
    for (size_t left = state.at("messages").size(); left > 0; --left)
        ASSERT_TRUE(viewer.change([&] { viewer.click_control("message:dismiss"); },
                                  [&](const json& s) { return s.at("messages").size() == left - 1; }));
    EXPECT_EQ(viewer.settled_state().at("picture"), before.at("picture"));
}

}  // namespace
}  // namespace texelscope::test
