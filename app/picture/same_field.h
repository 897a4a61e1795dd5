#pragma once
// Images of the same field with different numbers of samples: a picture and the larger original that it was made from.

#include <string>
#include <string_view>

#include "app/picture/rendition.h"

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

}  // namespace texelscope
