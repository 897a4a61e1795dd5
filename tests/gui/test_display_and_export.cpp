// Displays that drop connections: an X server does, while it starts anew after its last client has gone, and when it ends.

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "app/files/reading/image_files.h"
#include "gpu/core/errors.h"
#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

// The socket of a display, which has no file.
std::pair<sockaddr_un, socklen_t> address_of_display(const std::string& display) {
    const std::string path = "/tmp/.X11-unix/X" + display.substr(1);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path + 1, path.data(), path.size());
    return {address, socklen_t(offsetof(sockaddr_un, sun_path) + 1 + path.size())};
}

int socket_at(const std::string& display, int (*use)(int, const sockaddr*, socklen_t)) {
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto [address, size] = address_of_display(display);
    if (use(descriptor, reinterpret_cast<const sockaddr*>(&address), size) == 0) return descriptor;
    ::close(descriptor);
    return -1;
}

// A display that drops every connection.
class DroppingDisplay {
public:
    DroppingDisplay() {
        for (int number = 700; listening_ < 0 && number < 1000; ++number) {
            display_ = ":" + std::to_string(number);
            listening_ = socket_at(display_, ::bind);
        }
        ::listen(listening_, 16);
        thread_ = std::jthread([this](const std::stop_token& stop) {
            while (!stop.stop_requested()) {
                pollfd asked{listening_, POLLIN, 0};
                if (::poll(&asked, 1, 10) > 0) ::close(::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC));
            }
        });
    }
    ~DroppingDisplay() {
        thread_.request_stop();
        thread_.join();
        ::close(listening_);
    }
    DroppingDisplay(const DroppingDisplay&) = delete;
    DroppingDisplay& operator=(const DroppingDisplay&) = delete;

    const std::string& display() const { return display_; }

private:
    std::string display_;
    int listening_ = -1;
    std::jthread thread_;
};

class DroppedConnections : public ViewerTest {
protected:
    void SetUp() override {
        ViewerTest::SetUp();
        unsetenv("WAYLAND_DISPLAY");
    }

    static Window::Options hidden() { return {.width = 64, .height = 64, .visible = false}; }
};

TEST_F(DroppedConnections, AreNamedIfNoneIsTaken) {
    const DroppingDisplay display;
    setenv("DISPLAY", display.display().c_str(), 1);
    try {
        const Window window(hidden());
        ADD_FAILURE() << "a window without a display";
    } catch (const Unavailable& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("open display " + display.display()));
    }
}

// A pipe or a connection that is closed at the other end is an error of what writes to it, not the end of the program.
TEST_F(DroppedConnections, OfARunningWindowAreSaidInASentence) {
    if (std::getenv("TEXELSCOPE_TEST_DISPLAY")) GTEST_SKIP() << "the display is not the test's to end";
    auto screen = std::make_unique<Screen>();
    ViewerProgram viewer(*screen, {"@rings:64"});
    viewer.settled_state();
    viewer.send(SIGPIPE);
    ASSERT_TRUE(
        viewer.change([&] { viewer.key("2"); },
                      [](const nlohmann::json& s) { return std::string(s.at("spec")).starts_with("bilinear"); }));
    const std::string display = screen->display();
    screen.reset();
    EXPECT_EQ(viewer.wait_for_end(30), 1);
    EXPECT_THAT(viewer.messages(), testing::HasSubstr("the display " + display + " has gone"));
}

}  // namespace

// The export of the whole picture from the real window.

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

// The control that Tab has reached; empty if a field has the keyboard.
std::string tab_stop(const json& state) {
    const json& controls = state.at("controls");
    if (!controls.contains("tab-stop")) return "";
    const auto at = controls.at("tab-stop").get<std::array<float, 4>>();
    for (const auto& [id, box] : controls.items()) {
        const auto other = box.get<std::array<float, 4>>();
        const bool same =
            std::equal(at.begin(), at.end(), other.begin(), [](float a, float b) { return std::abs(a - b) < 1; });
        if (same && id != "tab-stop") return id;
    }
    return "unnamed";
}

// All stops from here until the first one comes again.
std::vector<std::string> tab_stops(ViewerInProcess& viewer, const char* key) {
    std::vector<std::string> stops;
    constexpr int most = 80;
    for (int k = 0; k < most; ++k) {
        viewer.key(key);
        stops.push_back(tab_stop(viewer.settled_state()));
        if (k > 0 && !stops[0].empty() && stops.back() == stops[0]) break;
    }
    return stops;
}

// Every control of the dialog that exports is reached, in both ways; Space and Enter act on it.
TEST_F(Exports, TabReachesEveryControl) {
    const fs::path folder = scratch("tabbed"), file = folder / "small.png", exported = folder / "small-resized.png";
    fs::create_directories(folder);
    write_image(load_image("@rings:20x10"), file);
    ViewerInProcess viewer(*screen_, {file.string()});
    const auto topmost = [](const char* name) { return [name](const json& s) { return s.at("dialog") == name; }; };
    const auto reach = [&](const std::string& control) {
        for (int k = 0; k < 60 && tab_stop(viewer.settled_state()) != control; ++k) viewer.key("Tab");
        EXPECT_EQ(tab_stop(viewer.settled_state()), control);
    };
    viewer.settled_state();
    viewer.click_control("menu:File");
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("file.export"); }, topmost("exporting")));
    viewer.settled_state();
    const std::vector<std::string> forth = tab_stops(viewer, "Tab");
    for (const char* control :
         {"export:size:Factor", "export:size:Width × height", "export:factor:1/4", "export:factor:×8",
          "export:depth:8 bits", "export:linear", "export:browse", "export:export", "export:format"})
        EXPECT_EQ(std::ranges::count(forth, control), forth[0] == control ? 2 : 1) << control;
    EXPECT_EQ(std::ranges::count(forth, ""), 2) << "the fields for the factor and for the path";
    viewer.key("shift+Tab");  // the path's field
    EXPECT_EQ(tab_stops(viewer, "shift+Tab").size(), forth.size());
    reach("export:factor:×3");
    viewer.key("space");
    reach("export:export");
    const auto saved = [](const json& s) { return s.at("messages").dump().find(": saved") != std::string::npos; };
    EXPECT_TRUE(viewer.change([&] { viewer.key("Return"); }, saved, 30));
    EXPECT_EQ(load_image(exported.string()).width(), 60);
    // In each of the others too; a click, or typing, leaves the stop.
    ASSERT_TRUE(viewer.change([&] { viewer.key("ctrl+s"); }, topmost("save")));
    reach("save:kind:Session");
    viewer.key("Return");
    viewer.settled_state();
    viewer.click_control("save:path");
    EXPECT_EQ(tab_stop(viewer.settled_state()), "");
    viewer.key("Escape");
    viewer.settled_state();
    viewer.click_control("menu:Learn");
    viewer.settled_state();
    ASSERT_TRUE(viewer.change([&] { viewer.click_control("learn.experiments"); }, topmost("experiments")));
    reach("experiment:run");
    viewer.key("Escape");
    EXPECT_EQ(viewer.settled_state().at("dialog"), "");
    EXPECT_EQ(tab_stop(viewer.settled_state()), "");
    fs::remove_all(folder);
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
