// Images that other programs push into the real window.

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "app/files/reading/image_files.h"
#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

using nlohmann::json;

using Pushing = ViewerTest;

// Other programs show images in the real window.

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
