#pragma once
// What is done to a picture that every method has to undo, and whose colours are compared.

#include <string>
#include <string_view>
#include <vector>

#include "gpu/compare/metrics.h"
#include "gpu/core/image.h"
#include "gpu/method/spec.h"

namespace texelscope {

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

// The pixels that are compared as the interior, the same for every method: none of them reads beyond the picture, but
// for the tail of a prefilter; in a rotated picture, but for what creeps in turn by turn. Throws Error, which begins with
// the picture's size, if too little of the picture remains or if it cannot be rotated or reduced.
Interior interior_of(const Restoration& restoration, const Image& image);

// "shrunk to 128×128 by bspline", "rotated 36 times by 10°", "shifted 8 times by 0.5 samples".
std::string words(const Restoration& restoration, const Image& image);

// "the image itself", or what the ideal reduction is.
std::string reference_words(const Restoration& restoration);

std::string words(const Interior& interior);

}  // namespace texelscope
