#include "app/files/codecs/openexr/exr_channels.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <tuple>

#include <ImfChannelList.h>

#include "app/files/bytes/chosen_parts.h"
#include "gpu/core/text.h"

namespace texelscope {
namespace {

using namespace std::string_view_literals;
using Names = std::span<const std::string_view>;

constexpr std::array colours = {"r"sv,    "red"sv,  "g"sv,  "green"sv, "b"sv,     "blue"sv, "y"sv,
                                "real"sv, "imag"sv, "a"sv,  "alpha"sv, "ar"sv,    "ra"sv,   "ag"sv,
                                "ga"sv,   "ab"sv,   "ba"sv, "z"sv,     "depth"sv, "zback"sv};
constexpr std::array directions = {"x"sv, "y"sv, "z"sv, "a"sv, "alpha"sv};

// The channel's kind in lower case: "ry" of "light.RY".
std::string kind_of(const ExrChannel& channel) { return lower_case(std::string(suffix_of(channel.name))); }

bool has(std::span<const ExrChannel> channels, std::string_view suffix) {
    return std::ranges::any_of(channels, [&](const ExrChannel& each) { return kind_of(each) == suffix; });
}

size_t rank(const ExrChannel& channel, Names order) {
    return size_t(std::ranges::find(order, kind_of(channel)) - order.begin());
}

// Sorts the channels of one layer; x, y and z without colours are a direction.
void sort_layer(std::span<ExrChannel> layer) {
    const bool direction = has(layer, "x") && has(layer, "y") && has(layer, "z") && !has(layer, "r");
    const Names order = direction ? Names(directions) : Names(colours);
    std::ranges::sort(layer, {}, [order](const ExrChannel& each) { return std::tuple(rank(each, order), each.name); });
}

const ExrChannel* named(const std::vector<ExrChannel>& channels, std::string_view name) {
    const auto found = std::ranges::find(channels, name, &ExrChannel::name);
    return found == channels.end() ? nullptr : &*found;
}

bool is_of_half_size(const ExrChannel* channel) {
    return channel && channel->x_sampling == 2 && channel->y_sampling == 2;
}

bool is_luminance_and_chroma(const std::vector<ExrChannel>& channels) {
    const ExrChannel* luminance = named(channels, "Y");
    return luminance && luminance->x_sampling == 1 && luminance->y_sampling == 1 &&
           is_of_half_size(named(channels, "RY")) && is_of_half_size(named(channels, "BY")) && !named(channels, "R") &&
           !named(channels, "G") && !named(channels, "B");
}

}  // namespace

std::string_view suffix_of(std::string_view channel) {
    return channel.substr(channel.rfind('.') + 1);  // npos + 1 is 0
}

std::vector<ExrChannel> offered_channels(const Imf::Header& header) {
    std::vector<ExrChannel> channels;
    const Imf::ChannelList& list = header.channels();
    for (auto each = list.begin(); each != list.end(); ++each)
        channels.push_back(
            {each.name(), each.channel().type, each.channel().xSampling, each.channel().ySampling, false});
    if (is_luminance_and_chroma(channels)) {
        std::erase_if(channels, [](const ExrChannel& each) {
            return each.name == "Y" || each.name == "RY" || each.name == "BY";
        });
        for (const char* name : {"R", "G", "B"}) channels.push_back({name, Imf::HALF, 1, 1, true});
    }
    const auto layer = [](const ExrChannel& channel) { return std::string(layer_name(channel.name)); };
    std::ranges::stable_sort(channels, {}, layer);
    for (auto begin = channels.begin(); begin != channels.end();) {
        const auto end =
            std::find_if(begin, channels.end(), [&](const ExrChannel& each) { return layer(each) != layer(*begin); });
        sort_layer({begin, end});
        begin = end;
    }
    return channels;
}

std::vector<std::string> names_of(const std::vector<ExrChannel>& channels) {
    std::vector<std::string> names;
    for (const ExrChannel& channel : channels) names.push_back(channel.name);
    return names;
}

int alpha_among(const std::vector<ExrChannel>& channels) {
    const auto found = std::ranges::find_if(channels, [](const ExrChannel& each) {
        const std::string kind = kind_of(each);
        return (kind == "a" || kind == "alpha") && each.type != Imf::UINT;
    });
    return found == channels.end() ? -1 : int(found - channels.begin());
}

}  // namespace texelscope
