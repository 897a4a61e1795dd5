#pragma once
// The colour profile of an image and of the screen: what is shown of the one on the other, and what a written file keeps.

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/files/bytes/rows.h"
#include "app/files/colour/icc_conversion.h"
#include "gpu/core/image.h"

namespace texelscope {

// For an image of 1 or 3 colour channels; null if there is nothing to say: no profile, and a screen that is sRGB, or
// channels that are no colours. Worked out once for each profile, in a process of its own (files/reading/image_files.h); may
// be called from any thread, and is by whoever reads a picture in the background.
std::shared_ptr<const ProfileConversion> profile_conversion(const Image& image);

// The ICC profile of the screen, for all conversions from now on; empty, unreadable or not for RGB: sRGB. Returns its
// name, or "sRGB".
std::string set_screen_profile(std::vector<std::byte> icc);

// Gives `result`, of stored values of an image with this profile, the profile if that can be used. Returns what is lost in a
// file of this name, "the stored values are written, but …"; empty if nothing is: the colours are sRGB, or the file says what
// they are. Asks a decoder: blocks for 5 s at most.
std::string pass_profile(const std::shared_ptr<const ColourProfile>& profile, RowSource& result,
                         const std::filesystem::path& path);
std::string pass_profile(const Image& source, Image& result, const std::filesystem::path& path);

}  // namespace texelscope
