// How a frame reaches the screen, and that an idle window draws none.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <semaphore>
#include <thread>

#include "app/files/reading/image_files.h"
#include "app/studies/bench/bench.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/timing.h"
#include "tests/gui/screen.h"
#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

// How a frame reaches the screen: one mapping for all panes, both routes from the pixel buffer, what is kept, and the
// stages that are measured.

struct Calls {
    int acquired = 0, released = 0;
};

// Counts, and delegates the work.
class CountingTarget final : public PresentTarget {
public:
    CountingTarget(std::unique_ptr<PresentTarget> target, Calls& calls) : target_(std::move(target)), calls_(calls) {}
    Rung rung() const override { return target_->rung(); }
    void resize(size_t bytes) override { target_->resize(bytes); }
    unsigned buffer() const override { return target_->buffer(); }
    WritablePixels map() override {
        ++calls_.acquired;
        return target_->acquire();
    }
    bool unmap() override {
        ++calls_.released;
        return target_->release();
    }

private:
    std::unique_ptr<PresentTarget> target_;
    Calls& calls_;
};

TEST_F(Frame, MapsTheBufferOnceForSixteenPanes) {
    Calls calls;
    Presenter presenter = make_presenter(BackendChoice::automatic);
    presenter.target = std::make_unique<CountingTarget>(std::move(presenter.target), calls);
    FrameRenderer renderer(std::move(presenter));
    AppState state = grid_of(16, "@dead-leaves:300x200");
    for (int frame = 1; frame <= 3; ++frame) {
        state.scene.documents[0].view.translate_x = frame;  // a pan
        const FramePlan plan = plan_frame(state, 1);
        ASSERT_EQ(plan.pictures.size(), 16u);
        ASSERT_FALSE(renderer.update(plan));
        EXPECT_EQ(calls.acquired, frame);
        EXPECT_EQ(calls.released, frame);
    }
    ASSERT_FALSE(renderer.update(plan_frame(state, 1)));
    EXPECT_EQ(calls.acquired, 3) << "nothing has changed";
}

TEST_F(Frame, IsTheSameFromABufferTextureAndFromATexture) {
    FrameRenderer from_buffer(make_presenter(BackendChoice::automatic), PictureRoute::buffer_texture);
    FrameRenderer from_texture(make_presenter(BackendChoice::automatic), PictureRoute::texture);
    for (const int panes : {1, 3, 16}) {
        AppState state = grid_of(panes, "@dead-leaves:300x200");
        for (const bool loupe : {false, true}) {
            state.ui.loupe = loupe;
            state.pointer.inside = loupe;
            state.pointer.x = state.pointer.y = 50;
            const FramePlan plan = plan_frame(state, 1);
            const Image a = drawn(from_buffer, plan), b = drawn(from_texture, plan);
            EXPECT_EQ(from_buffer.route(), PictureRoute::buffer_texture);
            EXPECT_EQ(from_texture.route(), PictureRoute::texture);
            EXPECT_EQ(differing(a, b), 0) << panes << " panes" << (loupe ? ", loupe" : "");
        }
    }
}

TEST_F(Frame, ShowsThePixelsThatTheBackendComputes) {
    FrameRenderer renderer(make_presenter(BackendChoice::automatic));
    AppState state = grid_of(1, "@dead-leaves:300x200");
    state.ui.minimap = false;
    const FramePlan plan = plan_frame(state, 1);
    const Image shown = drawn(renderer, plan);
    SourceImage source(make_cpu_backend(), *state.scene.documents[0].image);
    const Image expected = source.render_to_rgba8(plan.pictures[0].picture.shown.request);
    expect_same(shown, expected, "one pane");
}

// References of a picture that is shrunk much cost many products: the old picture stays until they are there.
TEST_F(Frame, DoesNotWaitForReferencesThatTakeLong) {
    FrameRenderer renderer(make_presenter(BackendChoice::cpu)), waits(make_presenter(BackendChoice::cpu));
    renderer.prepare_beside([] {});
    AppState state = grid_of(2, "@dead-leaves:900");
    state.scene.documents[0].view.scale = 3.9;
    state.scene.antialias = true;
    state.scene.reference = {Reference::Kind::method, default_spec(parse_method("lanczos4"))};
    const FramePlan plain = plan_frame(state, 1);
    const Image before = drawn(renderer, plain);
    EXPECT_EQ(differing(before, drawn(waits, plain)), 0);
    for (Pane& pane : state.scene.panes) pane.difference = true;
    const FramePlan plan = plan_frame(state, 1);
    ASSERT_TRUE(plan.pictures[0].picture.against);
    EXPECT_EQ(differing(drawn(renderer, plan), before), 0);
    EXPECT_EQ(renderer.waiting().size(), 2u);
    for (int ms = 0; ms < 20000 && !renderer.waiting().empty(); ++ms) {
        renderer.prepared().begin();
        renderer.prepared().follow();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        ASSERT_FALSE(renderer.update(plan));
    }
    const Image after = drawn(renderer, plan);
    EXPECT_GT(differing(after, before), 0);
    EXPECT_EQ(differing(after, drawn(waits, plan)), 0);
}

