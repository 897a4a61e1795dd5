#pragma once
// Which method is best for a picture: it is changed, restored by each of them, and compared with what it was.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/studies/restoring/restoration.h"
#include "gpu/backend/backend.h"
#include "gpu/compare/metrics.h"
#include "gpu/core/colour.h"

namespace texelscope {

struct RestoringPlan {
    std::string source;  // of the image, as it is named in reports
    std::shared_ptr<const Image> image;
    Light light = Light::stored;
    Restoration restoration;
    std::vector<MethodSpec> specs;
    size_t panes = 0;  // of the best methods: what they made of the worst spot
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
    double fetches = 0;                     // of a rendering, per pixel: an average if it is antialiased
    std::optional<Image> pane = {};         // the worst spot, as the viewer shows it: u8 × 4, opaque
};

// The pixels around the largest error inside that the best method makes.
struct WorstSpot {
    int x = 0, y = 0;  // of its first pixel
    Extent size;
    Image original;  // u8 × 4, opaque; or of the ideal reduction
};

struct RestoringResult {
    RestoringPlan plan;
    Interior interior;
    BackendInfo backend;
    std::vector<RestoredMethod> methods;  // best PSNR over the interior first, otherwise in the plan's order
    std::optional<WorstSpot> spot;        // if the plan wants panes
    double seconds = 0;                   // of the whole comparison
};

// Reports finished parts of the work; throws to end it all.
using RestoringProgress = std::function<void(size_t done, size_t total)>;

// Gets the result so far after each method: without spot and panes.
using RestoringSoFar = std::function<void(const RestoringResult&)>;

// With alpha, premultiplied values are compared. Throws OutOfMemory, Error (see interior_of), or what `progress` throws.
RestoringResult restore_by_each(const RestoringPlan& plan, const std::shared_ptr<Backend>& backend,
                                const RestoringProgress& progress, const RestoringSoFar& so_far = {});

// The small picture that each method magnifies: f32. For a plan that shrinks.
Image shrunk_picture(const RestoringPlan& plan, const std::shared_ptr<Backend>& backend);

// What a method is judged by besides its quality. Fetches are the same on every run and every machine; times are not.
enum class Cost { fetches, time };
double cost_of(const RestoredMethod& method, Cost cost);  // per pixel; ms of one rendering

// Which methods no other one beats in both PSNR and cost: the front of quality against cost.
std::vector<bool> on_the_front(const std::vector<RestoredMethod>& methods, Cost cost = Cost::fetches);

}  // namespace texelscope
