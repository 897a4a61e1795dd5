#pragma once
// Fills the report with the data of the open plots and the tap view. Computes only what is shown, and only on changes.

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/picture/inspect/curves.h"
#include "app/picture/prepared_sources.h"
#include "app/picture/rendition.h"
#include "app/state/app_state.h"
#include "app/state/inspect_report.h"
#include "app/state/view_math.h"
#include "app/work/work.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/colour.h"

namespace texelscope {

class Inspector : public Worker {
public:
    // Once per frame, once it is rendered. After an error the report is empty and says why. What `prepared`, if given,
    // has not ready stays as it is until then.
    // True if something was computed: the report has changed.
    bool fill(AppState& state, SourceCache& sources, PreparedSources* prepared = nullptr);

    bool poll(AppState& /*state*/) override { return false; }  // the frame computes all
    // Asks for the frame that is to compute the histogram.
    void wake(const AppState& state, WakeUp& wake_up) const override;
    void leave_device() override { *this = Inspector(); }

private:
    // The pixel of a pane.
    struct Probe {
        int pane = 0, i = 0, j = 0;
        bool operator==(const Probe&) const = default;
    };
    // A curve that a pane has.
    struct PaneKey {
        int pane = 0;
        std::shared_ptr<const Image> image;
        Light light = Light::stored;
        MethodSpec spec;
        std::optional<Affine> place;  // see to_pane
        bool operator==(const PaneKey&) const = default;
    };
    struct TapsKey {
        Probe probe;
        Rendition rendition;
        bool operator==(const TapsKey&) const = default;
    };
    struct ProfileKey {
        std::shared_ptr<const Image> image;
        ProfileLine line;
        PlotZoom part;
        int columns = 0;
        std::vector<PaneKey> panes;
        bool operator==(const ProfileKey&) const = default;
    };
    struct StageKey {
        PaneKey front;
        std::vector<PaneKey> panes;
        std::string source;
        PlotZoom part;
        int columns = 0;
        bool windowed = true;
        bool operator==(const StageKey&) const = default;
    };
    struct CurvesKey {
        std::vector<PaneKey> panes;
        std::array<PlotZoom, 5> zooms;
        int columns = 0;
        bool order = false;  // the errors on waves instead
        bool operator==(const CurvesKey&) const = default;
    };
    struct HistogramKey {
        int pane = 0;
        Rendition rendition;
        std::optional<MeasureJob::Selection> selection;
        bool operator==(const HistogramKey&) const = default;
    };

    template <class Key, class Result, class Compute>
    void compute_once(std::optional<Key>& done, Key now, Result& result, std::string& problem, Compute compute);
    void fill_taps(AppState& state, SourceCache& sources);
    void fill_profile(AppState& state, SourceCache& sources);
    static bool add_curve_of_large(ProfileReport& profile, const PaneKey& pane, SourceCache& sources);
    void fill_stage(AppState& state, SourceCache& sources);
    void fill_curves(AppState& state, SourceCache& sources);
    void fill_histogram(AppState& state, SourceCache& sources);
    ProfileLine line_now(const AppState& state);
    static std::vector<PaneKey> curve_keys(const AppState& state);

    bool ready(const Rendition& rendition) const { return !prepared_ || prepared_->ready(rendition); }

    PreparedSources* prepared_ = nullptr;  // during `fill`
    size_t computed_ = 0;                  // so far
    std::optional<Probe> probe_;           // where the cursor was last
    std::optional<Point> cursor_;          // the same in the sample space of the current image
    std::optional<TapsKey> taps_;
    std::optional<ProfileKey> profile_;
    std::optional<StageKey> stage_;
    std::optional<CurvesKey> curves_;
    std::optional<HistogramKey> histogram_, awaited_;
    double awaited_since_ = 0;
    std::unique_ptr<MeasuredCurves> measured_;
};

inline constexpr double histogram_rest_seconds = 0.15;

// One pixel of a rendering, computed separately but exactly as in the picture.

// The pixel, under a warp with its neighbours: the widened weight function is fitted to the distances between them, so
// a single pixel would not match the one on the screen.
struct PixelProbe {
    RenderRequest request;  // of one pixel, of up to two along each axis, or of a part of a row
    int x = 0, y = 0;       // the pixel's position among them
};

// Pixel (i, j) of the request over an image of this size, or the nearest one if that is outside the request.
PixelProbe probe_at(Extent image, const RenderRequest& request, int i, int j);

// The pixel of probe_at() with those of its row whose positions a CPU rounds together with its own: equal to the
// picture's to the last bit.
PixelProbe block_probe_at(Extent image, const RenderRequest& request, int i, int j);

// The probe's value as the backend computes it, premultiplied if there is alpha; not counted by any timer. None if
// samples have still to come. Throws Error.
std::optional<std::array<float, 4>> rendered(SourceImage& source, const PixelProbe& probe, Scratch& memory);

// Tap view: from an output pixel back to the texels that contribute to it, with the weights that its path computes.

// The taps of output pixel (i, j) of the request. Σ weight · texel is the pixel up to float32 rounding; on the
// `hardware` path over integer or half-float texels, each fetch is also rounded to their precision. The caller sets
// `pane`. None if samples have still to come. Throws OutOfMemory or Error as SourceImage::render does.
std::optional<TapReport> taps_at(SourceImage& source, const RenderRequest& request, int i, int j);

}  // namespace texelscope