// Maps of errors that take a processor long: a coarse draft of the same view is there at once, and the map comes from another
// thread. Nothing but the frame's own work is done here.
TEST_F(Frame, DoesNotWaitForMapsOfErrors) {
    std::counting_semaphore<> news{0};
    FrameRenderer renderer(make_presenter(BackendChoice::cpu)), waits(make_presenter(BackendChoice::cpu));
    renderer.prepare_beside([&] { news.release(); });
    AppState state = grid_of(2, "@dead-leaves:300x200");
    state.places.picture = {0, 0, 900, 700};
    state.ui.minimap = false;
    state.scene.panes[0].against = 1;
    state.scene.panes[0].difference = true;
    DifferenceSettings& difference = state.scene.difference;
    difference = {.kind = DifferenceKind::flip, .gain = 1, .pixels_per_degree = most_pixels_per_degree};
    renderer.prepared().slow_pictures()->afford(0.01e9);
    const FramePlan plan = plan_frame(state, 1);
    const PanePicture& picture = plan.pictures[0].picture;
    ASSERT_TRUE(picture.shows_map());
    ASSERT_GT(renderer.prepared().slow_pictures()->map_cost(picture), 0.01e9);

    ASSERT_FALSE(renderer.update(plan));
    EXPECT_EQ(renderer.waiting(), std::vector<int>{0});
    EXPECT_TRUE(renderer.rendered()) << "a draft is shown";
    EXPECT_FALSE(renderer.panes().shown_map(picture, 0)) << "the map is made in the frame";

    FramePlan moving = plan;  // while the view moves, drafts alone are made
    moving.draft = true;
    moving.pictures[0].picture.shown.request.view.translate_x += 1;
    moving.pictures[0].picture.against->request.view.translate_x += 1;
    ASSERT_FALSE(renderer.update(moving));
    EXPECT_TRUE(renderer.rendered()) << "the draft follows";
    renderer.prepared().begin();

    while (!renderer.panes().shown_map(picture, 0)) {
        ASSERT_FALSE(renderer.update(plan));
        renderer.prepared().begin();
        if (!renderer.prepared().has_news()) news.acquire();
        renderer.prepared().follow();
    }
    ASSERT_FALSE(renderer.update(plan));
    EXPECT_TRUE(renderer.waiting().empty());
    ASSERT_FALSE(waits.update(plan));
    const auto map = renderer.panes().shown_map(picture, 0), right = waits.panes().shown_map(picture, 0);
    ASSERT_TRUE(map && right);
    const size_t pixels = size_t(picture.shown.request.width) * size_t(picture.shown.request.height);
    EXPECT_EQ(std::memcmp(map.get(), right.get(), pixels * sizeof(float)), 0);

    difference.gain = 4;  // other colours of the same map
    const FramePlan brighter = plan_frame(state, 1);
    ASSERT_FALSE(renderer.update(brighter));
    EXPECT_TRUE(renderer.rendered());
    EXPECT_TRUE(renderer.waiting().empty());
    EXPECT_EQ(renderer.panes().shown_map(brighter.pictures[0].picture, 0), map);
}

// The minimap is kept from frame to frame, but it must follow what it shows.
TEST_F(Frame, KeepsTheMinimapOnlyWhileItIsTheSame) {
    FrameRenderer renderer(make_presenter(BackendChoice::automatic));
    AppState state = grid_of(1, "@dead-leaves:300x200");
    const auto expect_as_anew = [&](const char* when) {
        const FramePlan plan = plan_frame(state, 1);
        EXPECT_EQ(plan.pictures.size(), 2u) << when;
        FrameRenderer another(make_presenter(BackendChoice::automatic));
        EXPECT_EQ(differing(drawn(renderer, plan), drawn(another, plan)), 0) << when;
    };
    expect_as_anew("at first");
    state.scene.documents[0].view.translate_x = 20;
    expect_as_anew("after a pan");
    state.scene.panes[0].spec = default_spec(parse_method("nearest"));
    expect_as_anew("with another method");
    state.scene.display.exposure = 1;
    expect_as_anew("brighter");
    state.scene.documents[0].image = std::make_shared<Image>(load_image("@text:280x240"));
    expect_as_anew("over another image");
    state.places.picture = {0, 0, width - 60, height - 40};
    expect_as_anew("in a smaller window");
    EXPECT_TRUE(renderer.backend().memory().free_memory());
    state.scene.documents[0].view.translate_x = 10;
    expect_as_anew("after its memory was given up");
}

