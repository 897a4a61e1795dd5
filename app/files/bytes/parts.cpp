#include "app/files/bytes/parts.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/files/bytes/rows.h"
#include "app/files/decoding/decoder.h"

namespace texelscope {
namespace {

// From 0; unset unless it is a number from 1 to `count`.
std::optional<int> numbered(std::string_view text, int count) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 1 || number > count) return {};
    return number - 1;
}

// A few of them, for messages.
std::string some_of(const std::vector<std::string>& names) {
    constexpr size_t most = 12;
    const size_t shown = std::min(names.size(), most);
    return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + ptrdiff_t(shown), ", "),
                       shown < names.size() ? ", …" : "");
}

std::vector<std::string> names_of_layers(const std::vector<PictureFacts::Part>& parts) {
    std::vector<std::string> names;
    for (const PictureFacts::Part& part : parts)
        for (const ChannelLayer& layer : layers_of(part.channels))
            if (!layer.name.empty()) names.push_back(layer.name);
    return names;
}

// Up to four channels of one layer that form a picture: neighbours, except for the alpha of colours.
ChosenChannels usual_channels(const std::vector<std::string>& names, int alpha_channel) {
    const int stored = int(names.size());
    int first = 0;
    bool colours = false;
    if (stored > 4)
        for (int i = 0; i + 2 < stored && !colours; ++i) {
            colours = names[size_t(i)] == "R" && names[size_t(i) + 1] == "G" && names[size_t(i) + 2] == "B";
            if (colours) first = i;
        }
    int count = std::min(1, stored - first);
    while (count < std::min(4, stored - first) &&
           layer_name(names[size_t(first + count)]) == layer_name(names[size_t(first)]))
        ++count;
    const bool reaches = alpha_channel >= first && alpha_channel < first + count;
    if (reaches) count = alpha_channel - first + 1;  // channels after alpha are not colours
    else if (colours || (stored > 4 && alpha_channel >= 0)) count = std::min(count, 3);
    ChosenChannels result{{}, reaches && count > 1};
    for (int i = 0; i < count; ++i) result.which.push_back(first + i);
    if (colours && alpha_channel >= first + count &&
        layer_name(names[size_t(alpha_channel)]) == layer_name(names[size_t(first)])) {
        result.which.push_back(alpha_channel);
        result.alpha = true;
    }
    return result;
}

}  // namespace

int chosen_part(const PictureChoice& choice, const std::vector<PictureFacts::Part>& listed, int count) {
    if (choice.part.empty()) return 0;
    if (const auto number = numbered(choice.part, count)) return *number;
    std::vector<std::string> names;
    for (size_t i = 0; i < listed.size(); ++i) {
        if (listed[i].name == choice.part) return int(i);
        if (!listed[i].name.empty()) names.push_back(listed[i].name);
    }
    for (size_t i = 0; i < listed.size(); ++i)
        if (!channels_of_layer(listed[i].channels, choice.part).empty()) return int(i);
    if (const std::vector<std::string> layers = names_of_layers(listed); count == 1 && !layers.empty())
        throw Error(fmt::format("it has no part '{}': it is a single picture with the layers {}", choice.part,
                                some_of(layers)));
    if (count == 1) throw Error(fmt::format("it has no part '{}': it is a single picture", choice.part));
    throw Error(fmt::format("it has no part '{}': its parts are 1 to {}{}", choice.part, count,
                            names.empty() ? "" : fmt::format(" ({})", some_of(names))));
}

ChosenChannels chosen_channels(const PictureChoice& choice, const std::vector<std::string>& names, int alpha_channel) {
    const bool by_number = !choice.part.empty() && choice.part.find_first_not_of("0123456789") == choice.part.npos;
    const std::vector<std::string> chosen = !choice.channels.empty()           ? choice.channels
                                            : choice.part.empty() || by_number ? std::vector<std::string>()
                                                                               : channels_of_layer(names, choice.part);
    if (chosen.empty()) return usual_channels(names, alpha_channel);
    ChosenChannels result;
    for (const std::string& wanted : chosen) {
        const auto named = std::find(names.begin(), names.end(), wanted);
        const auto number = numbered(wanted, int(names.size()));
        if (named == names.end() && !number)
            throw Error(fmt::format("it has no channel '{}': its channels are {}", wanted, some_of(names)));
        const int which = named != names.end() ? int(named - names.begin()) : *number;
        if (std::find(result.which.begin(), result.which.end(), which) != result.which.end())
            throw Error(fmt::format("its channel '{}' is chosen twice", names[size_t(which)]));
        result.which.push_back(which);
    }
    std::vector<std::string> read;
    for (const int channel : result.which) read.push_back(names[size_t(channel)]);
    result.alpha = (result.which.size() > 1 && result.which.back() == alpha_channel) || ends_in_alpha_of_layer(read);
    return result;
}

