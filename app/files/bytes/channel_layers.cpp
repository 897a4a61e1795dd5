#include "app/files/bytes/channel_layers.h"

#include <algorithm>

namespace texelscope {

std::string_view layer_name(std::string_view channel) {
    const size_t dot = channel.rfind('.');
    return dot == channel.npos ? std::string_view() : channel.substr(0, dot);
}

std::vector<ChannelLayer> layers_of(const std::vector<std::string>& channels) {
    std::vector<ChannelLayer> layers;
    for (const std::string& channel : channels) {
        const std::string_view name = layer_name(channel);
        auto layer = std::ranges::find(layers, name, &ChannelLayer::name);
        if (layer == layers.end())
            layer = layers.insert(name.empty() ? layers.begin() : layers.end(), {std::string(name), {}});
        layer->channels.push_back(channel);
    }
    return layers;
}

std::vector<std::string> channels_of_layer(const std::vector<std::string>& channels, std::string_view layer) {
    std::vector<std::string> all, colours;
    std::ranges::copy_if(channels, std::back_inserter(all),
                         [&](const std::string& channel) { return layer_name(channel) == layer; });
    const std::string prefix = layer.empty() ? "" : std::string(layer) + '.';
    for (const char* colour : {"R", "G", "B", "A"})
        if (std::ranges::find(all, prefix + colour) != all.end()) colours.push_back(prefix + colour);
    const bool coloured = colours.size() == 4 || (colours.size() == 3 && !colours.back().ends_with('A'));
    if (coloured) return colours;
    all.resize(std::min<size_t>(all.size(), 4));
    return all;
}

bool ends_in_alpha_of_layer(const std::vector<std::string>& channels) {
    if (channels.size() < 2) return false;
    const std::string_view layer = layer_name(channels.back());
    return !layer.empty() && channels.back().substr(layer.size()) == ".A" &&
           std::ranges::all_of(channels, [&](const std::string& channel) { return layer_name(channel) == layer; });
}

}  // namespace texelscope
