// Methods of one's own in the real window: a formula that is typed, a session with it, its file.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

using OwnMethods = ViewerTest;

std::string pane(const json& state, size_t n) { return state.at("panes").at(n); }

auto formula_is(const std::string& text) {
    return [text](const json& s) { return s.at("formula").at("text") == text; };
}

// Replaces all of a text in the field that has the keyboard.
void retype(ViewerUnderTest& viewer, const std::string& text) {
    viewer.key("ctrl+a");
    type_lines(viewer, text);
}

// The method of the pane as one's own, in the editor.
void edit_a_copy(ViewerUnderTest& viewer) {
    viewer.settled_state();
    viewer.click_control("method:group:Own");
    viewer.settled_state();
    viewer.click_control("weights:edit");
}

TEST_F(OwnMethods, AFormulaThatIsTypedIsSeenAtOnce) {
    // At a whole zoom, many values would be halfway between two levels.
    ViewerInProcess viewer(*screen_, {"@zone-plate:96", "--method", "bilinear", "--zoom", "5.37"});
    edit_a_copy(viewer);
    viewer.move_to(0.5, 0.95);  // tooltips lie over the picture
    ASSERT_TRUE(viewer.settled_state().at("formula").at("open"));
    EXPECT_THAT(pane(viewer.settled_state(), 0), HasSubstr("custom:"));
    expect_same_picture(viewer, "a copy of bilinear");
    viewer.click_control("weights:text");
    viewer.move_to(0.5, 0.95);
    const std::string hat = "radius = 1\nw(x) = 1 - abs(x)";
    retype(viewer, hat);
    EXPECT_TRUE(formula_is(hat)(viewer.settled_state()));
    // One digit after the other: each is another function, whose picture is shown within a tenth of a second of the key. The
    // machine may be busy: the fastest counts.
    double fastest = 1e9;
    std::string text = hat;
    for (const char* key : {"asterisk", "1", "period", "5"}) {
        const json before = viewer.settled_state();
        viewer.key(key);
        const json after = viewer.settled_state();
        text += key[1] ? (key[0] == 'a' ? "*" : ".") : key;
        EXPECT_TRUE(formula_is(text)(after)) << after.at("formula");
        if (pane(after, 0) != pane(before, 0)) fastest = std::min(fastest, after.at("latency_ms").get<double>());
    }
    EXPECT_LT(fastest, 100) << "ms from the key to the picture";
    expect_same_picture(viewer, "1 - abs(x)*1.5");
    // What is wrong leaves the last good function, and says where.
    const json good = viewer.settled_state();
    viewer.type("*(");
    const json wrong = viewer.settled_state();
    EXPECT_EQ(pane(wrong, 0), pane(good, 0));
    ASSERT_EQ(wrong.at("formula").at("problems").size(), 1u);
    EXPECT_THAT(wrong.at("formula").at("problems").at(0), HasSubstr("line 2, column"));
    EXPECT_TRUE(wrong.at("controls").contains("weights:text:error:2"));
    expect_same_picture(viewer, "while the text is wrong");
}

// In a small window too, that shows the list of lessons.
TEST_F(OwnMethods, TheMenuGivesTheKeyboardToTheFormula) {
    for (const char* window : {"1280x800", "600x500"}) {
        ViewerInProcess viewer(*screen_, {"@zone-plate:96", "--method", "bilinear", "--window", window});
        viewer.settled_state();
        viewer.click_control("menu:Learn");
        viewer.settled_state();
        viewer.click_control("learn.lessons");
        viewer.settled_state();
        viewer.click_control("menu:Method");
        viewer.settled_state();
        viewer.click_control("method.own");
        ASSERT_TRUE(viewer.settled_state().at("controls").contains("weights:text:cursor")) << window;
        const std::string hat = "radius = 1\nw(x) = 1 - abs(x)";
        retype(viewer, hat);
        EXPECT_TRUE(formula_is(hat)(viewer.settled_state())) << window;
        EXPECT_TRUE(
            viewer.change([&] { viewer.key("ctrl+o"); }, [](const json& s) { return s.at("dialog") == "browser"; }));
    }
}

