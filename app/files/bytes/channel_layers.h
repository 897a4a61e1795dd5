#pragma once
// Layers within one part of a file: channels whose names begin alike, as OpenEXR has them: diffuse.R, diffuse.G, diffuse.B.

#include <string>
#include <string_view>
#include <vector>

namespace texelscope {

// "diffuse" of "diffuse.R"; "" of "R".
std::string_view layer_name(std::string_view channel);

struct ChannelLayer {
    std::string name;                   // empty: of the channels without a layer
    std::vector<std::string> channels;  // all of them, as stored
};

// In the order of their first channels, those without a layer first.
std::vector<ChannelLayer> layers_of(const std::vector<std::string>& channels);

// The 1 to 4 channels of a layer that are seen together: R, G, B and A if it has them, else its first ones. None if there
// is no such layer.
std::vector<std::string> channels_of_layer(const std::vector<std::string>& channels, std::string_view layer);

// Whether the last of these is "A" of the layer that the others belong to.
bool ends_in_alpha_of_layer(const std::vector<std::string>& channels);

}  // namespace texelscope
