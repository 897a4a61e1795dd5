#pragma once
// Keeps the figures of the panes up to date: each against its reference, over the visible part or the selection.

#include <array>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/picture/frame/frame_renderer.h"
#include "app/state/app_state.h"
#include "app/work/work.h"
#include "gpu/core/image.h"
#include "gpu/interop/present_target.h"

namespace texelscope {

// The peaks of images of floats that are not in memory, for PSNR and SSIM: the range of all samples, which are read once
// in the background.
class FloatPeaks {
public:
    // Larger images are not read for that: bytes of samples, which take a minute or two.
    static constexpr double affordable = 0x1p34;

    explicit FloatPeaks(const std::function<void()>& wake = {}, double most = affordable)
        : peaks_(wake, Unasked::kept), most_(most) {}

    // Whether the peak has to be found here. All others are known at once, or found where they are needed.
    static bool needed_by(const Image& image);

    struct Known {
        double peak = 0;      // 0: not known
        std::string why_not;  // one sentence
    };
    // The peak of an image that needs it. What is not known is found next, as long as it is asked for once per frame.
    Known at(const std::shared_ptr<const Image>& image);

    // Finds it now, if it may be found here at all.
    void find(const std::shared_ptr<const Image>& image);

    // Once per frame, before anyone asks, and when all have asked.
    void follow();
    void begin();

    bool has_news() const { return peaks_.has_news(); }
    void wake(WakeUp& wake_up) const { peaks_.wake(wake_up, 0.1); }

private:
    using WeakImage = std::weak_ptr<const Image>;  // what is known of an image does not keep it
    struct SameImage {
        bool operator()(const WeakImage& a, const WeakImage& b) const { return a.lock() == b.lock(); }
    };
    bool is_affordable(const Image& image) const { return double(image.row_bytes()) * image.height() <= most_; }

    Demand<WeakImage, double, SameImage> peaks_;
    double most_;
};

// One frame starts measuring, a later one collects: it never waits for a GPU, nor, if the renderer prepares pictures beside
// the window, for a CPU, which then computes the figures beside it as well.
class Measurer : public Worker {
public:
    // Figures may take `budget_ms` of a frame.
    explicit Measurer(MakeHostCopy make_copy = make_host_copy, double budget_ms = 4)
        : budget_ms_(budget_ms), pane_ms_(budget_ms), make_copy_(std::move(make_copy)) {}

    // Once per frame: notes what to measure; changes make the old figures outdated.
    void ask(AppState& state);

    // Once per frame, after the panes were drawn; true if there are new figures. Collects results, and starts to
    // measure panes whose picture has changed, once it rests: as many at a time as should take a few milliseconds. If
    // figures of several panes are on the screen and a GPU needs no more than that for all of them, it also measures
    // while the picture moves, a few times per second; figures that have changed again by then stay outdated.
    bool update(AppState& state, FrameRenderer& renderer);

    // Figures have arrived that the report does not have yet.
    bool has_news() const {
        return beside_.has_news() || peaks_.has_news() || (under_way_ && arrival(*copy_) != Arrival::under_way);
    }

    bool poll(AppState& /*state*/) override { return has_news(); }  // `update` takes it

    // Whenever figures computed in the background have arrived; unset: the window looks from time to time.
    void set_wake(const std::function<void()>& wake) {
        wake_ = wake;
        beside_ = Beside(wake);
        peaks_ = FloatPeaks(wake);
    }

    // Measures everything outdated immediately: for pictures that are saved.
    void finish(AppState& state, FrameRenderer& renderer);

    // Asks for the frame that is to measure, and to be polled while figures are on their way.
    void wake(const AppState& state, WakeUp& wake_up) const override;
    void leave_device() override;

private:
    struct Question {
        Rendition shown, reference;
        std::optional<MeasureJob::Selection> selection;
        std::optional<DifferenceSettings> map;  // the map of errors that the pane shows
        std::optional<double> peak;             // if it is not simply found, 0: it is not known
        bool operator==(const Question&) const = default;
        bool tells_of(const Question& other) const;  // its figures are still worth showing, as old ones
    };
    struct Known {
        Question question;
        bool answered = false;
    };
    // A pane's comparison on its way to the host; its sums have the same index as it has in the batch.
    struct Asked {
        int pane = 0;
        Question question;
        MeasureJob job;
    };
    // A pane's figures are computed in the background, over what is in the window's cache.
    struct BesideQuestion {
        int pane = 0;
        Question question;
        std::shared_ptr<SourceCache> sources;
    };
    struct Figures {
        Metrics metrics;
        std::optional<MapFigures> map = {};
    };
    using Beside = BackgroundWork<BesideQuestion, Figures>;
    static Figures figures(PaneRenderer& panes, const Question& question);
    bool collect_beside(AppState& state, FrameRenderer& renderer);
    void begin_beside(AppState& state, FrameRenderer& renderer);

    std::vector<int> unanswered(const AppState& state) const;
    void begin(AppState& state, FrameRenderer& renderer);
    void begin(AppState& state, FrameRenderer& renderer, int pane, ComparisonSums* sums);
    bool collect(AppState& state, FrameRenderer& renderer);
    void answer(AppState& state, int pane, const Question& question, const Figures& figures);
    void fail(AppState& state, int pane, const std::exception& error);
    bool live(const AppState& state) const;
    double rest_left(const AppState& state) const;  // seconds until the next batch

    std::array<std::optional<Known>, max_panes> panes_;
    double changed_ = 0, begun_ = 0;          // seconds
    double budget_ms_, pane_ms_;              // pane: time for one of the last batch
    bool pending_ = false, blocked_ = false;  // blocked: by pictures that are being prepared

    std::vector<Asked> batch_;
    bool under_way_ = false;
    Scratch sums_;
    MakeHostCopy make_copy_;
    std::unique_ptr<HostCopy> copy_;
    std::function<void()> wake_;
    Beside beside_;
    FloatPeaks peaks_;
};

inline constexpr double measure_rest_seconds = 0.15, measure_every_seconds = 0.25;

}  // namespace texelscope