// Also where the picture does not show it: reduced, the widened weights are divided by their sum.
TEST_F(OwnMethods, WeightsThatDoNotSumToOneArePointedOut) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:400", "--method", "bilinear", "--zoom", "0.5"});
    edit_a_copy(viewer);
    const auto warns = [&] { return viewer.settled_state().at("controls").contains("formula:unequal-sum"); };
    EXPECT_FALSE(warns()) << "a copy of bilinear";
    viewer.click_control("weights:text");
    viewer.move_to(0.5, 0.95);
    retype(viewer, "radius = 1\nprefilter = none\nw(x) = 1.2*(1 - abs(x))");
    EXPECT_TRUE(warns());
    const json state = viewer.settled_state();
    const double below = control_box(state, "formula:unequal-sum").y - control_box(state, "weights:text").bottom();
    EXPECT_GE(below, 0);
    EXPECT_LT(below, 20) << "directly below the text, above curves and facts";
    viewer.key("Return");
    viewer.type("normalise = yes");
    EXPECT_FALSE(warns());
}

TEST_F(OwnMethods, ErrorsStandUnderTheirLines) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:96", "--method", "bilinear", "--zoom", "5"});
    edit_a_copy(viewer);
    viewer.click_control("weights:text");
    viewer.move_to(0.5, 0.95);
    retype(viewer, "name = Wrong twice\nradius = none\nwhat = 3\nw(x) = 1 - abs(x)");
    json state = viewer.settled_state();
    ASSERT_EQ(state.at("formula").at("problems").size(), 2u) << state.at("formula");
    expect_under_its_line(state, "weights:text", 2);
    expect_under_its_line(state, "weights:text", 3);
    EXPECT_FALSE(state.at("controls").contains("weights:problem")) << "below the field as well";
    // The mouse finds the letters where they are seen: in the last line, which the errors have moved down.
    const ControlBox last = control_box(state, "weights:text:line:4"),
                     letter = control_box(state, "weights:text:cursor");
    EXPECT_NEAR(letter.y, last.y, 1) << "the text cursor is in the line that is typed";
    viewer.click_control("weights:text:line:4");  // in its middle
    state = viewer.settled_state();
    const ControlBox clicked = control_box(state, "weights:text:cursor");
    EXPECT_NEAR(clicked.y, last.y, 1);
    viewer.key("Home");
    viewer.type("w");
    viewer.key("BackSpace");
    viewer.key("Up");
    viewer.key("Up");
    state = viewer.settled_state();
    EXPECT_NEAR(control_box(state, "weights:text:cursor").y, control_box(state, "weights:text:line:2").y, 1);
    // Corrected, they are gone, and the lines stand together again. Undo brings them back.
    viewer.key("End");
    viewer.keys(std::vector<std::string>(4, "BackSpace"));
    viewer.type("1");
    viewer.key("Down");
    viewer.key("Home");
    viewer.type("# ");
    state = viewer.settled_state();
    EXPECT_EQ(state.at("formula").at("text"), "name = Wrong twice\nradius = 1\n# what = 3\nw(x) = 1 - abs(x)");
    EXPECT_TRUE(state.at("formula").at("problems").empty()) << state.at("formula");
    for (int line = 1; line < 4; ++line)
        EXPECT_NEAR(control_box(state, fmt::format("weights:text:line:{}", line + 1)).y,
                    control_box(state, fmt::format("weights:text:line:{}", line)).bottom(), 0.5);
    viewer.key("ctrl+z");
    viewer.key("ctrl+z");
    state = viewer.settled_state();
    EXPECT_THAT(state.at("formula").at("text").get<std::string>(), HasSubstr("\nwhat = 3"));
    expect_under_its_line(state, "weights:text", 3);
}

TEST_F(OwnMethods, TheMouseSelectsAcrossErrors) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:96", "--method", "bilinear"});
    edit_a_copy(viewer);
    viewer.click_control("weights:text");
    viewer.move_to(0.5, 0.95);
    retype(viewer, "name = Two\nradius = none\nwhat = 3\nw(x) = 1 - abs(x)\n# one\n# more");
    viewer.key("ctrl+Home");  // all of these lines are in sight
    const json state = viewer.settled_state();
    const auto beginning_of = [&](int line) {
        const ControlBox at = control_box(state, fmt::format("weights:text:line:{}", line));
        return std::pair{int(at.x + 3), int(at.y + at.height / 2)};
    };
    const auto from = beginning_of(2), to = beginning_of(4);
    viewer.move_pointer(from.first, from.second);
    viewer.press_button();
    viewer.settled_state();
    viewer.move_pointer(to.first, to.second);
    viewer.settled_state();
    viewer.release_button();
    viewer.settled_state();
    viewer.type("radius = 2");
    viewer.key("Return");
    const json after = viewer.settled_state();
    EXPECT_EQ(after.at("formula").at("text"), "name = Two\nradius = 2\nw(x) = 1 - abs(x)\n# one\n# more");
    EXPECT_TRUE(after.at("formula").at("problems").empty()) << after.at("formula");
}

