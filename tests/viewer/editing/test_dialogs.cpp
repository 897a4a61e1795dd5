// Whose keys they are while a dialog is open; what is asked before something is lost.

#include <filesystem>
#include <fstream>
#include <memory>
#include <tuple>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/display_edits.h"
#include "app/viewer/editing/file_edits.h"
#include "app/viewer/editing/picture_input.h"
#include "gpu/core/errors.h"
#include "tests/support/tools.h"
#include "tests/viewer/editing/panes_under_test.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;

AppState state_with_image(const std::string& source = "@constant") {
    AppState state;
    state.scene.panes = {{default_spec(*find_method("bspline"))}, {default_spec(*find_method("nearest"))}};
    Document document;
    document.source = source;
    document.image = std::make_shared<const Image>(64, 64, 1, SampleType::u8);
    state.scene.documents = {document, document};
    state.places.picture = {0, 0, 128, 128};
    state.ui.animate = false;
    return state;
}

// The key itself, then what it types.
void press(AppState& state, const Shortcut& shortcut) {
    run_shortcut(state, {shortcut.key, shortcut.character, shortcut.modifiers, false, false});
    if (shortcut.character) run_shortcut(state, {Key::none, shortcut.character, {}, true, false});
}

TEST(Dialogs, TheLastOpenedIsTopmost) {
    Dialogs dialogs;
    EXPECT_FALSE(dialogs.topmost());
    dialogs.open(Dialog::save);
    dialogs.toggle(Dialog::keys);
    EXPECT_EQ(dialogs.topmost(), Dialog::keys);
    dialogs.open(Dialog::save);  // raised
    EXPECT_EQ(dialogs.topmost(), Dialog::save);
    dialogs.close(Dialog::save);
    EXPECT_EQ(dialogs.topmost(), Dialog::keys);
    dialogs.toggle(Dialog::keys);
    EXPECT_FALSE(dialogs.topmost());
}

TEST(Dialogs, EachOpeningIsTakenOnce) {
    Dialogs dialogs;
    EXPECT_FALSE(dialogs.take_opening(Dialog::save));
    dialogs.open(Dialog::save);
    EXPECT_FALSE(dialogs.take_opening(Dialog::keys));
    EXPECT_TRUE(dialogs.take_opening(Dialog::save));
    dialogs.open(Dialog::save);  // only raised
    EXPECT_FALSE(dialogs.take_opening(Dialog::save));
    dialogs.close(Dialog::save);  // and opened again, as it may be within a frame
    dialogs.open(Dialog::save);
    EXPECT_TRUE(dialogs.take_opening(Dialog::save));
    EXPECT_FALSE(dialogs.take_opening(Dialog::save));
}

TEST(Dialogs, NoKeyOfTheTableReachesAnythingBehindOne) {
    for (const Dialog dialog : all_values<Dialog>) {
        if (!row_of(dialog).owns_keyboard) continue;
        for (const Action& action : all_actions()) {
            if (action.dialog == dialog || action.id == "window.escape") continue;
            for (const Shortcut& shortcut : action.shortcuts) {
                AppState state = state_with_image();
                state.ui.dialogs.open(dialog);
                const Scene before = state.scene;
                const Appearance appearance = state.ui;
                press(state, shortcut);
                EXPECT_EQ(state.scene, before) << name_of(dialog) << ", " << to_string(shortcut);
                EXPECT_EQ(static_cast<Appearance&>(state.ui), appearance)
                    << name_of(dialog) << ", " << to_string(shortcut);
                EXPECT_TRUE(state.tasks.empty()) << name_of(dialog) << ", " << to_string(shortcut);
                EXPECT_EQ(state.ui.dialogs.topmost(), dialog) << to_string(shortcut);
            }
        }
    }
}

