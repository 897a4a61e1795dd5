// Lessons, presenting and recording in the real program.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "app/files/desktop/desktop.h"
#include "app/files/reading/image_files.h"
#include "tests/gui/viewer_test.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const char* const bare = R"("interface": {"pixel_grid": false, "pixel_values": false, "minimap": false})";

// A lesson of three steps; the first and the last have states, the second asks.
std::string lesson_text(const std::string& first_method) {
    return "# Three steps\n\nFor a test.\n\n## First\n\nText.\n\n```state\n{\"image\": \"@zone-plate:128\", "
           "\"region\": {\"x0\": 30, "
           "\"y0\": 30, \"x1\": 90, \"y1\": 80},\n \"panes\": [{\"spec\": \"" +
           first_method + "\"}], " + bare +
           "}\n```\n\n## Second\n\nText.\n\n? Why?\n\n! Because.\n\n## Third\n\nText.\n\n" +
           "```state\n{\"image\": \"@dead-leaves:128\", \"panes\": [{\"spec\": \"catmull-rom\"}],\n" + bare +
           "}\n```\n\n" + "```source\ngpu/methods/catmull_rom.cpp: weights\n```\n";
}

class Lessons : public ViewerTest {
protected:
    void SetUp() override {
        ViewerTest::SetUp();
        folder_ = scratch("lessons");
        fs::remove_all(folder_);
        fs::create_directories(folder_);
        file_ = folder_ / "three.md";
        write(lesson_text("bilinear"));
    }
    void TearDown() override { fs::remove_all(folder_); }

    void write(const std::string& text) const { std::ofstream(file_) << text; }

    static int step_of(const json& s) { return s.at("lesson").is_null() ? 0 : int(s.at("lesson").at("step")); }
    static bool flag_of(const json& s, const char* name) {
        return !s.at("lesson").is_null() && bool(s.at("lesson").at(name));
    }
    static bool has_message(const json& s, const std::string& part) {
        for (const json& message : s.at("messages"))
            if (std::string(message.at("text")).find(part) != std::string::npos) return true;
        return false;
    }

    fs::path folder_, file_;
};

TEST_F(Lessons, FromEndToEnd) {
    ViewerInProcess viewer(*screen_, {"--lesson", file_.string()});
    const json first = viewer.settled_state();
    EXPECT_EQ(step_of(first), 1);
    EXPECT_EQ(first.at("image"), "@zone-plate:128");
    EXPECT_TRUE(std::string(first.at("spec")).starts_with("bilinear"));
    expect_same_picture(viewer, "the first step");

    // Change something, and return.
    viewer.move_to(0.5, 0.5);
    EXPECT_TRUE(viewer.change([&] { viewer.wheel(4); }, [](const json& s) { return flag_of(s, "left"); }));
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("learn.return"); },
                              [](const json& s) { return !flag_of(s, "left"); }));
    EXPECT_EQ(viewer.settled_state().at("view"), first.at("view"));

    // The controls instead of the text, and a method picked there.
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("lesson:Controls"); },
                              [](const json& s) { return flag_of(s, "controls"); }));
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("method:nearest"); },
                              [](const json& s) { return flag_of(s, "left"); }));
    EXPECT_TRUE(viewer.change(
        [&] { viewer.key("BackSpace"); },
        [](const json& s) { return !flag_of(s, "left") && std::string(s.at("spec")).starts_with("bilinear"); }));

    EXPECT_TRUE(
        viewer.change([&] { viewer.click_control("learn.next"); }, [](const json& s) { return step_of(s) == 2; }));
    EXPECT_EQ(viewer.settled_state().at("image"), "@zone-plate:128");  // has no state
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("learn.answer"); },
                              [](const json& s) { return flag_of(s, "answer"); }));

    EXPECT_TRUE(viewer.change([&] { viewer.key("n"); }, [](const json& s) { return step_of(s) == 3; }));
    EXPECT_TRUE(viewer.settled_state().at("controls").contains("source:weights"));
    expect_same_picture(viewer, "the last step");
    EXPECT_TRUE(
        viewer.change([&] { viewer.click_control("learn:step-1"); }, [](const json& s) { return step_of(s) == 1; }));
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("learn.leave"); },
                              [](const json& s) { return s.at("lesson").is_null(); }));
    EXPECT_NE(std::string(viewer.settled_state().at("image")).find("basilica"), std::string::npos);
}

