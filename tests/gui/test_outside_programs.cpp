// Other programs: as methods of panes, asked about, run, kept; and those that push images into the window.

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "app/files/reading/image_files.h"
#include "app/state/scene.h"
#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// A program that every system has: it repeats each sample and each row of a binary PPM, and leaves a mark that it ran.
class OutsidePrograms : public ViewerTest {
protected:
    void SetUp() override {
        ViewerTest::SetUp();
        fs::create_directories(folder_);
        write_image(load_image("@dead-leaves:64"), picture_);
        std::ofstream(doubles_) << "import sys\n"
                                   "data = open(sys.argv[1], 'rb').read()\n"
                                   "head, size, most, rest = data.split(b'\\n', 3)\n"
                                   "w, h = map(int, size.split())\n"
                                   "assert head == b'P6', head\n"
                                   "n = int(sys.argv[4]) if len(sys.argv) > 4 else 2\n"
                                   "rows = [rest[3 * w * y:3 * w * (y + 1)] for y in range(h)]\n"
                                   "wide = [b''.join(row[3 * x:3 * x + 3] * n for x in range(w)) for row in rows]\n"
                                   "out = b''.join(row * n for row in wide)\n"
                                   "open(sys.argv[2], 'wb').write(b'P6\\n%d %d\\n255\\n' % (n * w, n * h) + out)\n"
                                   "open(sys.argv[3], 'a').write('ran ')\n";
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::string command() const { return TEXELSCOPE_PYTHON " " + doubles_ + " {in.ppm} {out.ppm} " + mark_; }
    // The picture, and beside it what the program makes of it.
    void write_session() const {
        const json content = {{"texelscope", 1},
                              {"images", {{{"source", picture_}}, {{"source", made()}}}},
                              {"panes", {{{"spec", "nearest"}}, {{"spec", "nearest"}, {"image", made()}}}},
                              {"arrangement", "columns"}};
        std::ofstream(session_) << content.dump();
    }
    std::string made() const { return ProgramSource{2, command(), picture_}.text(); }
    bool ran() const { return fs::exists(mark_); }

    static bool asks(const json& s) { return s.at("dialog") == "question"; }
    static bool shows_it(const json& s) { return s.at("figures").size() == 2 && !s.at("figures").at(1).is_null(); }

    const fs::path folder_ = scratch("programs");
    std::string picture_ = (folder_ / "p.png").string(), doubles_ = (folder_ / "double.py").string(),
                mark_ = (folder_ / "ran").string(), session_ = (folder_ / "s.json").string();
};

TEST_F(OutsidePrograms, ASessionWithACommandAsksFirst) {
    write_session();
    {  // refused: nothing runs, and the other pane is there
        ViewerInProcess viewer(*screen_, {session_});
        ASSERT_TRUE(asks(viewer.settled_state()) || viewer.change([] {}, asks));
        EXPECT_FALSE(ran());
        viewer.click_control("question:no");
        viewer.settled_state();
        EXPECT_FALSE(ran());
    }
    {  // allowed: it runs
        ViewerInProcess viewer(*screen_, {session_});
        ASSERT_TRUE(asks(viewer.settled_state()) || viewer.change([] {}, asks));
        ASSERT_TRUE(viewer.change([&] { viewer.click_control("question:yes"); }, shows_it, 30));
        EXPECT_TRUE(ran());
        EXPECT_FALSE(viewer.rendered_pane(1).empty());
    }
}

TEST_F(OutsidePrograms, ScriptsMayAllowThem) {
    mark_ = (folder_ / "for-scripts").string();  // another command: this process keeps what one has made
    write_session();
    ViewerInProcess viewer(*screen_, {session_, "--allow-commands"});
    ASSERT_TRUE(shows_it(viewer.settled_state()) || viewer.change([] {}, shows_it, 30));
    EXPECT_TRUE(ran());
}

TEST_F(OutsidePrograms, TheMenuHasADialogForOne) {
    ViewerInProcess viewer(*screen_, {picture_});
    viewer.settled_state();
    viewer.click_control("menu:Method");
    viewer.click_control("method.program");
    EXPECT_EQ(viewer.settled_state().at("dialog"), "program");
    viewer.key("Escape");
    EXPECT_NE(viewer.settled_state().at("dialog"), "program");
}

// Programs and results of panes count for all pictures: the programs once they are allowed, the results by the pictures' names.
TEST_F(OutsidePrograms, AndResultsOfPanesAreJudgedOverAllOpenPictures) {
    mark_ = (folder_ / "for-all").string();
    fs::create_directories(folder_ / "made");
    json images = json::array();
    for (const char* source : {"@dead-leaves:96", "@basilica:96", "@rings:96"}) {
        const std::string file = std::string(source).substr(1, 4) + ".png";
        write_image(load_image(source), folder_ / file);
        write_image(load_image(source), folder_ / "made" / file);  // so good that it must win
        images.push_back({{"source", (folder_ / file).string()}});
    }
    picture_ = images.at(0).at("source");
    const std::string result = (folder_ / "made" / fs::path(picture_).filename()).string(),
                      program = ProgramSource{2, command() + " {factor}", picture_}.text();
    images.push_back({{"source", result}});
    images.push_back({{"source", program}});
    std::ofstream(session_) << json{
        {"texelscope", 1},
        {"images", images},
        {"panes",
         {{{"spec", "nearest"}}, {{"spec", "nearest"}, {"image", result}}, {{"spec", "nearest"}, {"image", program}}}},
        {"arrangement", "columns"}}.dump();
    ViewerInProcess viewer(*screen_, {session_});
    ASSERT_TRUE(asks(viewer.settled_state()) || viewer.change([] {}, asks));
    viewer.click_control("question:no");
    viewer.settled_state();
    viewer.click_control("menu:Compare");
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("compare.best"); }, asks)) << "it has still to be allowed";
    EXPECT_FALSE(ran());
    const auto found = [](const json& s) {
        return !s.at("restoring").at("running") && !s.at("restoring").at("methods").empty();
    };
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("question:yes"); }, found, 60));
    EXPECT_TRUE(ran());
    viewer.click_control("restoring:methods:The 3 panes'");
    viewer.settled_state();
    const auto judged = [](const json& s) {
        const json& all = s.at("restoring").at("pictures");
        return !s.at("restoring").at("running") && !all.is_null() && all.at("judged") == 3;
    };
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("restoring:pictures:All 3 open"); }, judged, 60))
        << viewer.settled_state().at("restoring");
    const std::vector<std::string> methods =
        viewer.settled_state().at("restoring").at("pictures").at("methods").get<std::vector<std::string>>();
    ASSERT_EQ(methods.size(), 3u);
    EXPECT_EQ(methods.at(0), "result:made");
    EXPECT_EQ(std::count(methods.begin(), methods.end(), "command:" + command() + " {factor}"), 1);
}

