#pragma once
// The contents of a pane, down to the request to the backend: for the window, files and the command line alike.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/files/bytes/rows.h"
#include "app/files/colour/icc_conversion.h"
#include "app/files/test_images/test_images.h"
#include "app/picture/source_cache.h"
#include "app/state/app_state.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/backend/request.h"
#include "gpu/backend/source_image.h"
#include "gpu/compare/error_map.h"
#include "gpu/compare/metrics.h"
#include "gpu/core/image.h"
#include "gpu/display/display.h"

namespace texelscope {

// One rendering of one image.
struct Rendition {
    std::shared_ptr<const Image> image;
    Light light = Light::stored;
    RenderRequest request;
    bool float64 = false;  // evaluated in float64: a reference
    // Then the values of this function instead of interpolated ones. `masked`: NaN where they are above Nyquist (see
    // formula_values).
    std::optional<TestImageRequest> formula = {};
    bool masked = false;

    bool operator==(const Rendition&) const = default;
};

// The picture on the screen of one rendering, or of the difference of two of the same size.
struct PanePicture {
    Rendition shown;
    std::optional<Rendition> against;
    DisplaySettings display;
    DifferenceSettings difference;
    int coarse = 1;  // of a map: a draft with one value for so many pixels along each axis

    bool shows_map() const { return against && is_map(difference.kind); }
    std::vector<const Rendition*> renditions() const;  // one or both
    bool operator==(const PanePicture&) const = default;
};

// What the map of errors of a picture depends on: pictures with the same one differ in its colours only.
PanePicture mapped(PanePicture picture);

// A map of errors that is wanted beside the metrics, and its figures.
struct WantedMap {
    DifferenceSettings settings;  // of a map
    bool keeps_numbers = false;
    MapFigures figures = {};
    std::vector<float> numbers = {};  // row after row; NaN where nothing is compared
};

// Why pictures of an image have no such map, one sentence: ΔE2000, FLIP and gradients need grey or colour. Empty if they have.
std::string why_no_map(DifferenceKind kind, const Image& image);

// Why two renditions cannot be compared, one sentence: their channels, their sizes. Empty if they can.
std::string why_not_comparable(const Rendition& a, const Rendition& b);

// Pixels beyond the image are no part of a map of errors: they are NaN in both renditions.
void leave_out_outside(PanePicture& picture);

struct ProfileConversion;
class ReferenceValues;
class SlowPictures;

// A cache for a thread of its own, on a CPU backend of its own, of what this one, of a CPU backend too, has of the picture's
// images.
std::shared_ptr<SourceCache> sources_beside(const PanePicture& picture, const SourceCache& sources);

// What the image's profile makes of the picture's colours; null if nothing: none, switched off, a difference, a single
// channel.
std::shared_ptr<const ProfileConversion> conversion_of(const PanePicture& picture);

// Whether the values are shown unchanged except for clamping.
bool is_plain(const PanePicture& picture);

class PaneRenderer {
public:
    explicit PaneRenderer(SourceCache& sources) : sources_(sources) {}

    // Takes values in float64 from there, if they are there, and puts there what it computes: in memory of a CPU backend. Shows
    // pictures that are there instead of rendering them.
    void use(ReferenceValues* known, const SlowPictures* there = nullptr) {
        known_ = known;
        there_ = there;
    }

    // Uploads the images, and filters whatever the picture needs, but for references, which take memory only while they are
    // rendered. True if coefficients were computed now. Throws OutOfMemory, or Error, e.g. for two renditions of different channels.
    bool prepare(const PanePicture& picture);

    // RGBA8 into memory of the backend; the time becomes last_render_ms(timer). Of images that are not in memory it shows what
    // is there; false if it is not what it will be. Throws OutOfMemory or Error.
    bool render(const PanePicture& picture, void* pixels, size_t row_bytes, int timer = 0);

    // The map of errors of a picture: in host memory; and, in memory of the backend, as the last rendering with this timer has
    // shown it, null if that was not one of this picture.
    std::vector<float> map_of(const PanePicture& picture);
    std::shared_ptr<const float> shown_map(const PanePicture& picture, int timer);

    // The picture as u8 × 4 in host memory. Throws as render() does, and Error if samples have still to come, as
    // measure() does.
    Image render_to_rgba8(const PanePicture& picture);