// Its picture is as large as a photograph, and is prepared for linear light before the step that asks for that is shown.
TEST_F(Lessons, AStepInLinearLightIsShown) {
    ViewerInProcess viewer(*screen_, {"--lesson", "zooming-out#4"});
    viewer.settled_state();
    const auto shown = [](const json& s) {
        return s.at("image") == "@checkerboard-1px:2048" && s.at("loading") == "" && s.contains("size");
    };
    EXPECT_TRUE(viewer.change([&] { viewer.key("n"); }, shown, 30));
}

TEST_F(Lessons, AreListedAndOpenedByMouse) {
    ViewerProgram viewer(*screen_, {"@step:64"});
    viewer.click_control("menu:Learn");
    viewer.click_control("learn.lessons");
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("lesson:half-texel"); },
                              [](const json& s) { return step_of(s) == 1; }));
    EXPECT_EQ(viewer.settled_state().at("lesson").at("name"), "half-texel");
}

TEST_F(Lessons, AFileIsReadAgainWhenItChanges) {
    ViewerInProcess viewer(*screen_, {"--lesson", file_.string()});
    viewer.settled_state();
    EXPECT_TRUE(viewer.change([&] { write(lesson_text("lanczos3")); },
                              [](const json& s) { return std::string(s.at("spec")).starts_with("lanczos3"); }));
    EXPECT_TRUE(viewer.change([&] { write(lesson_text("bicubix")); },
                              [](const json& s) { return has_message(s, "three.md:11: "); }));
    EXPECT_TRUE(viewer.change(
        [&] { write(lesson_text("nearest")); },
        [](const json& s) { return std::string(s.at("spec")).starts_with("nearest") && !has_message(s, "three.md"); }));
}

TEST_F(Lessons, AStepSaysWhichImageItLacks) {
    fs::copy_file(file_, folder_ / "junk.png");  // exists, but is not an image
    std::string text = lesson_text("nearest");
    text.replace(text.find("@dead-leaves:128"), 16, "junk.png");
    write(text);
    ViewerInProcess viewer(*screen_, {"--lesson", file_.string() + "#2"});
    EXPECT_EQ(step_of(viewer.settled_state()), 2);
    EXPECT_TRUE(
        viewer.change([&] { viewer.key("alt+Right"); },
                      [](const json& s) { return has_message(s, "three.md:22: ") && has_message(s, "junk.png: "); }));
    EXPECT_EQ(step_of(viewer.settled_state()), 2);
    text.replace(text.find("junk.png"), 8, "nofile.png");
    EXPECT_TRUE(viewer.change([&] { write(text); },
                              [](const json& s) { return has_message(s, "three.md:27: there is no image"); }));
}

TEST_F(Lessons, LongMessagesLeaveThePictureItsSize) {
    const auto picture = [&](const std::string& file) {
        ViewerInProcess viewer(*screen_, {(folder_ / file).string()});
        const json state = viewer.settled_state();
        EXPECT_TRUE(has_message(state, "no such file"));
        return state.at("picture");
    };
    EXPECT_EQ(picture("a.png"), picture(std::string(240, 'W') + ".png"));
}

TEST_F(Lessons, PresenterModeIsThePictureAndTheText) {
    ViewerInProcess viewer(*screen_, {"--lesson", file_.string()});
    viewer.move_to(0.9, 0.9);
    viewer.settled_state();
    EXPECT_TRUE(viewer.change([&] { viewer.key("F10"); }, [](const json& s) { return bool(s.at("presenter")); }));
    const json state = viewer.settled_state();
    EXPECT_EQ(state.at("picture").at(0), 0);
    EXPECT_EQ(state.at("picture").at(1), 0);
    EXPECT_LT(int(state.at("picture").at(3)), 800);
    EXPECT_TRUE(state.at("controls").contains("learn.next"));
    EXPECT_FALSE(state.at("controls").contains("menu:File"));
    EXPECT_TRUE(viewer.change([&] { viewer.key("alt+Right"); }, [](const json& s) { return step_of(s) == 2; }));
    EXPECT_TRUE(viewer.change([&] { viewer.key("Escape"); }, [](const json& s) { return !s.at("presenter"); }));
    EXPECT_TRUE(viewer.settled_state().at("controls").contains("menu:File"));
}

