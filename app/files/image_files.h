#pragma once
// Image files, read and written. What a file is shows in its first bytes, and in its extension where those say nothing.
// Every error is one sentence that begins with the name of the file.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gpu/core/image.h"

namespace texelscope {

// Throws FileError, or OutOfMemory.
Image read_image(const std::filesystem::path& path);

struct WriteOptions {
    // Unset: integers stay as they are where the format has them; floats stay floats in PFM, .npy, EXR, HDR and TIFF,
    // and become 8 bits elsewhere.
    std::optional<SampleType> type;
};

// The extension chooses the format. Straight or premultiplied alpha is stored as the format defines it (.npy: straight);
// a format without alpha (JPEG, BMP, WebP, PNM, PFM, HDR) gets the picture over black. The file is there whole or not at all.
// Throws UsageError for what the format cannot be asked for, else FileError or OutOfMemory.
void write_image(const Image& image, const std::filesystem::path& path, const WriteOptions& options = {});

// The bytes of a PNG file. Throws Error or OutOfMemory.
std::vector<std::byte> encoded_png(const Image& image);

// Throws the UsageError of write_image for this name and these options, before there is an image.
void check_output_name(const std::filesystem::path& path, const WriteOptions& options = {});

// Whether write_image would store integers, which end at 0 and 1, for a float image.
bool writes_integers(const std::filesystem::path& path, const WriteOptions& options = {});

// "png", "jpg", …: lower case, without the dot, the common ones first.
std::vector<std::string> readable_extensions();
std::vector<std::string> writable_extensions();

}  // namespace texelscope