    // Metrics of `shown` against `reference`, over all pixels on the image, or those whose sample-space position lies
    // in the selection. `shown` is rendered with Outside::nan if it shows the background outside. The peak is that of the
    // reference's image, and found if it is not given; 0: PSNR and SSIM are NaN. Throws OutOfMemory or Error.
    // `map`, if not null: made and added up from the same values.
    Metrics measure(const Rendition& shown, const Rendition& reference,
                    const std::optional<MeasureJob::Selection>& selection, std::optional<double> peak = {},
                    WantedMap* map = nullptr);

    // Enqueues what measure() does: the input of metrics_of(), with the sums in memory of the backend. None if samples
    // have still to come.
    std::optional<MeasureJob> compare(const Rendition& shown, const Rendition& reference,
                                      const std::optional<MeasureJob::Selection>& selection, std::optional<double> peak,
                                      ComparisonSums* sums);

private:
    SourceImage& source_of(const Rendition& rendition) { return sources_.at(rendition.image, rendition.light); }

    // A rendering in memory of the backend, which it owns; null if samples have still to come and nothing stands in.
    struct Values {
        std::shared_ptr<void> memory;
        ValuePlane plane;
        bool right = true;  // what it will be
    };
    Values values_of(const Rendition& rendition, Scratch& scratch, int timer, ToCome to_come);
    bool measure(const Rendition& shown, const Rendition& reference,
                 const std::optional<MeasureJob::Selection>& selection, std::optional<double> peak,
                 const std::function<void(Comparer& backend, const MeasureJob& job)>& compare);

    // The map of two renditions, whose values exist as long as it is made; in `memory`.
    std::shared_ptr<const float> map_of(const Rendition& reference, const PicturePair& values,
                                        const DifferenceSettings& settings, Scratch& memory);
    std::shared_ptr<const float> known_map(const PanePicture& picture, int timer);
    void render_coarsely(const PanePicture& picture, void* pixels);

    // The conversion with its values in memory of the backend, which keeps those of a few profiles.
    ColourConversion resident(BackendMemory& backend, const std::shared_ptr<const ProfileConversion>& conversion);

    struct ResidentConversion {
        std::shared_ptr<const ProfileConversion> conversion;
        Scratch scratch;
        std::shared_ptr<void> values;  // held, so that nothing else is written there
    };
    std::list<ResidentConversion> conversions_;  // the latest first

    SourceCache& sources_;
    ReferenceValues* known_ = nullptr;
    const SlowPictures* there_ = nullptr;
    Scratch first_, second_, pixels_, map_;
    struct Mapped {
        PanePicture picture;
        Scratch numbers;
    };
    std::map<int, Mapped> maps_;  // by timer
};

// How far antialiasing widens a pane's weight function, and what that costs.

// How the engine reads the pane's image for what is on the screen. Without `pane`: the focused one.
ReadPlan shown_reading(const AppState& state, std::optional<int> pane = {});

// Whether any pane in view is widened.
bool any_widened(const AppState& state);

// Average taps per pixel, both axes together, if the weight function is widened, but not locally.
double widened_taps(const MethodInfo& method, const ReadPlan& reading, bool signal);

// Fetches per pixel on a path, all axes together, if nothing is widened; of a polar method an average; 0 for a kernel of
// one's own.
int fetches(const MethodInfo& method, FetchPath path, bool signal);

// The colour profile of an image and of the screen: what is shown of the one on the other, and what a written file keeps.

// For an image of 1 or 3 colour channels; null if there is nothing to say: no profile, and a screen that is sRGB, or
// channels that are no colours. Worked out once for each profile, in a process of its own (files/reading/image_files.h); may
// be called from any thread, and is by whoever reads a picture in the background.
std::shared_ptr<const ProfileConversion> profile_conversion(const Image& image);

// The ICC profile of the screen, for all conversions from now on; empty, unreadable or not for RGB: sRGB. Returns its
// name, or "sRGB".
std::string set_screen_profile(std::vector<std::byte> icc);

// Gives `result`, of stored values of an image with this profile, the profile if that can be used. Returns what is lost in a
// file of this name, "the stored values are written, but …"; empty if nothing is: the colours are sRGB, or the file says what
// they are. Asks a decoder: blocks for 5 s at most.
std::string pass_profile(const std::shared_ptr<const ColourProfile>& profile, RowSource& result,
                         const std::filesystem::path& path);
std::string pass_profile(const Image& source, Image& result, const std::filesystem::path& path);

}  // namespace texelscope