// Neither the field's place nor its lines move when an error comes into the line that is typed, or goes.
TEST_F(OwnMethods, TypingIsNotDisturbedByAnError) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:96", "--method", "bilinear"});
    edit_a_copy(viewer);
    viewer.click_control("weights:text");
    viewer.move_to(0.5, 0.95);
    retype(viewer, "radius = 1\nw(x) = 1 - abs(x)");
    const json right = viewer.settled_state();
    const ControlBox cursor = control_box(right, "weights:text:cursor");
    viewer.type("+(");
    const json wrong = viewer.settled_state();
    expect_under_its_line(wrong, "weights:text", 2);
    EXPECT_EQ(control_box(wrong, "weights:text"), control_box(right, "weights:text"));
    EXPECT_EQ(control_box(wrong, "weights:text:line:2"), control_box(right, "weights:text:line:2"));
    EXPECT_EQ(control_box(wrong, "weights:text:cursor").y, cursor.y);
    EXPECT_GT(control_box(wrong, "weights:text:cursor").x, cursor.x);
    viewer.keys({"BackSpace", "BackSpace"});
    const json again = viewer.settled_state();
    EXPECT_TRUE(again.at("formula").at("problems").empty());
    EXPECT_EQ(control_box(again, "weights:text:cursor"), cursor);
    EXPECT_EQ(again.at("formula").at("text"), right.at("formula").at("text"));
}

TEST_F(OwnMethods, ALongFormulaIsWrapped) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:96", "--method", "bilinear"});
    edit_a_copy(viewer);
    viewer.settled_state();
    viewer.click_control("weights:text");
    viewer.move_to(0.5, 0.95);
    std::string sum = "1 - abs(x)";
    for (int i = 0; i < 12; ++i) sum += " + 0.0*sin(pi*x)";
    retype(viewer, "radius = 1\nw(x) = " + sum + "\nnormalise = yes");
    const json state = viewer.settled_state();
    EXPECT_EQ(state.at("formula").at("problems").size(), 0u);
    const ControlBox first = control_box(state, "weights:text:line:1"),
                     second = control_box(state, "weights:text:line:2"),
                     third = control_box(state, "weights:text:line:3");
    EXPECT_GE(second.height, 3 * first.height - 1);
    EXPECT_NEAR(third.y, second.bottom(), 0.5);
    // The mouse finds places in all of its rows.
    viewer.click_control("weights:text:line:2");
    const ControlBox cursor = control_box(viewer.settled_state(), "weights:text:cursor");
    EXPECT_GT(cursor.y, second.y + first.height - 1);
    EXPECT_LT(cursor.y, second.bottom());
    expect_same_picture(viewer, "a hat");
}