// A tool window is used beside the picture.
TEST(Dialogs, AToolWindowLeavesTheKeysToThePicture) {
    const auto opened = [] {
        AppState state = state_with_image();
        state.scene.current = 0;
        state.scene.selection = Region{0, 0, 4, 4};
        state.ui.dialogs.open(Dialog::restoring);
        return state;
    };
    AppState state = opened();
    EXPECT_FALSE(state.ui.dialogs.keyboard_owner());
    press(state, parse_shortcut("2"));
    EXPECT_EQ(state.scene.spec().method->id, "bilinear");
    press(state, parse_shortcut("Space"));
    EXPECT_EQ(state.scene.active, 1);
    const double scale = state.scene.document()->view.scale;
    press(state, parse_shortcut("+"));
    EXPECT_LT(state.scene.document()->view.scale, scale);
    press(state, parse_shortcut("Ctrl+Q"));
    ASSERT_EQ(state.tasks.size(), 1u);
    EXPECT_TRUE(std::holds_alternative<task::Quit>(state.tasks[0]));
    EXPECT_EQ(state.ui.dialogs.topmost(), Dialog::restoring);
    // Enter is its own; with Alt it is another key.
    state = opened();
    const Scene before = state.scene;
    EXPECT_FALSE(run_shortcut(state, {Key::enter, 0, {}, false, false}));
    EXPECT_EQ(state.scene, before);
    press(state, parse_shortcut("Alt+Enter"));
    EXPECT_EQ(state.tasks.size(), 1u);
    // So is Tab, which hides the panels without it.
    press(state, parse_shortcut("Tab"));
    EXPECT_TRUE(state.ui.panels);
    press(state, parse_shortcut("Esc"));
    EXPECT_FALSE(state.ui.dialogs.topmost());
    EXPECT_TRUE(state.scene.selection);
    press(state, parse_shortcut("Tab"));
    EXPECT_FALSE(state.ui.panels);
    // A dialog above it owns them.
    state = opened();
    press(state, parse_shortcut("F1"));
    EXPECT_EQ(state.ui.dialogs.keyboard_owner(), Dialog::keys);
    press(state, parse_shortcut("2"));
    EXPECT_NE(state.scene.spec().method->id, "bilinear");
}

TEST(Dialogs, AFieldOfAToolWindowKeepsItsKeys) {
    AppState state = state_with_image();
    state.scene.current = 0;
    state.ui.dialogs.open(Dialog::restoring);
    bool typing = true;
    PictureInput input({[](double, double) { return false; }, [&] { return typing; }, [] { return false; }, {}});
    const std::string before(state.scene.spec().method->id);
    EXPECT_FALSE(input.handle(state, KeyStroke{Key::none, U'2', {}, true, false}));
    EXPECT_FALSE(input.handle(state, KeyStroke{Key::escape, 0, {}, false, false})) << "ends the field";
    EXPECT_EQ(state.scene.spec().method->id, before);
    EXPECT_TRUE(state.ui.dialogs.has(Dialog::restoring));
    typing = false;
    EXPECT_TRUE(input.handle(state, KeyStroke{Key::none, U'2', {}, true, false}));
    EXPECT_EQ(state.scene.spec().method->id, "bilinear");
}

// A ring around a button is no field that Esc would have to end first.
TEST(Dialogs, EscClosesAToolWindowAlsoFromAControlThatTabHasReached) {
    AppState state = state_with_image();
    state.scene.current = 0;
    state.ui.dialogs.open(Dialog::identifying);
    PictureInput input(
        {[](double, double) { return false; }, [] { return true; }, [] { return false; }, {}, [] { return true; }});
    EXPECT_FALSE(input.handle(state, KeyStroke{Key::space, U' ', {}, false, false})) << "presses the button";
    EXPECT_TRUE(state.ui.dialogs.has(Dialog::identifying));
    EXPECT_TRUE(input.handle(state, KeyStroke{Key::escape, 0, {}, false, false}));
    EXPECT_FALSE(state.ui.dialogs.has(Dialog::identifying));
}

// Nobody looks for a recording in the folder that the program was started from.
TEST(NewFiles, GoBesideTheImageElseToTheFolderWrittenLastElseHome) {
    const Folder folder;
    const fs::path pictures = folder / "pictures", saved = folder / "saved", home = folder / "home";
    for (const fs::path& each : {pictures, saved, home}) fs::create_directories(each);
    const Variable at_home("HOME", home.string());
    AppState state = state_with_image();
    state.scene.current = 0;
    EXPECT_EQ(folder_for_new_files(state), home);
    request_writing(state, saved / "view.png", task::SaveSheet{});
    EXPECT_EQ(folder_for_new_files(state), saved);
    state = state_with_image((pictures / "photo.png").string());
    state.scene.current = 0;
    state.ui.saved_folder = saved.string();
    EXPECT_EQ(folder_for_new_files(state), pictures);
    fs::remove_all(pictures);
    EXPECT_EQ(folder_for_new_files(state), saved) << "what is gone cannot be written to";
}

