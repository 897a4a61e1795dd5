#pragma once
// One small picture for the filmstrip: from the desktop's cache, or made and put there.

#include <ctime>
#include <stop_token>
#include <string>

#include "app/files/desktop/thumbnail_cache.h"
#include "app/state/view_math.h"

namespace texelscope {

struct ThumbnailQuestion {
    std::string path;  // of a file, absolute
    Extent box;        // framebuffer pixels
    bool operator==(const ThumbnailQuestion&) const = default;
};

struct Thumbnail {
    Image picture;  // u8, RGB or RGBA, within the box; empty: the file cannot be read, or is too large
    Extent size;    // of the file's picture, pixels; empty: not known
    uintmax_t bytes = 0;
    std::time_t modified = 0;
};

// Takes milliseconds from the cache, else as long as reading the picture takes: for a thread of its own. A file that
// cannot be read is noted in the cache and not tried again until it changes. Throws Cancelled only.
Thumbnail thumbnail_of(const ThumbnailQuestion& question, const ThumbnailCache& cache, const std::stop_token& stop);

}  // namespace texelscope
