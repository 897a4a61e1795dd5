#pragma once
// Values in float64 that take longer than a frame, computed in the background on a CPU: of references that are shown, or
// that a difference is from. Those of images that are not in memory are computed by their regions (LiveRegions).

#include <functional>
#include <memory>
#include <vector>

#include "app/picture/rendition.h"
#include "app/picture/source_cache.h"
#include "app/work/work.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

class ReferenceValues {
public:
    // Channels of the image per pixel, rows packed (see SourceImage::render_reference, formula_values).
    using Values = std::shared_ptr<const std::vector<double>>;

    explicit ReferenceValues(const std::function<void()>& wake = {}) : values_(wake) {}

    // About how many products and sums the values cost; 0: they are there, or are none in float64.
    double cost(const Rendition& rendition) const;

    // What a picture may cost in the window, all of its panes together: about a tenth of a second on two cores.
    static constexpr double affordable = 0x1p28;

    // Whether they are there; else they are computed next. Values that could not be computed count as there, and whoever
    // reads them gets the error. For the frame: what it does not ask for is forgotten.
    bool ready(const Rendition& rendition);

    // Null if they are not there.
    Values find(const Rendition& rendition) const;

    // Computes them now if they are not there, from the rendition's image on a CPU. Throws OutOfMemory or Error.
    Values at(const Rendition& rendition, SourceImage& source);

    // Takes values that were computed elsewhere.
    void put(const Rendition& rendition, Values values) { values_.put({rendition, std::move(values)}); }

    // Once per frame, when all have asked. Uploads what is not in the cache: a small image, or it would not be asked for.
    void begin(SourceCache& sources);

    bool has_news() const { return values_.has_news(); }
    void follow() { values_.take(); }

private:
    static bool computes(const Rendition& rendition);
    static Values computed(const Rendition& rendition, SourceImage* source);

    Demand<Rendition, Values> values_;
};

// The values of a picture that is a function, at the positions of a rendition: the truth that methods approximate.

// In float64, channels of the image per pixel, rows packed, premultiplied if there is alpha, and not rounded to the
// image's type. Of the formula's stored values, also if the rendition interpolates linear light.
//
// Masked values are NaN, at pixels whose value the samples cannot tell, or the output cannot show:
// - a wave has more than half a cycle per sample along x or y; or, along an axis of the output that zooms out, per pixel;
// - an edge, narrower than one sample (or pixel, if that is more), is less than half a sample (or pixel) away.
std::vector<double> formula_values(const Rendition& rendition);

// Rows of the same, for an image that need not be there: `values` has room for as many doubles per pixel as it has channels.
void formula_rows(const RenderRequest& request, const ImageInfo& image, const TestImageRequest& formula, bool masked,
                  int first, int count, double* values);

// How many pixels of a masked rendition are masked, beyond the image's edges none.
int64_t masked_pixels(const Rendition& rendition);

}  // namespace texelscope
