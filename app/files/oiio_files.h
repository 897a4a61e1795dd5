#pragma once
// Most formats, through OpenImageIO. Exists only in builds with TEXELSCOPE_WITH_OIIO.

#include <filesystem>

#include "app/files/file_io.h"
#include "app/files/formats.h"

namespace texelscope {

// u8, u16, f16 and f32 as stored, anything else as f32; of more than four channels R, G, B, A or the first four.
// Throws Error.
Image read_with_oiio(const Format& format, const std::filesystem::path& path);

// The image must already fit the format. Throws Error.
Bytes encode_with_oiio(const Format& format, const Image& image);

}  // namespace texelscope