TEST_F(Frame, IsThereAgainOnceThereIsMemory) {
    FrameRenderer renderer(make_presenter(BackendChoice::automatic));
    AppState state = grid_of(16, "@dead-leaves:700x600");
    MemoryBudget& memory = renderer.backend().memory();
    memory.set_capacity(memory.taken() + 100000);
    const FramePlan plan = plan_frame(state, 1);
    const auto problem = renderer.update(plan);
    ASSERT_TRUE(problem);
    EXPECT_NE(problem->find("memory"), std::string::npos) << *problem;
    EXPECT_FALSE(renderer.update(plan)) << "it is not told again at once";
    EXPECT_FALSE(renderer.rendered());
    memory.set_capacity(MemoryBudget::unlimited);
    for (int ms = 0; ms < 20000 && !renderer.rendered(); ++ms) {  // it tries again after a second
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        EXPECT_FALSE(renderer.update(plan));
    }
    EXPECT_TRUE(renderer.rendered());
    FrameRenderer another(make_presenter(BackendChoice::automatic));
    EXPECT_EQ(differing(drawn(renderer, plan), drawn(another, plan)), 0);
}

TEST_F(Frame, StagesAreMeasured) {
    const FrameBench bench = measure_frame_stages(BackendChoice::automatic, 320, 200, 3);
    EXPECT_FALSE(bench.rung.empty());
    EXPECT_FALSE(bench.renderer.empty());
    EXPECT_EQ(bench.width, 320);
    EXPECT_EQ(bench.height, 200);
    for (const char* name :
         {"acquire", "render", "release", "acquire to release", "draw from a buffer texture", "glTexSubImage2D",
          "draw from a texture", "glTexSubImage2D + draw", "host: acquire", "host: render", "host: release",
          "host: draw calls", "host: render 16 panes", "frames in a row"}) {
        const FrameStage* stage = bench.stage(name);
        ASSERT_TRUE(stage) << name;
        EXPECT_GT(stage->median_ms, 0) << name;
        EXPECT_LE(stage->low_ms, stage->median_ms) << name;
        EXPECT_LE(stage->median_ms, stage->high_ms) << name;
        EXPECT_FALSE(stage->note.empty()) << name;
    }
    EXPECT_EQ(bench.stage("staged frame") != nullptr, bench.rung != name_of(Rung::cpu));
    EXPECT_EQ(bench.stage("interop frame") != nullptr, bench.rung == name_of(Rung::cuda_gl));
    EXPECT_FALSE(bench.stage("no such stage"));
}

TEST_F(Frame, StagesNeedADisplay) {
    window_.reset();
    setenv("DISPLAY", ":no-display", 1);
    EXPECT_THROW(measure_frame_stages(BackendChoice::cpu, 64, 64, 1), Unavailable);
}

TEST_F(Frame, StagesOfNothingAreRefused) {
    for (const auto& [w, h, frames] : {std::array{0, 9, 1}, {9, 0, 1}, {9, 9, 0}})
        EXPECT_THROW(measure_frame_stages(BackendChoice::cpu, w, h, frames), Error);
}

using nlohmann::json;
using IdleWindow = ViewerTest;
using Latency = ViewerTest;

// The window costs nothing while idle, and the latency that it shows.

// At rest, its clock may go on: nothing is drawn, and nobody wants to be woken at once, again and again.
void expect_idle(ViewerInProcess& viewer) {
    viewer.settled_state();
    for (int i = 0; i < 30; ++i) viewer.pass(1);  // the frames per second are shown for a while, messages longer
    const int frames = viewer.settled_state().at("frames"), turns = viewer.turns();
    for (int i = 0; i < 10; ++i) viewer.pass(1);
    EXPECT_EQ(viewer.settled_state().at("frames"), frames);
    const int of_passing = viewer.turns() - turns;
    viewer.wait(1);
    EXPECT_LE(viewer.turns() - turns - of_passing, 8) << "a second in which nothing happens";
}