std::vector<std::string> usual_channel_names(int channels, Alpha alpha) {
    if (channels == 1) return {"Y"};
    if (channels == 2 && alpha != Alpha::none) return {"Y", "A"};
    if (channels == 3) return {"R", "G", "B"};
    if (channels == 4 && alpha != Alpha::none) return {"R", "G", "B", "A"};
    std::vector<std::string> names;
    for (int i = 1; i <= channels; ++i) names.push_back(std::to_string(i));
    return names;
}

PictureFacts facts_of_single(const PictureChoice& choice, int width, int height, int channels, Alpha alpha) {
    PictureFacts facts;
    facts.parts = {{"", width, height, usual_channel_names(channels, alpha)}};
    facts.part = chosen_part(choice, facts.parts, 1);
    facts.upright = choice.upright;
    return facts;
}

ChosenPicture chosen_picture(const PictureChoice& choice, const PictureShape& stored, int pictures, int orientation) {
    const auto names = usual_channel_names(stored.channels, stored.alpha);
    PictureFacts facts;
    facts.parts.assign(size_t(std::min(pictures, most_listed_parts)), {"", stored.width, stored.height, names});
    facts.part = chosen_part(choice, facts.parts, pictures);
    facts.orientation = orientation;
    facts.upright = choice.upright;
    ChosenChannels channels = chosen_channels(choice, names, stored.alpha == Alpha::none ? -1 : stored.channels - 1);
    facts.channels = channels.which;
    return {std::move(facts), std::move(channels)};
}

PictureShape turned_shape(int width, int height, const ChosenChannels& channels, SampleType type, Alpha alpha,
                          const PictureFacts& facts) {
    if (swaps_sides(turn_of(facts))) std::swap(width, height);
    return {width, height, int(channels.which.size()), type, channels.alpha ? alpha : Alpha::none};
}

Image chosen_from(Image image, const PictureChoice& choice, PictureFacts* told) {
    PictureFacts facts = facts_of_single(choice, image.width(), image.height(), image.channels(), image.alpha());
    const int alpha = image.alpha() == Alpha::none ? -1 : image.channels() - 1;
    const ChosenChannels chosen = chosen_channels(choice, facts.parts[0].channels, alpha);
    facts.channels = chosen.which;
    if (!choice.channels.empty()) {
        Image picked(image.width(), image.height(), int(chosen.which.size()), image.type(),
                     chosen.alpha ? image.alpha() : Alpha::none);
        for (int y = 0; y < image.height(); ++y)
            place_rows({image.row(y), image.width(), y, 1, image.channels(), chosen.which}, 1, picked);
        picked.set_dimensions(image.dimensions());
        picked.set_missing(image.missing());
        picked.set_frame(image.frame());
        image = std::move(picked);
    }
    facts.shape = {image.width(), image.height(), image.channels(), image.type(), image.alpha()};
    facts.missing = image.missing();
    if (told) *told = std::move(facts);
    return image;
}

void check_unchosen(const PictureChoice& choice) {
    facts_of_single(choice, 1, 1, 1, Alpha::none);  // throws if another part is chosen
    if (!choice.channels.empty()) throw NotInParts("some of its channels are chosen");
}

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

void copy_common(const Piece& piece, const SampleRegion& region, size_t pixel_bytes, std::byte* to, size_t row_bytes) {
    const SampleRegion& from = piece.region;
    const int64_t left = std::max(from.x, region.x), right = std::min(from.x + from.width, region.x + region.width);
    const int64_t top = std::max(from.y, region.y), bottom = std::min(from.y + from.height, region.y + region.height);
    if (left >= right) return;
    for (int64_t y = top; y < bottom; ++y)
        std::memcpy(
            to + size_t(y - region.y) * row_bytes + size_t(left - region.x) * pixel_bytes,
            piece.samples.data() + (size_t(y - from.y) * size_t(from.width) + size_t(left - from.x)) * pixel_bytes,
            size_t(right - left) * pixel_bytes);
}

int tile_of_pieces(int piece_width, int piece_height) {
    constexpr int usual = 512, largest = 1 << 14;
    const int side = std::max(piece_width, piece_height);
    return side >= usual / 2 ? std::min(side, largest) : usual / side * side;
}

const Piece& KeptPieces::keep(const Place& place, Piece piece) {
    kept_ += piece.samples.size();
    while (!pieces_.empty() && kept_ > budget_) {
        kept_ -= pieces_.back().second.samples.size();
        places_.erase(pieces_.back().first);
        pieces_.pop_back();
    }
    pieces_.emplace_front(place, std::move(piece));
    places_[place] = pieces_.begin();
    return pieces_.front().second;
}

void read_whole(const TileSource& source, const PictureFacts& facts, DecodingTarget& target) {
    const ImageInfo& info = source.info();
    Image* const into = target.begin({info.width, info.height, info.channels, info.type, info.alpha}, facts);
    if (!into) return;
    Image& image = *into;
    for (int y = 0; y < info.height; y += source.tile()) {
        const int rows = std::min(source.tile(), info.height - y);
        source.read(0, {0, y, info.width, rows}, image.row(y), image.row_bytes());
        target.rows_done(y + rows);
    }
}

}  // namespace texelscope
