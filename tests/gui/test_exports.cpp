// The export of the whole picture from the real window.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "app/files/reading/image_files.h"
#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

using Exports = ViewerTest;
class SlowExports : public Exports {};  // much is computed

TEST_F(Exports, ExportWritesWhatResizeDoes) {
    const fs::path file = scratch("small.png"), exported = scratch("exported.png"), resized = scratch("resized.png");
    write_image(load_image("@rings:50x40"), file);
    ViewerInProcess viewer(*screen_, {file.string()});
    viewer.settled_state();
    viewer.key("6");  // Lanczos 3
    viewer.click_control("menu:File");
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("file.export"); },
                              [](const json& s) { return s.at("dialog") == "exporting"; }));
    viewer.click_control("export:factor:×3");
    viewer.settled_state();
    viewer.key("ctrl+a");  // the path has the keyboard
    viewer.settled_state();
    viewer.type(exported.string());
    viewer.settled_state();
    const auto saved = [](const json& s) { return s.at("messages").dump().find(": saved") != std::string::npos; };
    ASSERT_TRUE(viewer.change([&] { viewer.key("Return"); }, saved, 30)) << viewer.settled_state().dump();
    EXPECT_TRUE(viewer.settled_state().at("controls").contains("message:offer"));
    const std::string command = std::string(TEXELSCOPE_PROGRAM) + " resize " + file.string() + " -o " +
                                resized.string() + " --factor 3 --method lanczos3";
    ASSERT_EQ(std::system(command.c_str()), 0);
    const auto bytes = [](const fs::path& path) {
        std::ifstream stream(path, std::ios::binary);
        return std::string{std::istreambuf_iterator<char>(stream), {}};
    };
    EXPECT_FALSE(bytes(resized).empty());
    EXPECT_EQ(bytes(exported), bytes(resized));
    for (const fs::path& path : {file, exported, resized}) fs::remove(path);
}

TEST_F(SlowExports, QuittingWaitsForAnExport) {
    const fs::path exported = scratch("waited-for.png");
    fs::remove(exported);
    ViewerInProcess viewer(*screen_, {"@zone-plate:1024", "--backend", "cpu", "--method", "lanczos4"});
    viewer.settled_state();
    viewer.click_control("menu:File");
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("file.export"); },
                              [](const json& s) { return s.at("dialog") == "exporting"; }));
    viewer.click_control("export:factor:×8");
    viewer.settled_state();
    viewer.key("ctrl+a");
    viewer.settled_state();
    viewer.type(exported.string());
    viewer.settled_state();
    const auto works = [](const std::string& words) {
        return [words](const json& s) { return s.at("work").get<std::string>().starts_with(words); };
    };
    ASSERT_TRUE(viewer.change([&] { viewer.key("Return"); }, works("Export"), 30));
    const auto has = [](const char* control) {
        return [control](const json& s) { return s.at("controls").contains(control); };
    };
    EXPECT_TRUE(viewer.change([] {}, has("status:saving"), 30)) << "not idle";
    ASSERT_TRUE(viewer.change([&] { viewer.key("ctrl+q"); }, works("Export, then close: ")));
    EXPECT_TRUE(viewer.running());
    json cut;  // the words are whole
    EXPECT_TRUE(viewer.change([] {},
                              [&](const json& s) {
                                  for (const auto& [control, box] : s.at("controls").items())
                                      if (control.starts_with("cut:") && control.find("Export") != std::string::npos)
                                          cut.push_back(control);
                                  return s.at("controls").contains("progress:words");
                              }));
    EXPECT_TRUE(cut.empty()) << cut;
    EXPECT_EQ(viewer.wait_for_end(180), 0);
    EXPECT_EQ(read_image(exported.string()).width(), 8 * 1024);
    fs::remove(exported);
}

}  // namespace
}  // namespace texelscope::test
