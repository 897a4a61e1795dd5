#pragma once
// The dialog that exports the whole image at any size, as data.

#include <optional>
#include <string>

#include "gpu/core/image.h"

namespace texelscope {

// What is chosen; the method is that of the active pane.
struct ExportUi {
    bool by_size = false;     // else by the factor
    double factor = 2;        // output pixels per sample, above 0
    Extent size;              // output pixels
    bool proportions = true;  // width and height keep those of the image
    std::string path;
    std::optional<SampleType> depth;  // unset: that of the image, if the format has it
    bool antialias = true;            // where the picture shrinks
    bool least_squares = false;       // there, instead of a widened weight function; if the method can
    bool linear = false;              // interpolates linear light
};

}  // namespace texelscope
