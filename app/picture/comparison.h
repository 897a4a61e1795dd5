#pragma once
// Comparing panes: their figures, and their part of a sheet.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/drawing/sheet.h"
#include "app/picture/rendition.h"
#include "app/state/report.h"
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

// Where methods differ most.

// The sample around which methods differ most within a part of an image, which lies in it; none if its samples are not in
// memory, or are alike everywhere. By the second differences of the samples, since what methods make of them differs by
// what is left when a straight line is taken away: between bilinear and any smooth cubic that is a sum of second
// differences with weights of at most 1/8, nearest differs at edges as well, where these are large on both sides. The mean
// of their squares over areas of some 100 samples' width counts, as many as a pane shows at 400 %: not one bright
// sample. At most half a million samples are looked at, so it takes some 10 ms for an image of any size. `places`: where it
// may lie, if not everywhere within that part.
std::optional<Point> place_of_difference(const Image& image, const SampleRegion& within,
                                         const std::optional<Region>& places = {});

}  // namespace texelscope
