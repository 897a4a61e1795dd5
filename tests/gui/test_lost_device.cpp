// A GPU that is started after the first frames, one that stops for good while the program runs, and pixel buffers that
// OpenGL loses. With a GPU, BrokenDevice really writes to an illegal address; some drivers are slow, or draw nothing, for
// minutes after that, so the others pretend.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include <glad/gl.h>

#include "app/files/reading/image_files.h"
#include "app/picture/frame/cursor_readouts.h"
#include "app/picture/frame/measurer.h"
#include "tests/gui/viewer_test.h"
#include "tests/support/backends.h"

namespace texelscope::test {
namespace {

using nlohmann::json;

std::string with_text(const json& state, const std::string& text) {
    for (const json& message : state.at("messages"))
        if (std::string(message.at("text")).find(text) != std::string::npos) return message.at("text");
    return "";
}

const std::string stopped = "The GPU stopped answering (";

// Switching to another presenter takes seconds on a GPU, during which the viewer draws nothing.
bool tells_that_it_stopped(ViewerUnderTest& viewer) {
    return !with_text(viewer.settled_state(), stopped).empty() ||
           viewer.change([&] { viewer.key("Left"); }, [](const json& s) { return !with_text(s, stopped).empty(); }, 60);
}

// The largest difference of two pictures of equal size; 256 for others, and for none.
int levels_between(const Image& a, const Image& b) {
    if (a.empty() || a.width() != b.width() || a.height() != b.height()) return 256;
    int most = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < 3 * a.width(); ++x)
            most = std::max(most, std::abs(a.row_as<uint8_t>(y)[x] - b.row_as<uint8_t>(y)[x]));
    return most;
}

using BrokenDevice = ViewerTest;
using LostDevice = ViewerTest;
using StartedDevice = ViewerTest;

TEST_F(BrokenDevice, KeepsImageViewPanesAndUndo) {
    ViewerProgram viewer(*screen_,
                         {"@dead-leaves:700x500", "--zoom", "2", "--rotate", "12", "--debug-lose-device", "4"});
    viewer.move_to(0.5, 0.5);
    ASSERT_TRUE(viewer.change([&] { viewer.key("4"); },
                              [](const json& s) { return std::string(s.at("spec")).starts_with("catmull-rom"); }));
    viewer.settled_state();
    for (int i = 0; i < 5; ++i) {
        viewer.key("Left");
        viewer.settled_state();
    }
    ASSERT_TRUE(tells_that_it_stopped(viewer));
    const json after = viewer.settled_state();
    EXPECT_TRUE(std::string(after.at("spec")).starts_with("catmull-rom"));
    EXPECT_EQ(after.at("panes").size(), 2u);
    EXPECT_NEAR(double(after.at("view").at("scale")), 0.5, 1e-9);
    EXPECT_NEAR(double(after.at("view").at("rotate")), 12, 1e-9);
    EXPECT_NE(std::string(after.at("image")).find("dead-leaves:700x500"), std::string::npos);
    EXPECT_TRUE(after.at("can_undo"));
    expect_same_picture(viewer, "after the loss");
    // It continues, also back to what was before.
    EXPECT_TRUE(
        viewer.change([&] { viewer.wheel(3); }, [](const json& s) { return double(s.at("view").at("scale")) < 0.45; }));
    expect_same_picture(viewer, "zoomed after the loss");
    EXPECT_TRUE(viewer.change([&] { viewer.key("ctrl+z"); },
                              [](const json& s) { return double(s.at("view").at("scale")) > 0.45; }));
    expect_same_picture(viewer, "undone after the loss");
}

TEST_F(LostDevice, IsSurvivedTimeAndAgain) {
    ViewerInProcess viewer(*screen_,
                           {"@text:300x200", "--zoom", "3", "--debug-lose-device", "0,0,1,0,2,0", "--debug-pretend"});
    viewer.move_to(0.5, 0.5);
    for (int i = 0; i < 8; ++i) viewer.key(i % 2 ? "Left" : "Up");
    EXPECT_TRUE(tells_that_it_stopped(viewer));
    EXPECT_TRUE(viewer.running());
    expect_same_picture(viewer, "after many losses");
}

TEST_F(LostDevice, PlotsFiguresAndPanesComeBack) {
    ViewerInProcess viewer(*screen_,
                           {"@dead-leaves:200x150", "--zoom", "4", "--debug-lose-device", "8", "--debug-pretend"});
    viewer.move_to(0.3, 0.3);
    viewer.key("g");  // panes side by side, with their figures
    viewer.key("i");  // a profile
    for (int i = 0; i < 8; ++i) {
        viewer.key("Left");
        viewer.settled_state();
    }
    ASSERT_TRUE(tells_that_it_stopped(viewer));
    viewer.move_to(0.31, 0.3);
    const json state = viewer.settled_state();
    EXPECT_TRUE(viewer.running());
    EXPECT_EQ(state.at("no_metrics"), "");
    for (const json& figures : state.at("figures")) EXPECT_FALSE(figures.is_null());
    EXPECT_TRUE(state.contains("value"));
}

// A comparison that ends with the device says so in its window, which otherwise says only that it was cancelled.
TEST_F(LostDevice, TheComparisonSaysWhyThereIsNoResult) {
    ViewerInProcess viewer(*screen_, {"@basilica:1600", "--debug-lose-device", "12", "--debug-pretend"});
    double scale = viewer.settled_state().at("view").at("scale");
    viewer.move_to(0.995, 0.5);  // beside the window that opens
    viewer.key("ctrl+shift+p");
    viewer.type("which is best");
    ASSERT_TRUE(viewer.change([&] { viewer.key("Return"); },
                              [](const json& s) { return s.at("restoring").at("running").get<bool>(); }, 60));
    // Each turn of the wheel is a frame of its own, so that the twelfth comes while the comparison runs.
    bool over = false;
    const auto moved = [&](const json& s) {
        over = over || !s.at("restoring").at("running").get<bool>();
        const double now = s.at("view").at("scale");
        return over || std::exchange(scale, now) != now;
    };
    for (int k = 0; !over; ++k) ASSERT_TRUE(viewer.change([&] { viewer.wheel(k % 2 ? 1 : -1); }, moved, 60)) << k;
    const json restoring = viewer.settled_state().at("restoring");
    if (restoring.at("problem") == "") GTEST_SKIP() << "the comparison was over first: this GPU is too fast for it";
    EXPECT_TRUE(std::string(restoring.at("problem")).starts_with("There is no result: the GPU stopped answering ("))
        << restoring.dump();
}

TEST_F(LostDevice, IsBroughtAboutByACommandThatOnlyDebuggingHas) {
    const auto type_it = [](ViewerUnderTest& viewer) {
        viewer.move_to(0.5, 0.5);
        viewer.change([&] { viewer.key("ctrl+shift+p"); }, [](const json& s) { return bool(s.at("palette")); });
        viewer.type("debug illegal");
        viewer.key("Return");
    };
    std::optional<ViewerInProcess> with;
    with.emplace(*screen_, std::vector<std::string>{"@step:64", "--debug-commands", "--debug-pretend"});
    type_it(*with);
    EXPECT_TRUE(tells_that_it_stopped(*with));
    expect_same_picture(*with, "after the command");
    with.reset();
    ViewerInProcess without(*screen_, {"@step:64"});
    type_it(without);
    EXPECT_EQ(with_text(without.settled_state(), stopped), "");
}

TEST_F(LostDevice, AScreenshotIsMadeAllTheSame) {
    const std::string file = scratch("lost.png");
    for (const char* after : {"0", "1", "2", "0,0"}) {
        std::filesystem::remove(file);
        EXPECT_EQ(run({TEXELSCOPE_PROGRAM, "@step:64", "--window", "800x600", "--debug-lose-device", after,
                       "--debug-pretend", "--screenshot", file},
                      {{"DISPLAY", screen_->display()}, {"WAYLAND_DISPLAY", ""}}),
                  0)
            << after;
        EXPECT_TRUE(std::filesystem::exists(file)) << after;
    }
}

// Until the GPU is started, the CPU draws. In no frame may the picture change as it is replaced: by a level at most, where
// the two round a sum to the one or to the other.
TEST_F(StartedDevice, TakesOverBetweenTwoFramesOfTheSamePicture) {
    ViewerInProcess viewer(*screen_, {"@dead-leaves:300x200", "--zoom", "3", "--rotate", "10", "--debug-late-device"});
    json state;
    const auto has_picture = [&](const json& s) { return (state = s).contains("size") && s.at("preparing").empty(); };
    ASSERT_TRUE(viewer.change([] {}, has_picture, 60));
    ASSERT_EQ(state.at("rung_reason"), "the GPU is being started");
    Image before;
    for (int after = 0; after < 4;) {
        const Image shown = viewer.shown_part(state.at("picture"));
        ASSERT_TRUE(viewer.change([] {}, has_picture));
        if (state.at("rung_reason") == "the GPU is being started") before = shown;
        else ASSERT_LE(levels_between(shown, before), 1) << "in a frame after " << after;
        after += state.at("rung_reason") != "the GPU is being started";
    }
    expect_same_picture(viewer, "by the device that took over");
}

// Frames in this process.
class LostFrame : public Frame {};

TEST_F(LostFrame, WaitsForAnotherPresenterAndThenDrawsTheSame) {
    FrameRenderer renderer(make_presenter(BackendChoice::cpu)), another(make_presenter(BackendChoice::cpu));
    AppState state = grid_of(3, "@dead-leaves:300x200");
    ASSERT_FALSE(renderer.update(plan_frame(state, 1)));
    renderer.lose_after({0});
    state.scene.documents[0].view.translate_x = 5;
    const FramePlan plan = plan_frame(state, 1);
    EXPECT_FALSE(renderer.update(plan)) << "the caller says what happened";
    EXPECT_FALSE(renderer.rendered());
    ASSERT_TRUE(renderer.lost());
    EXPECT_FALSE(renderer.update(plan));
    EXPECT_FALSE(renderer.rendered()) << "nothing can be computed";
    std::weak_ptr<Backend> old = renderer.sources().backend();
    renderer.change_presenter([&] {
        EXPECT_TRUE(old.expired()) << "a device can be reset only where nothing is left of it";
        return make_presenter(BackendChoice::cpu);
    });
    EXPECT_FALSE(renderer.lost());
    EXPECT_EQ(differing(drawn(renderer, plan), drawn(another, plan)), 0);
}

// A backend that has no memory for images while it is full.
class FullBackend final : public CountingBackend {
public:
    explicit FullBackend(const bool& full) : CountingBackend(make_cpu_backend()), full_(full) {}
    std::shared_ptr<const ResidentImage> upload(const std::shared_ptr<const Image>& image) override {
        if (full_) throw OutOfMemory("no memory on the GPU");
        return CountingBackend::upload(image);
    }
    std::shared_ptr<const ResidentImage> upload(const Image& image) override {
        if (full_) throw OutOfMemory("no memory on the GPU");
        return CountingBackend::upload(image);
    }

private:
    const bool& full_;
};

TEST_F(LostFrame, TellsThatTheFirstPictureHasNoRoom) {
    bool full = true;
    Presenter presenter = make_presenter(BackendChoice::cpu);
    presenter.backend = std::make_shared<FullBackend>(full);
    FrameRenderer renderer(std::move(presenter));
    AppState state = grid_of(1, "@dead-leaves:300x200");
    EXPECT_TRUE(renderer.update(plan_frame(state, 1)));
    ASSERT_TRUE(renderer.no_room()) << "a lower rung may have it";
    EXPECT_NE(renderer.no_room()->find("no memory on the GPU"), std::string::npos);
    full = false;
    state.scene.documents[0].view.translate_x = 1;
    EXPECT_FALSE(renderer.update(plan_frame(state, 1)));
    EXPECT_FALSE(renderer.no_room());
    full = true;
    state.scene.documents[0].image = std::make_shared<Image>(load_image("@text:280x240"));
    EXPECT_TRUE(renderer.update(plan_frame(state, 1)));
    EXPECT_FALSE(renderer.no_room()) << "the old picture stays, on this rung";
}

// Reports that OpenGL has lost the picture, several times in a row, and spoils it.
class ForgetfulTarget final : public PresentTarget {
public:
    ForgetfulTarget(std::unique_ptr<PresentTarget> target, int& times) : target_(std::move(target)), times_(times) {}
    Rung rung() const override { return target_->rung(); }
    void resize(size_t bytes) override { target_->resize(bytes); }
    unsigned buffer() const override { return target_->buffer(); }
    WritablePixels map() override { return pixels_ = target_->acquire(); }
    bool unmap() override {
        const bool lost = times_-- > 0;
        if (lost) std::memset(pixels_.data, 0x5a, pixels_.size_bytes);
        return target_->release() && !lost;
    }

private:
    std::unique_ptr<PresentTarget> target_;
    int& times_;
    WritablePixels pixels_;
};

TEST_F(LostFrame, IsDrawnAgainWhereOpenGlLosesTheBuffer) {
    int times = 0;
    Presenter presenter = make_presenter(BackendChoice::cpu);
    presenter.target = std::make_unique<ForgetfulTarget>(std::move(presenter.target), times);
    FrameRenderer renderer(std::move(presenter)), another(make_presenter(BackendChoice::cpu));
    AppState state = grid_of(2, "@dead-leaves:300x200");
    for (const int lost : {0, 1, 2}) {
        times = lost;
        state.scene.documents[0].view.translate_x = lost;
        const FramePlan plan = plan_frame(state, 1);
        EXPECT_EQ(differing(drawn(renderer, plan), drawn(another, plan)), 0) << lost;
        EXPECT_EQ(times, -1) << "as often as was needed";
    }
    times = 1000;
    state.scene.documents[0].view.translate_x = 9;
    const auto problem = renderer.update(plan_frame(state, 1));
    ASSERT_TRUE(problem);
    EXPECT_NE(problem->find("pixel buffer"), std::string::npos) << *problem;
    EXPECT_LT(1000 - times, 20) << "and not for ever";
    times = 0;
    state.scene.documents[0].view.translate_x = 10;
    const FramePlan plan = plan_frame(state, 1);
    EXPECT_EQ(differing(drawn(renderer, plan), drawn(another, plan)), 0);
}

// On any rung that this machine has.
TEST_F(LostFrame, ADraggedWindowKeepsItsBuffer) {
    Presenter presenter = make_presenter(BackendChoice::automatic);
    PresentTarget& target = *presenter.target;
    int changes = 0;
    GLint held = 0;
    for (int w = 900; w < 1400; ++w) {
        const size_t bytes = size_t(w) * 800 * 4;
        target.resize(bytes);
        ASSERT_GE(target.acquire().size_bytes, bytes);
        ASSERT_TRUE(target.release());
        GLint size = 0;
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, target.buffer());
        glGetBufferParameteriv(GL_PIXEL_UNPACK_BUFFER, GL_BUFFER_SIZE, &size);
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        ASSERT_GE(size_t(size), bytes);
        changes += size != held;
        held = size;
    }
    EXPECT_LE(changes, 5);
}