// Enter runs it. One that fails leaves the pane its picture, and the dialog says why: the command can be mended there.
TEST_F(OutsidePrograms, OneThatFailsCanBeMended) {
    ViewerInProcess viewer(*screen_, {picture_});
    const json before = viewer.settled_state();
    const auto says_why = [](const json& s) {
        return s.at("dialog") == "program" && s.at("controls").contains("program:refused");
    };
    viewer.click_control("menu:Method");
    viewer.click_control("method.program");
    viewer.settled_state();
    viewer.key("ctrl+a");
    viewer.type("cp {in} {out}");  // the result has not grown
    ASSERT_TRUE(viewer.change([&] { viewer.key("Return"); }, says_why, 30));
    const json after = viewer.settled_state();
    EXPECT_EQ(after.at("session").at("panes"), before.at("session").at("panes"));
    EXPECT_FALSE(after.at("session").at("panes").at(0).contains("image"));
    viewer.key("ctrl+a");
    viewer.type(command());
    viewer.click_control("program:factor:×2");
    const auto grown = [](const json& s) {
        return s.at("dialog") != "program" && s.at("session").at("panes").at(0).contains("image") &&
               !s.at("figures").at(0).is_null();
    };
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("program:run"); }, grown, 30))
        << viewer.settled_state().at("messages");
}

