#pragma once
// Which method is best for a picture: it is changed, restored by each of them, and compared with what it was.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/backend/backend.h"
#include "gpu/compare/metrics.h"
#include "gpu/core/colour.h"
#include "gpu/core/image.h"
#include "gpu/method/spec.h"

namespace texelscope {

// What is done to a picture that every method has to undo, and whose colours are compared.

// Which pixels' colours are compared.

// Whether an image has colours: three channels, or three and alpha.
bool has_colours(const Image& image);

// From the top: all rows, or of a picture with more than 2 million pixels one at a random place in each of many strips of
// equal height: enough for three digits of the mean and of the percentile. The same rows each time.
std::vector<int> compared_rows(Extent size);

// What is done to a picture that every method has to undo; or what every method does, and should have done.
struct Restoration {
    enum class Kind {
        shrink,  // by the factor, and back to the picture's size by each method
        rotate,  // `times` times by `step` degrees about the centre, and once more if it is not upright then
        shift,   // `times` times by `step` samples along x and y, and once more if they are not a whole number then
        reduce   // by the factor, antialiased, by each method; compared with the ideal reduction (band_limited.h)
    };
    Kind kind = Kind::shrink;
    double factor = 4;  // samples of the picture per sample of the small one, at least 1
    MethodSpec filter;  // of `shrink`, widened by the factor
    double step = 0;
    int times = 0;

    bool operator==(const Restoration&) const = default;
};

inline constexpr NamedValue<Restoration::Kind> restorations[] = {{Restoration::Kind::shrink, "shrink"},
                                                                 {Restoration::Kind::rotate, "rotate"},
                                                                 {Restoration::Kind::shift, "shift"},
                                                                 {Restoration::Kind::reduce, "reduce"}};
constexpr auto& names_table(Restoration::Kind) { return restorations; }

// The filter that shrinks unless another is chosen: Lanczos 3. It is sharp enough for methods to keep the order in which
// they approximate on every kind of picture; behind one that blurs, as the cubic B-spline does, nearest may look best.
MethodSpec usual_filter();

// "4", "rotate:36x10" (times, degrees), "shift:0.5x8" (samples, times) or "shrink:3" (reduces); `option` names it in
// messages. Throws UsageError.
Restoration parse_restoration(std::string_view option, std::string_view text);

// The inverse, without filter.
std::string to_string(const Restoration& restoration);

// One step more: the degrees that make the picture upright, the part of a sample that makes the shift whole; 0 if it
// already is.
double last_step(const Restoration& restoration);

// The settings of a method that restores, unless its spec says otherwise: mirrored at the edges if it turns, shifts or is reduced.
MethodSpec restoring_defaults(const Restoration& restoration);

// The size of the shrunk or reduced picture: each side rounded, outer edges aligned.
Extent shrunk_size(const Restoration& restoration, const Image& image);

// The size of what is compared: the picture's, or the reduced one's.
Extent compared_size(const Restoration& restoration, const Image& image);

// What it is compared with: "the original" or "the ideal reduction".
std::string_view reference_name(const Restoration& restoration);

// The pixels that are compared as the interior, the same for every method: none of them reads beyond the picture,
// except for the tail of a prefilter, and in a rotated picture for what creeps in turn by turn. Throws Error, which
// begins with the picture's size, if too little of the picture remains or if it cannot be rotated or reduced.
Interior interior_of(const Restoration& restoration, const Image& image);

// "shrunk to 128×128 by bspline", "rotated 36 times by 10°", "shifted 8 times by 0.5 samples".
std::string words(const Restoration& restoration, const Image& image);

// "the image itself", or what the ideal reduction is.
std::string reference_words(const Restoration& restoration);

std::string words(const Interior& interior);

struct RestoringPlan {
    std::string source;  // of the image, as it is named in reports
    std::shared_ptr<const Image> image;
    Light light = Light::stored;
    Restoration restoration;
    std::vector<MethodSpec> specs;
    size_t panes = 0;                         // of the best methods: what they made of the worst spot
    std::shared_ptr<const Image> whole = {};  // of which `image` is this part; null: it is all of the picture
    SampleRegion part = {};

    const std::shared_ptr<const Image>& picture() const { return whole ? whole : image; }
};

// The samples of a part, which lies in the image, with its type, alpha and profile. For an image in memory.
Image part_of(const Image& image, const SampleRegion& part);

// Against the original, over one region.
struct RestoredFigures {
    Metrics metrics;
    std::optional<ColourFigures> colours;  // if the picture has colours
};

struct RestoredMethod {
    MethodSpec spec;
    RestoredFigures inside = {}, all = {};  // over the interior; over all pixels
    double milliseconds = 0;         // of one rendering to floats, on the backend's clock: the shortest of several
    double fetches = 0;              // of a rendering, per pixel: an average if it is antialiased
    std::optional<Image> pane = {};  // the worst spot, as the viewer shows it: u8 × 4, opaque
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
