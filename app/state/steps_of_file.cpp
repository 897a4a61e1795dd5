#include "app/state/steps_of_file.h"

#include <algorithm>

#include "app/files/bytes/channel_layers.h"

namespace texelscope {
namespace {

bool is_number(const std::string& text) { return text.find_first_not_of("0123456789") == text.npos; }

}  // namespace

std::vector<PictureFacts::Part> layers_as_parts(const PictureFacts& facts) {
    std::vector<PictureFacts::Part> parts;
    if (facts.parts.size() != 1) return parts;
    const PictureFacts::Part& whole = facts.parts[0];
    for (const ChannelLayer& layer : layers_of(whole.channels))
        parts.push_back({layer.name, whole.width, whole.height, channels_of_layer(whole.channels, layer.name)});
    if (parts.size() < 2) parts.clear();
    return parts;
}

std::vector<PictureFacts::Part> parts_to_step_through(const PictureFacts& facts) {
    std::vector<PictureFacts::Part> layers = layers_as_parts(facts);
    return layers.empty() ? facts.parts : layers;
}

int shown_layer(const PictureChoice& choice, const std::vector<PictureFacts::Part>& layers,
                const std::vector<std::string>& channels) {
    std::string name;
    if (!choice.channels.empty()) {
        const std::string& first = choice.channels.front();
        const bool numbered = is_number(first) && std::ranges::count(channels, first) == 0;
        const size_t number = numbered && first.size() < 6 ? size_t(std::stoi(first)) : 0;
        name = layer_name(number >= 1 && number <= channels.size() ? channels[number - 1] : first);
    } else if (!is_number(choice.part)) {
        name = choice.part;
    } else if (std::ranges::count(channels, "R") == 0) {
        name = layer_name(channels.front());
    }
    const auto found = std::ranges::find(layers, name, &PictureFacts::Part::name);
    return found == layers.end() ? 0 : int(found - layers.begin());
}

}  // namespace texelscope