// Values on their way from a GPU that is lost before they arrive.
class BrokenCopy final : public HostCopy {
public:
    explicit BrokenCopy(const bool& broken, std::unique_ptr<HostCopy> copy) : broken_(broken), copy_(std::move(copy)) {}
    void start(const void* memory, size_t bytes) override { copy_->start(memory, bytes); }
    bool ready() override {
        if (broken_) throw DeviceLost("the GPU stopped with an error: unknown error");
        return copy_->ready();
    }
    const void* data() const override { return copy_->data(); }

private:
    const bool& broken_;
    std::unique_ptr<HostCopy> copy_;
};

TEST_F(LostFrame, ReadoutsAndFiguresThatNeverComeEndNothing) {
    bool broken = true;
    const MakeHostCopy make = [&](std::shared_ptr<Backend> backend) {
        return std::make_unique<BrokenCopy>(broken, make_host_copy(std::move(backend)));
    };
    FrameRenderer renderer(make_presenter(BackendChoice::cpu));
    ReportFiller filler(make);
    Measurer measurer(make);
    AppState state = grid_of(2, "@dead-leaves:90x70");
    state.pointer.inside = true;
    state.pointer.x = state.pointer.y = 20;
    const auto frame = [&] {
        state.now += measure_rest_seconds + 0.01;
        ASSERT_NO_THROW(filler.fill(state, renderer));
        ASSERT_NO_THROW(measurer.ask(state));
        ASSERT_NO_THROW(filler.has_news());
        ASSERT_NO_THROW(measurer.has_news());
        ASSERT_NO_THROW(measurer.update(state, renderer));
    };
    for (int i = 0; i < 4; ++i) frame();
    EXPECT_FALSE(state.report.findings.readout);
    for (const PaneReport& pane : state.report.findings.panes) EXPECT_FALSE(pane.metrics);
    EXPECT_NE(state.report.findings.no_metrics.find("unknown error"), std::string::npos)
        << state.report.findings.no_metrics;
    for (const PaneReport& pane : state.report.findings.panes)
        EXPECT_NE(pane.no_readout.find("unknown error"), std::string::npos) << pane.no_readout;
    broken = false;
    state.pointer.x = 21;
    state.scene.document()->view.translate_x += 1;
    for (int i = 0; i < 4; ++i) frame();
    EXPECT_TRUE(state.report.findings.readout);
    for (const PaneReport& pane : state.report.findings.panes) EXPECT_TRUE(pane.metrics && pane.no_readout.empty());
}

}  // namespace
}  // namespace texelscope::test