// Beside the picture, wherever the program was started.
TEST_F(Lessons, RecordingMakesAVideoOrPictures) {
    const CurrentFolder inside(folder_ / "elsewhere");
    write_image(load_image("@step:64"), folder_ / "step.png");
    ViewerInProcess viewer(*screen_, {(folder_ / "step.png").string()});
    viewer.settled_state();
    const bool video = !program_on_path("ffmpeg").empty();
    if (!video) {  // it asks first
        EXPECT_TRUE(viewer.change([&] { viewer.key("ctrl+shift+r"); },
                                  [](const json& s) { return s.at("dialog") == "question"; }));
        EXPECT_FALSE(fs::exists(folder_ / "texelscope-recording"));
    }
    EXPECT_TRUE(viewer.change([&] { viewer.key(video ? "ctrl+shift+r" : "Return"); },
                              [](const json& s) { return s.at("recording") != ""; }));
    EXPECT_TRUE(viewer.change([&] { viewer.key("2"); },
                              [](const json& s) { return std::string(s.at("spec")).starts_with("bilinear"); }));
    EXPECT_TRUE(
        viewer.change([&] { viewer.key("ctrl+shift+r"); }, [](const json& s) { return has_message(s, "saved"); }, 60));
    const fs::path made = folder_ / (video ? "texelscope-recording.mp4" : "texelscope-recording");
    ASSERT_TRUE(fs::exists(made));
    if (video) {
        EXPECT_GT(fs::file_size(made), 1000u);
    } else {
        EXPECT_EQ(read_image((made / "frame-000001.png").string()).width(), 1280);
    }
}

// Without ffmpeg, it asks before it starts.
void start_recording(ViewerInProcess& viewer) {
    const Variable none("PATH", "/nonexistent");
    ASSERT_TRUE(
        viewer.change([&] { viewer.key("ctrl+shift+r"); }, [](const json& s) { return s.at("dialog") == "question"; }));
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.key("Return"); }, [](const json& s) { return s.at("recording") != ""; }));
}

TEST_F(Lessons, PresenterModeSaysThatItIsRecordedAndWhere) {
    const Variable home("HOME", folder_.string());
    ViewerInProcess viewer(*screen_, {"--lesson", file_.string()});
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.key("F10"); }, [](const json& s) { return bool(s.at("presenter")); }));
    EXPECT_FALSE(viewer.settled_state().at("controls").contains("recording"));
    start_recording(viewer);
    viewer.pass(0.2);
    EXPECT_TRUE(viewer.settled_state().at("controls").contains("recording"));
    ASSERT_TRUE(viewer.change(
        [&] { viewer.key("ctrl+shift+r"); },
        [](const json& s) { return has_message(s, "saved") && s.at("controls").contains("message:offer"); }, 60));
    EXPECT_TRUE(viewer.settled_state().at("presenter"));
    EXPECT_FALSE(viewer.settled_state().at("controls").contains("recording"));
    EXPECT_TRUE(has_message(viewer.settled_state(), (folder_ / "texelscope-recording").string() + ": saved"));
}