TEST_F(IdleWindow, DrawsNothing) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:512", "--zoom", "4"});
    viewer.move_to(0.5, 0.5);
    expect_idle(viewer);
}

TEST_F(IdleWindow, DrawsNothingWithPlotsPanesAndAFileOpen) {
    const std::string file = scratch("idle.ppm");
    write_image(load_image("@text:300x200"), file);
    {
        ViewerInProcess viewer(*screen_, {file, "--zoom", "1"});
        for (const char* key : {"g", "h"}) viewer.key(key);  // panes side by side with their figures, the histogram
        viewer.move_to(0.25, 0.5);
        ASSERT_EQ(viewer.settled_state().at("dock"), "histogram");
        ASSERT_NE(viewer.settled_state().at("arrangement"), "single");
        ASSERT_FALSE(viewer.settled_state().at("messages").empty()) << "an offer";
        expect_idle(viewer);
        viewer.key("i");  // the profile instead
        expect_idle(viewer);
    }
    std::filesystem::remove(file);
}

TEST_F(IdleWindow, DrawsNothingWithALessonOpen) {
    ViewerInProcess viewer(*screen_, {"--lesson", "half-texel"});
    viewer.move_to(0.5, 0.5);
    expect_idle(viewer);
}

TEST_F(IdleWindow, DrawsNothingWithTimesInView) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:512"});
    for (const char* section : {"section:Display", "section:Compare"}) viewer.click_control(section);  // makes space
    viewer.click_control("section:Timing");
    viewer.wheel(-80);  // the mouse is over the panel
    ASSERT_TRUE(viewer.settled_state().at("controls").contains("section:Timing"));
    expect_idle(viewer);
}

// Where a CPU draws, a frame costs as much as decoding some megapixels.
TEST_F(IdleWindow, AFrameThatLooksLikeTheLastOneIsNotDrawn) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:512"});
    viewer.move_to(0.5, 0.5);
    viewer.settled_state();
    viewer.pass(2);  // the frames per second are shown for one more
    const json before = viewer.settled_state();
    viewer.key("F8");  // means nothing
    EXPECT_EQ(viewer.settled_state().at("frames"), before.at("frames"));
}

// The real program: processor time per second while nothing happens, far less than drawing would take. A busy machine may
// need a while until nothing happens any more; what draws on and on never has two such seconds.
void expect_no_load(ViewerProgram& viewer) {
    constexpr double most = 0.02 * 2;
    viewer.settled_state();
    double spent = most;
    for (int attempt = 0; attempt < 15 && spent >= most; ++attempt) {
        const double before = viewer.processor_seconds();
        ASSERT_GE(before, 0);
        std::this_thread::sleep_for(std::chrono::seconds(2));
        spent = viewer.processor_seconds() - before;
    }
    EXPECT_LT(spent, most);
}

TEST_F(IdleWindow, ComputesNothingWithOrWithoutADialogOrHidden) {
    ViewerProgram viewer(*screen_, {"@zone-plate:512"});
    viewer.move_to(0.5, 0.5);
    expect_no_load(viewer);
    ASSERT_TRUE(viewer.change([&] { viewer.key("ctrl+s"); }, [](const json& s) { return s.at("dialog") == "save"; }));
    expect_no_load(viewer);
    viewer.hide();
    expect_no_load(viewer);
}

TEST_F(IdleWindow, WhatAnotherWindowCoveredIsDrawnAgain) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:512"});
    viewer.move_to(0.5, 0.5);
    const json state = viewer.settled_state();
    const Image before = viewer.shown_picture();
    const auto differs = [&] {
        const Image now = viewer.shown_picture();
        return !std::equal(now.data(), now.data() + now.size_bytes(), before.data());
    };
    {
        const Cover cover(screen_->display(), 150, 150, 700, 500);
        ASSERT_TRUE(differs());
    }
    EXPECT_FALSE(differs());
}

TEST_F(Latency, OfADragIsShown) {
    ViewerInProcess viewer(*screen_, {"@zone-plate:512", "--zoom", "4"});
    viewer.move_to(0.5, 0.5);
    viewer.settled_state();
    const StopWatch watch;
    viewer.drag(0.5, 0.5, 0.75, 0.625);
    const json after = viewer.settled_state();
    EXPECT_GT(double(after.at("latency_ms")), 0);
    EXPECT_LT(double(after.at("latency_ms")), watch.ms());
    EXPECT_GT(double(after.at("latency_median_ms")), 0);
    EXPECT_LT(double(after.at("latency_median_ms")), watch.ms());
}

}  // namespace
}  // namespace texelscope::test