// Figures of several open pictures, and a click on the worst one.
TEST_F(OutsidePrograms, AllOpenPicturesAreJudgedTogether) {
    std::vector<std::string> pictures;
    for (const char* source : {"@dead-leaves:96", "@basilica:96", "@rings:96"}) {
        pictures.push_back((folder_ / (std::string(source).substr(1, 4) + ".png")).string());
        write_image(load_image(source), pictures.back());
    }
    pictures.push_back((folder_ / "tiny.png").string());
    write_image(load_image("@dead-leaves:8"), pictures.back());
    ViewerInProcess viewer(*screen_, pictures);
    viewer.settled_state();
    viewer.click_control("menu:Compare");
    const auto found = [](const json& s) {
        return !s.at("restoring").at("running") && !s.at("restoring").at("methods").empty();
    };
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("compare.best"); }, found, 60));
    viewer.click_control("restoring:methods:The pane's");
    viewer.settled_state();
    const auto judged = [](const json& s) {
        const json& all = s.at("restoring").at("pictures");
        return !s.at("restoring").at("running") && !all.is_null() && all.at("judged") == 3;
    };
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("restoring:pictures:All 4 open"); }, judged, 60));
    const json state = viewer.settled_state();
    EXPECT_NE(state.at("restoring").at("pictures").at("verdict").get<std::string>().find("pictures"),
              std::string::npos);
    const json left_out = state.at("restoring").at("pictures").at("left_out");
    ASSERT_EQ(left_out.size(), 1u);
    EXPECT_NE(left_out.at(0).get<std::string>().find("tiny.png: "), std::string::npos) << left_out;
    const std::string method = state.at("restoring").at("pictures").at("methods").at(0);
    const auto opened = [](const json& s) {
        return s.at("dialog") != "restoring" && s.at("session").at("reference").contains("image");
    };
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("restoring:worst-" + method); }, opened, 20))
        << viewer.settled_state().at("dialog") << viewer.settled_state().at("messages")
        << viewer.settled_state().at("session").at("reference");
}

// As other programs shrink: without antialiasing, and by a recipe. The panes of the best show that small picture.
TEST_F(OutsidePrograms, PicturesAreShrunkAsOtherProgramsDo) {
    write_image(load_image("@basilica:160"), picture_);
    ViewerInProcess viewer(*screen_, {picture_});
    viewer.settled_state();
    viewer.click_control("menu:Compare");
    const auto found = [](const json& s) {
        return !s.at("restoring").at("running") && !s.at("restoring").at("methods").empty();
    };
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("compare.best"); }, found, 60));
    viewer.click_control("restoring:methods:The pane's");
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("restoring:antialias:Off"); }, found, 60));
    const auto shows = [&](const std::string& source) {
        return [source](const json& s) { return s.at("session").dump().find(source) != std::string::npos; };
    };
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("restoring:show-best"); },
                              shows("@shrunk:4:lanczos3:stored,aliased:" + picture_), 30))
        << viewer.settled_state().at("session");
    viewer.key("ctrl+z");
    viewer.settled_state();
    viewer.click_control("menu:Compare");
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("compare.best"); }, found, 60));
    viewer.click_control("restoring:filter");
    const json list = viewer.settled_state().at("controls").at("restoring:filter-bilinear");
    viewer.move_pointer(list.at(0).get<int>() + list.at(2).get<int>() / 2, list.at(1).get<int>() + 4);
    const std::string recipe = "restoring:filter-like:pillow/bicubic";
    for (int round = 0; round < 40 && !viewer.settled_state().at("controls").contains(recipe); ++round)
        viewer.wheel(-1);
    ASSERT_TRUE(viewer.change([&] { viewer.click_control(recipe); }, found, 60));
    EXPECT_FALSE(viewer.settled_state().at("controls").contains("restoring:antialias:Off")) << "the recipe says it";
    EXPECT_TRUE(viewer.change([&] { viewer.click_control("restoring:show-best"); },
                              shows("@shrunk:4:like:pillow/bicubic:stored:" + picture_), 30))
        << viewer.settled_state().at("session");
}

// Other programs push images into the real window.

using Pushing = ViewerTest;

// Runs Python after the class of the example client was read; 77: no NumPy here.
int run_python(const ViewerUnderTest& viewer, const std::string& code) {
    const std::string begin =
        "import sys\ntry:\n  import numpy as np\nexcept ImportError:\n  sys.exit(77)\n"
        "sys.path.insert(0, '" TEXELSCOPE_SOURCE_DIR
        "/examples')\nsys.dont_write_bytecode = True\n"
        "from push_frames import Window\nwindow = Window()\n";
    return run({TEXELSCOPE_PYTHON, "-c", begin + code}, {{"XDG_RUNTIME_DIR", viewer.runtime_folder()}});
}

std::array<int, 3> middle_of(const Image& picture) {
    const uint8_t* pixel = picture.row_as<uint8_t>(picture.height() / 2) + 3 * (picture.width() / 2);
    return {pixel[0], pixel[1], pixel[2]};
}

