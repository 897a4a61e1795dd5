#pragma once
// The channels of a part of an OpenEXR file, as they are offered.

#include <string>
#include <string_view>
#include <vector>

#include <ImfHeader.h>
#include <ImfPixelType.h>

namespace texelscope {

// One of the file's, or R, G or B that is made of luminance and chroma.
struct ExrChannel {
    std::string name = {};  // with its layer
    Imf::PixelType type = Imf::HALF;
    int x_sampling = 1, y_sampling = 1;
    bool made = false;
};

// In the order in which they are shown: layer by layer, R, G, B, then Y, then A, then depth, then all others. Luminance and chroma
// (Y, RY, BY) with a chroma sample for two by two pixels come as R, G and B.
std::vector<ExrChannel> offered_channels(const Imf::Header& header);

std::vector<std::string> names_of(const std::vector<ExrChannel>& channels);

// The first one named A or Alpha that is no integer; −1: none.
int alpha_among(const std::vector<ExrChannel>& channels);

// "RY" of "light.RY".
std::string_view suffix_of(std::string_view channel);

}  // namespace texelscope
