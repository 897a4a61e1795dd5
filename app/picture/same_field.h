#pragma once
// Images of the same field with different numbers of samples: a picture and the larger original that it was made from.

#include <stop_token>
#include <string>
#include <string_view>

#include "app/picture/rendition.h"
#include "app/state/view_math.h"
#include "gpu/core/image.h"

namespace texelscope {

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
