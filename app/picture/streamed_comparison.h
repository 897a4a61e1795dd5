#pragma once
// Comparing panes of an image that is not in memory: their figures by bands of the output, in bounded memory. They are those
// of the whole image, as far as its rendering by windows is that of the whole (gpu/tiles/tiled_image.h): RMSE and largest error to
// 2e-6.

#include <memory>
#include <span>
#include <vector>

#include "app/picture/comparison.h"
#include "gpu/core/tile_source.h"
#include "gpu/tiles/tiled_image.h"

namespace texelscope {

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

}  // namespace texelscope
