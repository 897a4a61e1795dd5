#pragma once
// The parts of the report that only the backend can supply.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/picture/frame/frame_renderer.h"
#include "app/picture/inspect/inspector.h"
#include "app/state/app_state.h"
#include "app/state/panes.h"
#include "app/work/work.h"
#include "gpu/core/colour.h"
#include "gpu/interop/present_target.h"

namespace texelscope {

// Each frame, once it is rendered: the values at the cursor and the cost of every pane. Computes only changes and never
// waits for a GPU: its values arrive with one of the next frames.
class ReportFiller : public Worker {
public:
    explicit ReportFiller(MakeHostCopy make_copy = make_host_copy) : make_copy_(std::move(make_copy)) {}

    // True if values have arrived: the report has changed.
    bool fill(AppState& state, FrameRenderer& renderer);

    // Values have arrived that the report does not have yet.
    bool has_news() const { return under_way_ && arrival(*copy_) != Arrival::under_way; }

    bool poll(AppState& /*state*/) override { return has_news(); }  // the frame takes it
    void wake(const AppState& /*state*/, WakeUp& wake_up) const override {
        if (under_way_) wake_up.look_in(0.001);
    }
    void leave_device() override { *this = ReportFiller(make_copy_); }

private:
    struct Question {
        std::shared_ptr<const Image> image;
        Light light = Light::stored;
        bool formula = false;                   // its values, not interpolated ones
        RenderRequest request;                  // of the few pixels around the cursor
        std::optional<Rendition> against = {};  // what the pane shows its difference from, for the same pixels
        std::optional<PanePicture> map = {};    // of errors, which the pane shows; if it is there
        size_t map_pixel = 0;
        bool operator==(const Question&) const = default;
    };
    // A pane's pixels on their way to the host.
    struct Asked {
        int pane = 0;
        Question question;
        Readout readout;   // except for what is computed
        size_t value = 0;  // index of its first float
        // Index of the first float of the reference's value, which has 8 bytes per number if it is in float64; none: it
        // is known.
        std::optional<size_t> reference = {};
        std::optional<size_t> map = {};  // index of the float that is the map's value
    };
    // What a pane's pixel is compared with.
    struct Reference {
        PixelProbe probe;
        std::optional<std::array<double, 4>> known = {};
    };
    void read_panes(AppState& state, const PaneLayout& layout, FrameRenderer& renderer);
    void read_samples(AppState& state, const PaneLayout& layout, FrameRenderer& renderer);
    void ask(AppState& state, const PaneLayout& layout, FrameRenderer& renderer, int pane);
    bool request(Asked& asked, FrameRenderer& renderer, const PixelProbe& probe, const Reference* against);
    void take_values(AppState& state);
    static void fail(AppState& state, int pane, const std::string& why);

    std::array<std::optional<Question>, max_panes> asked_;  // by pane; the last request
    std::vector<Asked> batch_;
    bool under_way_ = false;
    size_t arrivals_ = 0;  // of a batch, so far
    Scratch memory_;
    MakeHostCopy make_copy_;
    std::unique_ptr<HostCopy> copy_;
};

}  // namespace texelscope
