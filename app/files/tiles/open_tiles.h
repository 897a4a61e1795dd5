#pragma once
// Opens images that are read by regions: which way is right for a source, and whether it is worth it at all.

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "app/files/decoding/decoder.h"
#include "app/files/tiles/tile_folder.h"
#include "gpu/core/image.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

struct TilesOptions {
    // The bytes of samples from which on an image is read by regions: the largest that make_test_image makes is not.
    int64_t worth = (int64_t(1) << 30) + 1;
    // Where pictures are kept as tiles that can only be decoded from their first row to their last.
    TileFolder cache = TileFolder();
    // While such a picture is decoded for the first time, with the part that is done; on the calling thread.
    std::function<void(double part)> progress = {};
    std::stop_token cancel = {};  // ends that, from any thread
    bool truncated = false;       // see raw_tiles(): for somebody to look at what is there
};

// `source` is one of load_image: a file, perhaps with a choice behind it, or a test image. Regions have the samples that
// load_image would give there. No tiles if it is better read as a whole (load_image): it is small, or cannot be read in
// parts; a sentence says which. Blocks for as long as a picture must be decoded first, and else for moments.
// Throws UsageError, FileError, OutOfMemory, Cancelled.
TilesOrWhy open_tiles(const std::string& source, const TilesOptions& options = {});

// Opens an image to be looked at: as a whole, or by regions if it is too large for that.
struct Opening {
    Reading reading = {};
    // While a picture that can only be decoded from its first row to its last is stored as tiles: the part that is done.
    // On the calling thread.
    std::function<void(double part)> storing = {};
};

// What has large samples is read by regions (open_tiles), and all others as load_image reads them. Throws what that and
// open_tiles throw.
Image open_image(const std::string& source, const Opening& opening = {});

// Test images of any size, of which only the regions that are read are ever made.

// `@id:N` or `@id:WxH` with sides of up to max_image_side; the samples are those of make_test_image. Null for
// a test image that can only be made as a whole. Throws UsageError for an unknown id or a bad size.
std::unique_ptr<const TileSource> generated_tiles(std::string_view spec);

}  // namespace texelscope
