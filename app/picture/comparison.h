#pragma once
// Comparing panes: their figures, and their part of a sheet.

#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "app/drawing/sheet.h"
#include "app/picture/rendition.h"
#include "app/state/report.h"
#include "app/state/view_math.h"
#include "gpu/core/image.h"
#include "gpu/core/tile_source.h"
#include "gpu/core/view.h"
#include "gpu/tiles/tiled_image.h"

namespace texelscope {

// One pane of a comparison.
struct ComparedPane {
    int index = 0;                                   // of the pane: its letter and colour
    std::string label;                               // "Cubic B-spline · iir · hardware"
    PanePicture picture;                             // shown on the sheet: the rendering, or a difference
    std::optional<Rendition> reference;              // the reference for picture.shown
    Against against;                                 // the same in words
    std::optional<MeasureJob::Selection> selection;  // the region measured; empty: the whole picture
    ValueScale scale = {};                           // of the errors on a sheet
};

struct PaneFigures {
    std::optional<Metrics> metrics;  // empty without a reference
    std::optional<MapFigures> map;   // of the map of errors that the picture shows
    std::vector<float> numbers;      // of the map, if Comparison keeps them
    double milliseconds = 0;         // of one rendering to 8 bits, on the backend's clock; 0: not measured
    double pixels = 0;
    PaneCost cost;

    double gigapixels_per_second() const { return milliseconds > 0 ? pixels / milliseconds * 1e-6 : 0; }
};

// What a picture of an image or a signal costs, by how it is read.
PaneCost cost_of(const Resampling& resampling, bool signal);

class Comparison {
public:
    explicit Comparison(SourceCache& sources, bool keeps_maps = false)
        : sources_(sources), panes_(sources), keeps_maps_(keeps_maps) {}

    // Everything about a pane. Throws OutOfMemory or Error.
    PaneFigures figures(const ComparedPane& pane);

    // Only metrics and the count of fetches.
    PaneFigures figures_untimed(const ComparedPane& pane);

    SheetPane sheet_pane(const ComparedPane& pane, const PaneFigures& figures);

private:
    double median_ms(const Rendition& rendition);
    PaneCost cost(const Rendition& rendition);

    SourceCache& sources_;
    PaneRenderer panes_;
    bool keeps_maps_;
};

// Comparing panes of an image that is not in memory: their figures by bands of the output, in bounded memory. They are
// those of the whole image, as far as its rendering by regions is that of the whole (gpu/tiles/tiled_image.h): RMSE and
// largest error to 2e-6.

// Half of the memory is the image's, the other half that of its renderings.
inline constexpr size_t least_compared_memory = 2 * least_tiled_memory;

struct StreamedOptions {
    size_t memory = default_tiled_memory;  // bytes, of the host and the backend together
    Light light = Light::stored;
    int most_rows = 512;                           // of a band
    std::shared_ptr<LevelStore> levels = nullptr;  // where levels are kept; null: in memory only
};

class StreamedComparison {
public:
    // Throws Error for less than least_compared_memory, a null backend or source.
    StreamedComparison(std::shared_ptr<Backend> backend, std::shared_ptr<const TileSource> source,
                       const StreamedOptions& options = {});

    // Figures, all but the time, of panes of one size. Their renditions are of the source, and name no image; each has a
    // reference: a request or a formula. Panes whose rows fit in memory together are computed in one pass over the image, and
    // references that are the same only once. Throws Error if not even one fits, and what rendering and reading do.
    std::vector<PaneFigures> figures(std::span<const ComparedPane> panes, const Following& following = {});

private:
    class Pass;
    int rows_that_fit(std::span<const ComparedPane> panes) const;
    double bytes_of(std::span<const ComparedPane> panes, int rows) const;

    std::shared_ptr<const TileSource> source_;
    StreamedOptions options_;
    TiledImage image_;
};

// Images of the same field with different numbers of samples: a picture and the larger original that it was made from.

// Whether both can show the same field: some factor takes both sides of the larger image to those of the smaller,
// rounded to whole samples in the same way. Two signals always can.
bool same_shape(const Image& a, const Image& b);

// Why they cannot, one sentence that names both; empty if they can.
std::string why_not_same_field(const Image& image, std::string_view name, const Image& other,
                               std::string_view other_name);

// Leaves pixels beyond parts of frames out of the comparison of `shown` with `against`.
void leave_out_beyond(Rendition& against, const Rendition& shown);

// How many times as many samples `other` has along x.
double times_as_large(const Image& other, const Image& image);

// `other` at the positions of a rendition, in float64: its outer edges are those of the rendition's image. With the same
// size it is interpolated by the rendition's method. With another size it is the same picture for every method: read by
// the cubic B-spline, with the rendition's address modes, antialiased wherever it is shrunk.
Rendition over_same_field(const Rendition& rendition, std::shared_ptr<const Image> other);

// Small pictures of images, for the filmstrip and for the desktop's thumbnails.

// The size of an image within a box, with its proportions, at least 1×1; never enlarged.
Extent fitted_extent(Extent image, Extent box);

// The image within a box: u8, RGB, with straight alpha if the image has alpha. Antialiased, by the sum of light: integers
// are sRGB. Colours follow the image's profile, for a screen that is sRGB; data have the levels that they open with
// (look_at), and samples that are not finite are marked. Takes
// memory for at most a few times the box, whatever the image's size; a quarter of a second for 24 million pixels. Throws
// Cancelled.
Image small_picture(const Image& image, Extent box, const std::stop_token& stop = {});

}  // namespace texelscope