// What one program's frames are: the text below the picture, and whether that is white.
TEST_F(Lessons, NoRecordedFrameHasThePictureOfOneStepAndTheTextOfAnother) {
    for (const auto& [name, level] : {std::pair{"black.png", 0}, {"white.png", 255}}) {
        Image image(128, 64, 1, SampleType::u8);
        std::fill_n(image.row_as<uint8_t>(0), 128 * 64, uint8_t(level));
        write_image(image, (folder_ / name).string());
    }
    write(std::string("# Two steps\n\nFor a test.\n\n## Dark\n\nText.\n\n```state\n{\"image\": \"black.png\", ") +
          bare + "}\n```\n\n## Light\n\nWords.\n\n```state\n{\"image\": \"white.png\", " + bare + "}\n```\n");
    ViewerInProcess viewer(*screen_, {"--lesson", file_.string()});
    viewer.draw_always();
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.key("F10"); }, [](const json& s) { return bool(s.at("presenter")); }));
    const auto place = viewer.settled_state().at("picture").get<std::array<int, 4>>();
    start_recording(viewer);
    viewer.pass(0.2);
    const auto sign = viewer.settled_state().at("controls").at("recording").get<std::array<float, 4>>();
    ASSERT_TRUE(viewer.change([&] { viewer.key("alt+Right"); }, [](const json& s) { return step_of(s) == 2; }));
    viewer.pass(0.2);  // what that turn has drawn was on the screen until now
    viewer.settled_state();
    ASSERT_EQ(viewer.settled_state().at("picture"), json(place)) << "the texts are equally long";
    ASSERT_TRUE(
        viewer.change([&] { viewer.key("ctrl+shift+r"); }, [](const json& s) { return has_message(s, "saved"); }, 60));
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_ / "texelscope-recording")) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    ASSERT_GE(files.size(), 8u);
    const int below = place[1] + place[3] + 4;
    const auto text_of = [&](const Image& frame) {
        const std::byte* first = frame.row(below);
        return std::vector<std::byte>(first, first + size_t(frame.height() - below) * frame.row_bytes());
    };
    const auto is_white = [&](const Image& frame) {
        return frame.value(place[0] + place[2] / 4, place[1] + place[3] / 2, 0) > 0.5f;
    };
    const auto shows_sign = [&](const Image& frame) {  // whose dot is red; all else there is grey
        for (int y = int(sign[1]); y < int(sign[1] + sign[3]); ++y)
            for (int x = int(sign[0]); x < int(sign[0] + sign[2]); ++x)
                if (frame.value(x, y, 0) > 0.3f + std::max(frame.value(x, y, 1), frame.value(x, y, 2))) return true;
        return false;
    };
    const auto last = text_of(read_image(files.back().string()));
    int whites = 0;
    for (const fs::path& file : files) {
        const Image frame = read_image(file.string());
        EXPECT_EQ(text_of(frame) == last, is_white(frame)) << file;
        EXPECT_FALSE(shows_sign(frame)) << file;
        whites += is_white(frame);
    }
    EXPECT_GT(whites, 0);
    EXPECT_LT(whites, int(files.size()));
}

TEST_F(Lessons, ScreenshotsAndWrongUse) {
    const std::map<std::string, std::string> display = {{"DISPLAY", screen_->display()}, {"WAYLAND_DISPLAY", ""}};
    const std::string shot = (folder_ / "shot.png").string();
    EXPECT_EQ(run({TEXELSCOPE_PROGRAM, "--lesson", file_.string() + "#3", "--screenshot", shot, "--window", "640x480"},
                  display),
              0);
    EXPECT_EQ(read_image(shot).width(), 640);
    EXPECT_EQ(run({TEXELSCOPE_PROGRAM, "--lesson", file_.string() + "#4", "--screenshot", shot}, display), 2);
    EXPECT_EQ(run({TEXELSCOPE_PROGRAM, "--lesson", "no-such-lesson", "--screenshot", shot}, display), 2);
    EXPECT_EQ(run({TEXELSCOPE_PROGRAM, "@step", "--lesson", file_.string(), "--screenshot", shot}, display), 2);
    write("# No step\n");
    EXPECT_EQ(run({TEXELSCOPE_PROGRAM, "--lesson", file_.string(), "--screenshot", shot}, display), 1);
}

TEST_F(Lessons, AnAnswerScrollsIntoViewWhole) {
    ViewerInProcess viewer(*screen_, {"--lesson", "half-texel#3"});
    for (const int height : {720, 690, 660, 630}) {
        viewer.resize(1280, height);
        viewer.settled_state();
        ASSERT_TRUE(viewer.change([&] { viewer.key("q"); },
                                  [](const json& s) { return !s.at("controls").contains("learn.answer"); }));
        const json controls = viewer.settled_state().at("controls");
        const auto question = controls.at("lesson:question").get<std::array<float, 4>>();
        EXPECT_LE(question[1] + question[3], controls.at("learn.next").at(1).get<float>()) << height;
        ASSERT_TRUE(viewer.change([&] { viewer.key("q"); },
                                  [](const json& s) { return s.at("controls").contains("learn.answer"); }));
    }
}

