#pragma once
// docs/methods.md, made from the registry: each method in words, numbers and pictures.

#include <filesystem>
#include <string>
#include <string_view>

#include "app/drawing/plot.h"
#include "gpu/backend/backend.h"
#include "gpu/core/image.h"
#include "gpu/method/method_info.h"

namespace texelscope {

// The whole page, Markdown. It names pictures as methods/ID-weight.svg, methods/ID-spectrum.svg and
// methods/ID-plate.png.
std::string methods_page();

// Writes methods.md and its pictures below the folder, which must exist. Pictures are computed on the CPU, so that the
// page is the same everywhere. Throws FileError.
void write_methods_page(const std::filesystem::path& folder);

// The table of file formats in docs/files.md, from the records of the codecs.

// The page with the current table between its two marks. Throws Error if it has no such marks.
std::string with_formats_table(std::string_view page);

// The number before "methods" and "interpolation methods", wherever a text has one.

std::string with_method_count(std::string_view text);

// Below the project's root: the texts that have one.
inline constexpr std::string_view texts_with_method_count[] = {"README.md", "docs/viewer.md",
                                                               "third_party/package.cmake",
                                                               "assets/desktop/org.texelscope.texelscope.metainfo.xml"};

// The three pictures of docs/methods.md that each method has.

// Weight function and, if there is a prefilter, the cardinal function, over the distance from the sample.
Plot weight_plot(const MethodInfo& method);

// The Fourier transforms of both in dB, from 0 to 4 cycles per sample, over the ideal low-pass.
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
