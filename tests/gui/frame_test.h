#pragma once
// What tests of frames share.

#include <cstdlib>
#include <optional>

#include "app/files/reading/image_files.h"
#include "app/picture/frame/frame_renderer.h"
#include "app/window/gl/gl_objects.h"
#include "app/window/window.h"
#include "gpu/interop/present_target.h"
#include "tests/gui/viewer_test.h"

namespace texelscope::test {

// Frames by the program's own code in this process, in a hidden window.
class Frame : public ViewerTest {
protected:
    void SetUp() override {
        ViewerTest::SetUp();
        if (IsSkipped()) return;
        setenv("DISPLAY", screen_->display().c_str(), 1);
        unsetenv("WAYLAND_DISPLAY");
        Window::Options options;
        options.width = options.height = 64;
        options.visible = false;
        window_.emplace(options);
    }

    // `panes` methods over an image, in a grid.
    static AppState grid_of(int panes, const std::string& source) {
        AppState state;
        state.scene.panes.clear();
        for (int i = 0; i < panes; ++i)
            state.scene.panes.push_back({default_spec(*all_methods()[size_t(i) % all_methods().size()])});
        state.scene.arrangement = panes > 1 ? Arrangement::grid : Arrangement::single;
        Document& document = state.scene.documents.emplace_back();
        document.source = source;
        document.image = std::make_shared<Image>(load_image(source));
        document.view = {0, 0, 0.25, 10};
        document.keep_fit = false;
        state.scene.current = 0;
        state.places.picture = {0, 0, width, height};
        return state;
    }

    // The picture of a frame by this plan.
    static Image drawn(FrameRenderer& renderer, const FramePlan& plan) {
        const Offscreen offscreen(width, height);
        const auto problem = renderer.update(plan);
        EXPECT_FALSE(problem) << *problem;
        renderer.draw(plan, height);
        return offscreen.picture();
    }

    static int differing(const Image& a, const Image& b) {
        int count = 0;
        for (int y = 0; y < a.height(); ++y)
            for (size_t i = 0; i < a.row_bytes(); ++i) count += a.row_as<uint8_t>(y)[i] != b.row_as<uint8_t>(y)[i];
        return count;
    }

    static constexpr int width = 640, height = 480;
    std::optional<Window> window_;
};

// A copy that arrives when the test says that it does.
class LateCopy final : public HostCopy {
public:
    LateCopy(std::unique_ptr<HostCopy> copy, const bool& arrived) : copy_(std::move(copy)), arrived_(arrived) {}
    void start(const void* memory, size_t bytes) override { copy_->start(memory, bytes); }
    bool ready() override { return arrived_ && copy_->ready(); }
    const void* data() const override { return copy_->data(); }

private:
    std::unique_ptr<HostCopy> copy_;
    const bool& arrived_;
};

inline MakeHostCopy late_copies(const bool& arrived) {
    return [&arrived](std::shared_ptr<Backend> backend) {
        return std::make_unique<LateCopy>(make_host_copy(std::move(backend)), arrived);
    };
}

}  // namespace texelscope::test
