#pragma once
// How an image is shown when it is opened: levels for samples that are no values for display, and whether any are not
// finite; and where in it methods differ most.

#include <memory>
#include <optional>

#include "app/state/app_state.h"
#include "app/state/scene.h"
#include "gpu/core/image.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

// The look of an image in memory. Values for display need no levels: colours of 8 and 16 bits; light by the file's own
// statement; floats in 0 … 1, or three and more channels that mostly lie there. Data are other numbers, and values that
// take less than a sixteenth of 0 … 1, such as 12 in 16 bits (an eighth for bytes, such as labels). Levels of data span
// all values of few different integers, else the 1st to the 999th thousandth of at most a quarter of a million pixels;
// for complex numbers, 0 to that of the magnitude, at most four times its median. Other images have an empty look.
ImageLook look_at(const Image& image);

// The look of an image by values in place of its samples, for images whose samples are not in memory.
ImageLook look_at_values(const Image& values, const Image& image);

// Whether the image may hold data, so that it is worth a look: all but photographs.
bool may_be_data(const Image& image);

// look_at() with a cache for the images that were looked at last.
ImageLook look_of(const std::shared_ptr<const Image>& image);

// False colour: a single channel through a colour map, or complex numbers.

// Whether the pane's picture is of a single channel, of its image or chosen. False without an image.
bool shows_single_channel(const Scene& scene, int pane);

// Whether the pane shows complex numbers, two channels of plain data, by phase and magnitude.
bool shows_polar(const AppState& state, int pane);

// Whether it is shown through a colour map.
bool shows_false_colour(const AppState& state, int pane);

// The stored value that is shown at a part (0 … 1) of the colour map: the inverse of levels, exposure, tone curve, gamma
// and inverting. Infinite where the tone curve never comes to an end.
double value_shown_at(const DisplaySettings& settings, double part);

// The part of the colour map that shows a stored value, 0 … 1, as pixels are made; opacity is shown as it is.
double shown_part(const DisplaySettings& settings, double value);

// The bar that explains false colours. It is even in the stored values, so that its numbers mean what they say whatever
// exposure, tone curve and gamma are: those change the colours between its ends.
struct ColourBar {
    double low = 0, high = 1;           // stored values at its ends
    bool below = false, above = false;  // whether values beyond an end have the colour of that end
};

// From black to white level, or on to the last colour if that is for a larger value that the type can hold.
ColourBar colour_bar(const DisplaySettings& settings, SampleType type);

// Where methods differ most.

// The sample around which methods differ most within a part of an image, which lies in it; none if its samples are not in
// memory, or are alike everywhere. By the second differences of the samples, since what methods make of them differs by
// what is left when a straight line is taken away: between bilinear and any smooth cubic that is a sum of second
// differences with weights of at most 1/8, nearest differs at edges as well, where these are large on both sides. What
// counts is the mean of their squares over areas about 100 samples wide, which a pane shows at 400 %, not one bright
// sample. At most half a million samples are looked at, so it takes some 10 ms for an image of any size. `places`: where it
// may lie, if not everywhere within that part.
std::optional<Point> place_of_difference(const Image& image, const SampleRegion& within,
                                         const std::optional<Region>& places = {});

}  // namespace texelscope
