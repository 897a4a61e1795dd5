#pragma once
// The structure of a PSD: its header, and where the channels of its layers and of the merged picture are.

#include <string>
#include <vector>

#include "app/files/bytes/raster.h"

namespace texelscope {

enum class PsdMode : uint32_t {
    bitmap = 0,
    grey = 1,
    indexed = 2,
    rgb = 3,
    cmyk = 4,
    multichannel = 7,
    duotone = 8,
    lab = 9
};

struct PsdHeader {
    bool large = false;  // PSB
    uint32_t channels = 0, width = 0, height = 0, depth = 0;
    PsdMode mode = PsdMode::rgb;

    uint64_t row_bytes(uint64_t pixels) const { return (pixels * depth + 7) / 8; }
    // The number of channels that make the colour.
    int colours() const;
};

struct PsdChannel {
    int id = 0;           // −1: transparency; below: masks
    ByteSpan bytes = {};  // the kind of packing, then the samples
};

struct PsdLayer {
    std::string name = {};
    int width = 0, height = 0;
    std::vector<PsdChannel> channels = {};

    const PsdChannel* find(int id) const;
};

struct PsdFile {
    PsdHeader header;
    ByteSpan palette = {};      // 256 values of red, then of green, then of blue
    int transparent = -1;       // index
    bool transparency = false;  // the merged picture has it, as the first channel after its colours
    std::vector<PsdLayer> layers = {};
    ByteSpan merged = {};
};

// Throws Error.
PsdFile psd_file(ByteSpan file);

}  // namespace texelscope
