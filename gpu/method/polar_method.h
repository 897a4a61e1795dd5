#pragma once
// Polar methods ("EWA", elliptical weighted average): the weight depends on the distance of the sample in the plane, not
// on its distances along the axes, so that no axis is preferred. What their record says besides MethodInfo, whose
//   taps               is the side of the square of samples that the disc of the weight function meets at most
//   weight             is the radial function, scaled so that its integral over the plane is 1
//   tap_weights        are the weights of a signal, which is a picture that does not change along y
//   hardware_fetches   is 0: the texture unit filters along the axes, which takes weights that are products
// Weights are divided by their sum at each position, which is within a few per cent of 1.

#include "gpu/method/method_info.h"

namespace texelscope {

struct PolarInfo {
    double radius = 0;  // samples: from there on the radial function is zero
};

// Null for a method that is separable, as most are. Stays valid for the life of the program.
const PolarInfo* polar_of(const MethodInfo& method);
inline bool is_polar(const MethodInfo& method) { return polar_of(method) != nullptr; }

// Beyond this distance the weight function is zero: the radius of the disc, or half the taps.
double radius_of(const MethodInfo& method);

// Samples under the method's own, unwidened weight function: an average for polar methods, whose disc holds more or fewer
// of them as it moves.
double samples_of_plane(const MethodInfo& method);

// How far the weight function is widened at most, before a smaller image is read. The disc of a polar method holds many
// times the taps of two axes, so half as far.
double largest_stretch(const MethodInfo& method);

// A polar method's static object, like RegisterMethod.
struct RegisterPolarMethod {
    RegisterPolarMethod(MethodInfo info, double radius);
};

// The record of a radial function: the functions that MethodInfo needs of it. `radial` is zero from `radius` on and need
// not be scaled.
MethodInfo described_by_radial(MethodInfo info, double radius, double (*radial)(double distance));

}  // namespace texelscope
