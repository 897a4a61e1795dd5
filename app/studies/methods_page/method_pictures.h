#pragma once
// The three pictures of docs/methods.md that each method has.

#include "app/drawing/plot.h"
#include "gpu/backend/backend.h"
#include "gpu/core/image.h"
#include "gpu/method/method_info.h"

namespace texelscope {

// Weight function and, if there is a prefilter, the cardinal function, over the distance from the sample.
Plot weight_plot(const MethodInfo& method);

// Their Fourier transforms in dB, from 0 to 4 cycles per sample, over the ideal low-pass.
Plot spectrum_plot(const MethodInfo& method);

// The view of the zone plate: a view of a test image, as the command line writes it.
struct PlatePicture {
    const char* image = "@zone-plate-corner:68";
    double zoom = 2.75;
    int size = 187;  // pixels of each side
};

// The zone plate through the method, exact path and prefilter, u8 grey.
Image zone_plate_picture(const MethodInfo& method, const std::shared_ptr<Backend>& backend);

}  // namespace texelscope