// Seen as a picture, it is a hairline.
TEST(Offers, ASingleRowOrColumnIsPlotted) {
    for (const auto& [width, height, along] : {std::tuple{500, 1, ProfileLine::Along::row},
                                               {1, 500, ProfileLine::Along::column},
                                               {1, 1, {}},
                                               {500, 2, {}}}) {
        AppState state = state_with_image("/pictures/line.png");
        state.scene.current = 0;
        state.scene.documents[0].image = std::make_shared<const Image>(width, height, 1, SampleType::u8);
        offer_plot(state, state.scene.documents[0]);
        if (std::min(width, height) > 1 || width == height) {
            EXPECT_TRUE(state.messages.empty()) << width;
            continue;
        }
        ASSERT_EQ(state.messages.size(), 1u) << width;
        EXPECT_FALSE(state.messages[0].pointless(state));
        state.messages[0].accept(state);
        EXPECT_EQ(state.ui.dock, Dock::profile);
        EXPECT_EQ(state.scene.profile.along, along);
        EXPECT_TRUE(state.messages[0].pointless(state));
    }
}

TEST(Filmstrips, OfNoFileSayWhyThereIsNone) {
    for (const bool file : {false, true}) {
        AppState state = state_with_image(file ? "/pictures/photo.png" : "@constant");
        state.scene.current = 0;
        press(state, parse_shortcut("Ctrl+T"));
        EXPECT_EQ(state.messages.empty(), file);
        press(state, parse_shortcut("Ctrl+T"));
        EXPECT_EQ(state.messages.size(), file ? 0u : 1u) << "only when it is switched on";
    }
}

TEST(Dialogs, AFieldLeavesTheKeysThatItCannotUse) {
    bool popup = true;
    PictureInput input(
        {[](double, double) { return false; }, [] { return true; }, [&] { return std::exchange(popup, false); }, {}});
    const auto press_in_field = [&](AppState& state, const char* key) {
        const Shortcut shortcut = parse_shortcut(key);
        return input.handle(state, KeyStroke{shortcut.key, shortcut.character, shortcut.modifiers, false, false});
    };
    for (const auto& [key, dialog] : {std::pair{"Ctrl+O", Dialog::browser}, {"F1", Dialog::keys}}) {
        AppState state = state_with_image();
        popup = true;
        EXPECT_TRUE(press_in_field(state, key)) << key;
        EXPECT_EQ(state.ui.dialogs.topmost(), dialog) << key;
        EXPECT_FALSE(popup) << key << ": a menu that is open is in the way";
    }
    AppState state = state_with_image();
    for (const char* key : {"Ctrl+C", "Ctrl+Z", "Ctrl+Shift+Z", "Ctrl+V", "Alt+Enter", "Delete", "Home"})
        EXPECT_FALSE(press_in_field(state, key)) << key;
}

TEST(Dialogs, TheirOwnShortcutAndEscCloseThem) {
    for (const Dialog dialog : all_values<Dialog>) {
        AppState state = state_with_image();
        state.scene.selection = Region{0, 0, 4, 4};
        state.ui.dialogs.open(Dialog::about);
        state.ui.dialogs.open(dialog);
        press(state, parse_shortcut("Esc"));
        EXPECT_FALSE(state.ui.dialogs.has(dialog)) << name_of(dialog);
        EXPECT_EQ(state.ui.dialogs.has(Dialog::about), dialog != Dialog::about);
        EXPECT_TRUE(state.scene.selection);
    }
    AppState state = state_with_image();
    press(state, parse_shortcut("F1"));
    EXPECT_EQ(state.ui.dialogs.topmost(), Dialog::keys);
    press(state, parse_shortcut("?"));  // is typed into its field
    EXPECT_EQ(state.ui.dialogs.topmost(), Dialog::keys);
    press(state, parse_shortcut("F1"));
    EXPECT_FALSE(state.ui.dialogs.topmost());
}

class Overwriting : public testing::Test {
protected:
    void SetUp() override { std::ofstream(photo()) << "the original"; }

    std::string photo() const { return (folder_ / "photo.png").string(); }

    const Folder folder_;
};

TEST_F(Overwriting, AnOpenImageIsNamedAndKeptUntilConfirmed) {
    AppState state = state_with_image(photo());
    toggle_save_window(state.scene, state.ui, UiState::Saving::view);
    state.ui.save_path = (folder_ / "." / "photo.png").string();
    request_saving(state);
    EXPECT_TRUE(state.tasks.empty());
    EXPECT_EQ(state.ui.dialogs.topmost(), Dialog::question);
    EXPECT_EQ(state.question.text, "photo.png is the image you opened; overwrite it?");
    EXPECT_FALSE(state.question.enter_does_it);
    answer(state, false);
    EXPECT_TRUE(state.tasks.empty());
    EXPECT_EQ(state.ui.dialogs.topmost(), Dialog::save);
    request_saving(state);
    press(state, parse_shortcut("Esc"));
    EXPECT_TRUE(state.tasks.empty());
    EXPECT_EQ(state.ui.dialogs.topmost(), Dialog::save);
    request_saving(state);
    answer(state, true);
    ASSERT_EQ(state.tasks.size(), 1u);
    EXPECT_EQ(std::get<task::SaveView>(state.tasks[0]).path, state.ui.save_path);
    EXPECT_FALSE(state.ui.dialogs.topmost());
}