// So much text that its question is out of sight, and a hint of several lines.
TEST_F(Lessons, AHintScrollsIntoViewWhole) {
    std::string text = "# Long\n\nFor a test.\n\n## Step\n\n";
    for (int k = 0; k < 40; ++k) text += "A paragraph.\n\n";
    text += "? How much?\n\n= 42\n= 7 | ";
    for (int k = 0; k < 30; ++k) text += "Words of a hint. ";
    write(text + "\n\n! So much.\n\n## Second\n\nText.\n");
    ViewerInProcess viewer(*screen_, {"--lesson", file_.string()});
    const auto box = [](const json& s, const char* id) { return s.at("controls").at(id).get<std::array<float, 4>>(); };
    for (const int height : {720, 640}) {
        viewer.resize(1280, height);
        viewer.settled_state();
        viewer.key("alt+Right");
        viewer.settled_state();
        viewer.key("alt+Left");
        for (int k = 0; k < 30; ++k) viewer.key("alt+Down");
        const auto asked = box(viewer.settled_state(), "lesson:question");
        viewer.click_control("learn:number");
        viewer.settled_state();
        viewer.type("7");
        ASSERT_TRUE(viewer.change([&] { viewer.key("Return"); },
                                  [](const json& s) { return s.at("lesson").at("chosen") == 1; }));
        const json state = viewer.settled_state();
        const auto question = box(state, "lesson:question"), answer = box(state, "learn.answer");
        EXPECT_GT(question[3], asked[3] + 60) << "the hint is there";
        EXPECT_LE(question[1] + question[3], box(state, "learn.next")[1]) << height;
        EXPECT_LE(answer[1] + answer[3], box(state, "learn.next")[1]) << height;
    }
}

// Nine fetches, whose frames overlap.
TEST_F(Lessons, FractionsOfFetchesDoNotCoverEachOther) {
    ViewerInProcess viewer(*screen_, {"--lesson", "catmull-rom#4"});
    for (const bool presents : {false, true}) {
        viewer.resize(1280, 720);
        if (presents) viewer.key("F10");
        const json state = viewer.settled_state();
        std::vector<std::array<float, 4>> boxes;
        for (const auto& [id, box] : state.at("controls").items())
            if (id.starts_with("fraction:")) boxes.push_back(box.get<std::array<float, 4>>());
        EXPECT_GE(boxes.size(), 1u) << "that of the fetch in the middle, which blends";
        for (size_t i = 0; i < boxes.size(); ++i)
            for (size_t k = 0; k < i; ++k) {
                const auto &a = boxes[i], &b = boxes[k];
                EXPECT_TRUE(a[0] + a[2] <= b[0] || b[0] + b[2] <= a[0] || a[1] + a[3] <= b[1] || b[1] + b[3] <= a[1])
                    << json(a).dump() << " " << json(b).dump();
            }
    }
}

// What a step's words call the plots that are seen: their axes have their labels.
TEST_F(Lessons, PlotsOfAStepAreWhole) {
    const std::pair<const char*, std::vector<const char*>> steps[] = {
        {"four-fetches#4", {"axis:plot:fetch-weight", "axis:plot:fetch-place"}},
        {"a-line-of-samples#3", {"axis:plot:stage-parts", "axis:plot:stage-spectrum"}}};
    for (const auto& [step, axes] : steps) {
        ViewerInProcess viewer(*screen_, {"--lesson", step});
        viewer.resize(1280, 720);
        for (const bool presents : {false, true}) {
            if (presents) viewer.key("F10");
            const json state = viewer.settled_state();
            const auto picture = state.at("picture").get<std::array<int, 4>>();
            for (const char* axis : axes) {
                ASSERT_TRUE(state.at("controls").contains(axis)) << step << " " << axis;
                const auto box = state.at("controls").at(axis).get<std::array<float, 4>>();
                EXPECT_LE(box[1] + box[3], float(picture[1] + picture[3])) << step << " " << axis;
            }
        }
    }
}

// Also the punctuation at the end of a line that is continued below.
TEST_F(Lessons, CodeEndsBesideTheScrollBar) {
    ViewerInProcess viewer(*screen_, {"--lesson", "reading-the-kernel#3"});
    viewer.resize(1280, 720);
    viewer.key("F10");
    const json controls = viewer.settled_state().at("controls");
    const auto whole = controls.at("source:affine_position").get<std::array<float, 4>>();
    int marked = 0;
    for (const auto& [id, box] : controls.items()) {
        if (!id.starts_with("source:line-")) continue;
        ++marked;
        EXPECT_LE(box.at(0).get<float>() + box.at(2).get<float>(), whole[0] + whole[2]) << id;
    }
    EXPECT_GE(marked, 1);
}

}  // namespace
}  // namespace texelscope::test
