#pragma once
// Which method is best for a picture: it is changed, restored by each of them, and compared with what it was.

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/studies/restoring/colour_figures.h"
#include "app/studies/restoring/restoration.h"
#include "gpu/backend/backend.h"
#include "gpu/core/light.h"

namespace texelscope {

struct RestoringPlan {
    std::shared_ptr<const Image> image;
    Light light = Light::stored;
    Restoration restoration;
    std::vector<MethodSpec> specs;
};

// Against the original, over one region.
struct RestoredFigures {
    Metrics metrics;
    std::optional<ColourFigures> colours;  // if the picture has colours
};

struct RestoredMethod {
    MethodSpec spec;
    RestoredFigures inside = {}, all = {};  // over the interior; over all pixels
    double milliseconds = 0;                // of one rendering to floats, on the backend's clock: a median
    int fetches = 0;                        // of a rendering, per pixel
};

// Reports finished renderings; throws to end it all.
using RestoringProgress = std::function<void(size_t done, size_t total)>;

// The methods, best PSNR over the interior first, otherwise in the plan's order. With alpha, premultiplied values are
// compared. Throws OutOfMemory, Error (see interior_of), or what `progress` throws.
std::vector<RestoredMethod> restore_by_each(const RestoringPlan& plan, const std::shared_ptr<Backend>& backend,
                                            const RestoringProgress& progress);

}  // namespace texelscope