TEST_F(Pushing, ANumPyProgramShowsAndReplacesAnImage) {
    ViewerProgram viewer(*screen_, {"@constant:16"});
    int status = -1;
    const bool shown = viewer.change(
        [&] {
            status = run_python(viewer,
                                "a = np.full((48, 64, 3), (200, 40, 120), np.uint8)\n"
                                "for i in range(20): window.show('wave', a // (20 - i))\n"
                                "window.show('flat', a[:, :, 0] / 500.)\n");
        },
        [](const json& s) { return s.at("image") == "@pushed:flat"; });
    if (status == 77) GTEST_SKIP() << "no NumPy here";
    ASSERT_EQ(status, 0);
    ASSERT_TRUE(shown);
    EXPECT_EQ(middle_of(viewer.shown_picture()), (std::array{102, 102, 102}));  // 0.4
    ASSERT_TRUE(
        viewer.change([&] { viewer.key("Prior"); }, [](const json& s) { return s.at("image") == "@pushed:wave"; }));
    EXPECT_EQ(middle_of(viewer.shown_picture()), (std::array{200, 40, 120}));  // the last of twenty

    // Through shared memory, under the view that was chosen; then nonsense, which changes nothing.
    viewer.move_to(0.5, 0.5);
    viewer.wheel(8);
    const json view = viewer.settled_state().at("view");
    ASSERT_TRUE(viewer.change(
        [&] {
            status = run_python(viewer,
                                "a = np.full((48, 64, 3), (1000, 65535, 30000), np.uint16)\n"
                                "window.show('wave', a, shared=True)\n"
                                "window.socket.sendall(b'nonsense\\n')\n"
                                "try:\n  window._check_answer()\n  sys.exit(3)\n"
                                "except RuntimeError as error:\n  assert 'JSON' in str(error)\n");
        },
        [](const json& s) { return s.at("messages").dump().find("not a line of JSON") != std::string::npos; }));
    EXPECT_EQ(status, 0);
    EXPECT_EQ(viewer.settled_state().at("view"), view);
    EXPECT_EQ(middle_of(viewer.shown_picture()), (std::array{4, 255, 117}));

    const std::string file = scratch("reused.ppm");
    write_image(Image(20, 10, 3, SampleType::u8), file);
    const auto reuse = [&] {
        EXPECT_EQ(run({TEXELSCOPE_PROGRAM, "--reuse", file}, {{"XDG_RUNTIME_DIR", viewer.runtime_folder()}}), 0);
    };
    EXPECT_TRUE(viewer.change(reuse, [&](const json& s) { return s.at("image") == file; }));
    std::filesystem::remove(file);
}

// By a program, and by hand in the list of open images, wherever it is shown.
TEST_F(Pushing, APushedImageIsClosed) {
    ViewerProgram viewer(*screen_, {"@constant:16"});
    const auto push = [&](const std::vector<std::string>& arguments) {
        std::vector<std::string> all = {std::string(TEXELSCOPE_PROGRAM), "push"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        return run(all, {{"XDG_RUNTIME_DIR", viewer.runtime_folder()}});
    };
    const auto shows = [](const char* source) { return [=](const json& s) { return s.at("image") == source; }; };
    const auto documents = [](size_t count) {  // a session with a single image has no list of them
        return [=](const json& s) { return s.at("session").value("images", json::array({1})).size() == count; };
    };
    ASSERT_TRUE(viewer.change([&] { EXPECT_EQ(push({"@step:32", "--name", "a"}), 0); }, shows("@pushed:a")));
    ASSERT_TRUE(viewer.change([&] { EXPECT_EQ(push({"@step:48", "--name", "b"}), 0); }, shows("@pushed:b")));
    ASSERT_TRUE(viewer.change([&] { EXPECT_EQ(push({"--close", "a"}), 0); }, documents(2))) << "one that is not shown";
    EXPECT_TRUE(shows("@pushed:b")(viewer.settled_state()));
    ASSERT_TRUE(viewer.change([&] { EXPECT_EQ(push({"--close", "b"}), 0); }, shows("@constant:16")));
    EXPECT_NE(push({"--close", "b"}), 0) << "it is closed";
    EXPECT_EQ(viewer.settled_state().at("messages").dump().find("pushed"), std::string::npos)
        << "only the program is told";

    ASSERT_TRUE(viewer.change([&] { EXPECT_EQ(push({"@step:32", "--name", "c"}), 0); }, shows("@pushed:c")));
    if (!viewer.settled_state().at("controls").contains("image:opened")) viewer.click_control("section:Image");
    viewer.settled_state();
    viewer.click_control("image:opened");
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("image:close:c"); }, shows("@constant:16")));
    EXPECT_TRUE(documents(1)(viewer.settled_state()));
}

}  // namespace
}  // namespace texelscope::test
