#pragma once
// The channels of a part of an OpenEXR file, as they are offered.

#include <string>
#include <string_view>
#include <vector>

#include <ImfHeader.h>
#include <ImfPixelType.h>

namespace texelscope {

// A channel of the file, or R, G or B made from luminance and chroma.
struct ExrChannel {
    std::string name = {};  // including its layer
    Imf::PixelType type = Imf::HALF;
    int x_sampling = 1, y_sampling = 1;
    bool made = false;
};

// The channels in display order: layer by layer, R, G, B, then Y, A, depth, then all others. Luminance and chroma
// (Y, RY, BY) with a chroma sample for two by two pixels come as R, G and B.
std::vector<ExrChannel> offered_channels(const Imf::Header& header);

std::vector<std::string> names_of(const std::vector<ExrChannel>& channels);

// The index of the first channel named A or Alpha that is not an integer; −1: none.
int alpha_among(const std::vector<ExrChannel>& channels);

// The channel's name without its layer: "RY" of "light.RY".
std::string_view suffix_of(std::string_view channel);

}  // namespace texelscope
