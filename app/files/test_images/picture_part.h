#pragma once

#include "gpu/core/tile_source.h"

namespace texelscope {

// What is made of a picture: its samples are those of the whole picture there.
struct PicturePart {
    int width = 0, height = 0;  // of the whole picture
    SampleRegion region = {};   // inside it

    static PicturePart whole(int width, int height) { return {width, height, {0, 0, width, height}}; }
    bool is_whole() const { return region == SampleRegion{0, 0, width, height}; }
};

}  // namespace texelscope