// From its editor and back, as a weight function and as a kernel; what exists is replaced only if the user agrees.
TEST_F(OwnMethods, TheirTextsAreFiles) {
    namespace fs = std::filesystem;
    const fs::path folder = scratch("methods"), picture = folder / "small.png", weights = folder / "hat.weights",
                   kernel = folder / "mine.cu";
    fs::create_directories(folder);
    write_image(load_image("@rings:24"), picture);
    const auto content = [](const fs::path& path) {
        std::ifstream stream(path, std::ios::binary);
        return std::string{std::istreambuf_iterator<char>(stream), {}};
    };
    const auto topmost = [](const char* name) { return [name](const json& s) { return s.at("dialog") == name; }; };
    const auto saved = [](const json& s) { return s.at("messages").dump().find(": saved") != std::string::npos; };
    ViewerInProcess viewer(*screen_, {picture.string(), "--backend", "cpu", "--method", "bilinear"});
    const auto type_path = [&](const fs::path& path) {
        viewer.settled_state();
        viewer.key("ctrl+a");
        viewer.settled_state();
        viewer.type(path.string());
        viewer.settled_state();
    };
    edit_a_copy(viewer);
    viewer.settled_state();
    viewer.click_control("weights:text");
    const std::string hat = "radius = 1\nw(x) = 1 - abs(x)";
    retype(viewer, hat);
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("weights:save"); }, topmost("save")));
    type_path(folder / "hat");
    ASSERT_TRUE(viewer.change([&] { viewer.key("Return"); }, saved));
    EXPECT_EQ(content(weights), hat) << "with its ending";
    // Once more: it exists.
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("weights:save"); }, topmost("save")));
    type_path(weights);
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, topmost("question")));
    viewer.key("Escape");
    viewer.settled_state();
    viewer.key("Escape");
    viewer.settled_state();
    viewer.move_to(0.5, 0.5);
    viewer.key("1");
    EXPECT_THAT(pane(viewer.settled_state(), 0), ::testing::StartsWith("nearest"));
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("weights:open"); }, topmost("browser")));
    type_path(weights);
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, formula_is(hat)));
    EXPECT_THAT(pane(viewer.settled_state(), 0), HasSubstr("custom:"));
    EXPECT_EQ(viewer.settled_state().at("image"), picture.string());

    ASSERT_TRUE(open_kernel(viewer));
    const auto read = [](const json& s) {
        return s.at("kernel").at("busy") == false && s.at("kernel").at("said") != "";
    };
    ASSERT_TRUE(viewer.change([] {}, read, 60));
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("kernel:save"); }, topmost("save")));
    const std::string text = viewer.settled_state().at("kernel").at("text");
    type_path(kernel);
    ASSERT_TRUE(viewer.change([&] { viewer.key("Return"); }, [&](const json&) { return fs::exists(kernel); }));
    EXPECT_EQ(content(kernel), text);
    viewer.settled_state();
    viewer.key("Escape");
    viewer.settled_state();
    std::ofstream(kernel, std::ios::app) << "// from a file\n";
    viewer.move_to(0.5, 0.5);
    viewer.key("1");
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.key("ctrl+o"); }, topmost("browser")));
    type_path(kernel);
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, read, 60));
    EXPECT_EQ(viewer.settled_state().at("kernel").at("text"), text + "// from a file\n");
    EXPECT_THAT(pane(viewer.settled_state(), 0), ::testing::StartsWith("kernel:"));
    fs::remove_all(folder);
}

TEST_F(OwnMethods, EscKeepsWhatWasTyped) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:96", "--method", "bilinear"});
    edit_a_copy(viewer);
    viewer.click_control("weights:text");
    viewer.move_to(0.5, 0.95);
    const std::string hat = "radius = 2\nw(x) = max(0, 1 - abs(x)/2)";
    retype(viewer, hat);
    viewer.keys({"asterisk", "2", "Escape"});
    json state = viewer.settled_state();
    EXPECT_EQ(state.at("formula").at("text"), hat + "*2");
    EXPECT_FALSE(state.at("controls").contains("weights:text:cursor")) << "the field still has the keyboard";
    EXPECT_TRUE(state.at("formula").at("open"));
    const std::string kept = pane(state, 0);
    viewer.key("Down");  // is the picture's now
    state = viewer.settled_state();
    EXPECT_EQ(state.at("formula").at("text"), hat + "*2");
    EXPECT_EQ(pane(state, 0), kept);
    expect_same_picture(viewer, "after Esc");
}

TEST_F(OwnMethods, ASessionWithOneReopens) {
    const std::string file = scratch("own.json");
    json saved;
    {
        ViewerInProcess viewer(*screen_, {"@zone-plate:96", "--method", "catmull-rom", "--zoom", "4"});
        edit_a_copy(viewer);
        viewer.click_control("weights:text");
        retype(viewer,
               "name = Mine; 50 %\nradius = 2\nparameter a = 0.3 from 0 to 1\nw(x) = abs(x) < 1 ? 1 - a*abs(x) : 0.1");
        EXPECT_EQ(viewer.settled_state().at("formula").at("problems"), json::array());
        viewer.move_to(0.5, 0.5);
        viewer.click();  // the field gives the keyboard back; Esc would take back what was typed
        viewer.settled_state();
        saved = save_session(viewer, file);
        ASSERT_FALSE(saved.is_null());
    }
    EXPECT_THAT(pane(saved, 0), HasSubstr("Mine"));
    ViewerInProcess viewer(*screen_, {file});
    viewer.move_to(0.5, 0.95);
    EXPECT_EQ(viewer.settled_state().at("panes"), saved.at("panes"));
    expect_same(viewer.shown_pane(0), viewer.rendered_pane(0), "reopened");
    std::filesystem::remove(file);
}

}  // namespace
}  // namespace texelscope::test