TEST_F(Overwriting, AnyOtherFileAsksTooWithTheExtensionThatIsAdded) {
    AppState state = state_with_image();
    std::ofstream(folder_ / "lesson.json") << "{}";
    toggle_save_window(state.scene, state.ui, UiState::Saving::session);
    state.ui.save_path = (folder_ / "lesson").string();
    request_saving(state);
    EXPECT_TRUE(state.tasks.empty());
    EXPECT_EQ(state.question.text, "lesson.json already exists; overwrite it?");
    answer(state, false);
    state.ui.save_path = (folder_ / "new").string();
    request_saving(state);
    EXPECT_EQ(state.tasks.size(), 1u);
    EXPECT_FALSE(state.ui.dialogs.topmost());
}

TEST_F(Overwriting, AReportAsksBeforeItsPageOrAFullFolder) {
    AppState state = state_with_image();
    state.ui.dialogs.open(Dialog::experiments);
    const fs::path page = folder_ / "report.html", full = folder_, empty = folder_ / "empty", fresh = folder_ / "new";
    std::ofstream(page) << "old";
    fs::create_directory(empty);
    for (const fs::path& path : {page, full}) {
        request_writing(state, path, task::SaveExperiment{path.string()});
        EXPECT_TRUE(state.tasks.empty()) << path;
        EXPECT_EQ(state.ui.dialogs.topmost(), Dialog::question) << path;
        answer(state, false);
    }
    for (const fs::path& path : {empty, fresh}) {
        request_writing(state, path, task::SaveExperiment{path.string()});
        EXPECT_EQ(state.tasks.size(), 1u) << path;
        EXPECT_EQ(state.ui.dialogs.topmost(), Dialog::experiments) << path;
        state.tasks.clear();
    }
}

}  // namespace

// The choices of the export dialog.

namespace {

using ::testing::HasSubstr;

TEST(ExportChoice, WhyItFailedGoesWhenItIsTriedAgainUnderAnotherName) {
    AppState state = with_panes(1);
    toggle_export(state);
    state.ui.exporting.path = "/nowhere/at/all.png";
    post(state.messages, Message::Level::error, "no such folder");
    reopen_saving(state.ui, Dialog::exporting, "no such folder");
    toggle_export(state);
    toggle_export(state);
    state.ui.exporting.path = ::testing::TempDir() + "texelscope-tried-again.png";
    request_export(state);
    EXPECT_EQ(state.tasks.size(), 1u);
    EXPECT_TRUE(state.messages.empty());
}

TEST(ExportChoice, AFactorThatMakesNoPictureIsRefused) {
    AppState state = with_panes(1);
    state.ui.exporting.size = {30, 20};
    for (const double factor : {-3.0, 0.0, 0.0009, 1001.0, double(NAN), double(INFINITY)}) {
        state.ui.exporting.factor = factor;
        try {
            exported_picture(state.scene, state.ui.exporting);
            ADD_FAILURE() << factor;
        } catch (const UsageError& error) {
            EXPECT_THAT(error.what(), HasSubstr("choose one from 0.001 to 1000"));
        }
        EXPECT_NO_THROW({
            state.ui.exporting.by_size = true;
            exported_picture(state.scene, state.ui.exporting);
        }) << "it is not in use";
        state.ui.exporting.by_size = false;
    }
    for (const double factor : {0.001, 2.5, 1000.0}) {
        state.ui.exporting.factor = factor;
        EXPECT_EQ(exported_picture(state.scene, state.ui.exporting).factor.x, factor);
    }
}

TEST(ExportChoice, KnowsWhetherTheFileHasMetadata) {
    AppState state = with_panes(1);
    state.report.file.source = state.scene.documents[0].source;
    state.report.file.facts.metadata = {{"File", "Name", "a.jpg"}, {"JPEG", "Coding", "progressive"}};
    EXPECT_FALSE(has_metadata(state.scene, state.report.file));
    state.report.file.facts.metadata.push_back({"EXIF", "Exposure time", "1/250 s"});
    EXPECT_TRUE(has_metadata(state.scene, state.report.file));
    state.report.file.source = "another";
    EXPECT_FALSE(has_metadata(state.scene, state.report.file));
}

}  // namespace
}  // namespace texelscope::test
