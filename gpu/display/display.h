#pragma once
// Float values to RGBA8, on both backends.

#include <cstddef>
#include <cstdint>

#include "gpu/core/view.h"
#include "gpu/display/colour_conversion.h"
#include "gpu/display/display_settings.h"

struct CUstream_st;

namespace texelscope {

struct DisplayJob {
    ValuePlane shown;    // premultiplied if there is alpha
    ValuePlane against;  // no values: `shown` is displayed unchanged; else the difference of the two
    int width = 0, height = 0, channels = 1;
    bool has_alpha = false;       // the last channel
    bool against_masked = false;  // NaN in `against` is a pixel that is not compared: hatched
    DisplaySettings display;
    DifferenceSettings difference;
    ColourConversion conversion;        // of what is shown as colour; differences and single channels are stored values
    const uint32_t* colours = nullptr;  // the 256 of colour_map_of(job), in memory of the backend
    uint32_t* pixels = nullptr;         // memory of the backend
    size_t row_bytes = 0;

    // Pixels whose position is outside the samples' extent [−½, n − ½) show the plain background, whatever the
    // settings; the same as in a rendering with Outside::background.
    struct Placement {
        Affine positions;
        int width = 0, height = 0;  // of the image, samples; 0: every pixel shows its value
    };
    Placement placement;
};

// The colour map of the difference, or of the single channel shown.
inline ColourMap colour_map_of(const DisplayJob& job) {
    return job.against.values ? job.difference.map : job.display.map;
}

// Computes rows [first, last) on the calling thread.
void display_rows(const DisplayJob& job, int first, int last);

// Enqueues the job on the stream. Throws Error if the launch is refused.
void launch_display(const DisplayJob& job, CUstream_st* stream);

}  // namespace texelscope
