#include "app/files/codecs/openexr/exr_picture.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

#include <ImfChannelList.h>
#include <ImfHeader.h>
#include <ImfPartType.h>
#include <ImfThreading.h>
#include <fmt/format.h>

#include "app/files/bytes/parts.h"
#include "gpu/core/half.h"
#include "gpu/core/parallel.h"
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

namespace {

constexpr int block_rows = 32;  // a multiple of the rows that all compressions but one pack together

// Makes the library's threads for the first file of a process.
Imf::IStream& prepared(Imf::IStream& stream) {
    constexpr int most_threads = 16;
    Imf::Header::setMaxImageSize(int(max_image_side), int(max_image_side));
    if (Imf::globalThreadCount() == 0) Imf::setGlobalThreadCount(std::min(thread_count(), most_threads));
    return stream;
}

PictureFacts::Part part_of(const Imf::Header& header) {
    const Imath::Box2i& window = header.dataWindow();
    return {header.hasName() ? header.name() : "", window.max.x - window.min.x + 1, window.max.y - window.min.y + 1,
            names_of(offered_channels(header))};
}

std::optional<SampleRegion> frame_of(const Imf::Header& header) {
    const Imath::Box2i &data = header.dataWindow(), &display = header.displayWindow();
    if (data == display) return {};
    const auto distance = [](int to, int from) { return int64_t(to) - from; };
    return SampleRegion{distance(display.min.x, data.min.x), distance(display.min.y, data.min.y),
                        int(distance(display.max.x, display.min.x)) + 1,
                        int(distance(display.max.y, display.min.y)) + 1};
}

// The type that keeps every number.
SampleType type_for(const std::vector<ExrChannel>& channels) {
    const auto count = [&](Imf::PixelType type) {
        return size_t(std::ranges::count(channels, type, &ExrChannel::type));
    };
    const size_t integers = count(Imf::UINT), all = channels.size();
    if (integers > 0) return integers == all ? SampleType::u32 : SampleType::f64;
    return count(Imf::HALF) == all ? SampleType::f16 : SampleType::f32;
}

Imf::PixelType stored_as(SampleType type) {
    return type == SampleType::f16 ? Imf::HALF : type == SampleType::u32 ? Imf::UINT : Imf::FLOAT;
}

// A slice for a channel whose sample at `first` is stored at `to`.
Imf::Slice slice(Imf::PixelType type, std::byte* to, Imath::V2i first, size_t pixel_bytes, size_t row_bytes) {
    const auto address = reinterpret_cast<uintptr_t>(to) - size_t(ptrdiff_t(first.x)) * pixel_bytes -
                         size_t(ptrdiff_t(first.y)) * row_bytes;
    return {type, reinterpret_cast<char*>(address), pixel_bytes, row_bytes};
}

void check_chosen(const std::vector<ExrChannel>& chosen, bool by_default) {
    const bool made = std::ranges::any_of(chosen, &ExrChannel::made);
    for (const ExrChannel& each : chosen) {
        const std::string_view suffix = suffix_of(each.name);
        if (each.x_sampling != 1 || each.y_sampling != 1)
            throw Error(
                fmt::format("its channel '{}' has a sample for {}×{} pixels, which is read of luminance and "
                            "chroma named Y, RY and BY only, two by two; choose others of its channels",
                            each.name, each.x_sampling, each.y_sampling));
        if (by_default && (suffix == "RY" || suffix == "BY"))
            throw Error(
                fmt::format("its chroma '{}' is not of half the size, and then not made into colours; choose "
                            "single channels of it",
                            each.name));
        if (made && !each.made && each.name != "A")
            throw Error("its R, G and B are made of luminance and chroma, and read only together with A");
    }
}

}  // namespace

ExrPicture::ExrPicture(Imf::IStream& stream, const EncodedFile& file) : stream_(stream), input_(prepared(stream)) {
    choose(file);
    open_samples();
    add_levels();
}

void ExrPicture::choose(const EncodedFile& file) {
    for (int part = 0; part < std::min(input_.parts(), most_listed_parts); ++part)
        facts_.parts.push_back(part_of(input_.header(part)));
    facts_.part = chosen_part(file.choice, facts_.parts, input_.parts());
    facts_.upright = file.choice.upright;
    if (header().hasType() && Imf::isDeepData(header().type()))
        throw Error("deep images are not supported; flatten the image first");
    const std::vector<ExrChannel> offered = offered_channels(header());
    const ChosenChannels channels = chosen_channels(file.choice, names_of(offered), alpha_among(offered));
    facts_.channels = channels.which;
    for (const int which : channels.which) chosen_.push_back(offered[size_t(which)]);
    check_chosen(chosen_, file.choice.channels.empty());
    const PictureFacts::Part part = part_of(header());
    const bool alpha = channels.alpha && chosen_.back().type != Imf::UINT;
    facts_.shape = {part.width, part.height, int(chosen_.size()), type_for(chosen_),
                    alpha ? Alpha::premultiplied : Alpha::none};
    check_sides(uint64_t(part.width), uint64_t(part.height), chosen_.size());
    facts_.frame = frame_of(header());
}

void ExrPicture::open_samples() {
    if (std::ranges::any_of(chosen_, &ExrChannel::made)) {
        if (facts_.part > 0) throw Error("luminance and chroma are made into colours in the first part only");
        stream_.seekg(0);
        made_ = std::make_unique<Imf::RgbaInputFile>(stream_);
    } else if (header().hasTileDescription()) {
        tiled_ = std::make_unique<Imf::TiledInputPart>(input_, facts_.part);
    } else {
        rows_ = std::make_unique<Imf::InputPart>(input_, facts_.part);
    }
}

void ExrPicture::add_levels() {
    if (!tiled_) {
        const int rows = header().compression() == Imf::DWAB_COMPRESSION ? 256 : block_rows;
        levels_ = {{0, header().dataWindow(), facts_.shape.width, rows}};
        return;
    }
    const bool mip = tiled_->levelMode() == Imf::MIPMAP_LEVELS;
    for (int level = 0; level < (mip ? tiled_->numLevels() : 1); ++level)
        levels_.push_back(
            {level, tiled_->dataWindowForLevel(level), int(tiled_->tileXSize()), int(tiled_->tileYSize())});
}

uint64_t ExrPicture::stored_piece_bytes() const {
    uint64_t pixel = 0;
    const Imf::ChannelList& list = header().channels();
    for (auto each = list.begin(); each != list.end(); ++each) pixel += each.channel().type == Imf::HALF ? 2 : 4;
    return pixel * uint64_t(levels_[0].piece_width) * uint64_t(levels_[0].piece_height);
}

// A buffer for the chosen channels, all of `type`; with `as_stored`, integers stay integers of the same four bytes.
Imf::FrameBuffer ExrPicture::buffer_for(const ExrLevel& level, const SampleRegion& region, Imf::PixelType type,
                                        bool as_stored, const Place& place) const {
    const size_t sample = type == Imf::HALF ? 2 : 4;
    const Imath::V2i first(level.window.min.x + int(region.x), level.window.min.y + int(region.y));
    Imf::FrameBuffer buffer;
    for (size_t i = 0; i < chosen_.size(); ++i) {
        const bool integer = as_stored && chosen_[i].type == Imf::UINT;
        buffer.insert(chosen_[i].name, slice(integer ? Imf::UINT : type, place.to + i * sample, first,
                                             chosen_.size() * sample, place.row_bytes));
    }
    return buffer;
}

void ExrPicture::decode(const ExrLevel& level, const SampleRegion& region, const Imf::FrameBuffer& buffer) {
    if (rows_) {
        const int first = level.window.min.y + int(region.y);
        rows_->setFrameBuffer(buffer);
        return rows_->readPixels(first, first + region.height - 1);
    }
    const auto piece = [](int64_t sample, int side) { return int(sample / side); };
    tiled_->setFrameBuffer(buffer);
    tiled_->readTiles(piece(region.x, level.piece_width), piece(region.x + region.width - 1, level.piece_width),
                      piece(region.y, level.piece_height), piece(region.y + region.height - 1, level.piece_height),
                      level.number);
}

// Reads integers and floats together, as f64.
void ExrPicture::read_mixed(const ExrLevel& level, const SampleRegion& region, const Place& place) {
    const size_t channels = chosen_.size(), count = size_t(region.width) * channels;
    std::vector<std::byte> samples(count * 4 * size_t(region.height));
    decode(level, region, buffer_for(level, region, Imf::FLOAT, true, {samples.data(), count * 4}));
    for (size_t y = 0; y < size_t(region.height); ++y)
        for (size_t i = 0; i < count; ++i) {
            const std::byte* const from = samples.data() + (y * count + i) * 4;
            double value;
            if (chosen_[i % channels].type == Imf::UINT) {
                uint32_t number;
                std::memcpy(&number, from, 4);
                value = number;
            } else {
                float number;
                std::memcpy(&number, from, 4);
                value = double(number);
            }
            std::memcpy(place.to + y * place.row_bytes + i * sizeof(double), &value, sizeof(double));
        }
}

// Reads R, G and B through OpenEXR's own conversion.
void ExrPicture::read_luminance(const SampleRegion& region, const Place& place) {
    const Imath::V2i first(levels_[0].window.min.x, levels_[0].window.min.y + int(region.y));
    std::vector<Imf::Rgba> row(size_t(region.width));
    const auto offset_of = [](const std::string& name) {
        return name == "R" ? 0 : name == "G" ? 1 : name == "B" ? 2 : 3;
    };
    const size_t channels = chosen_.size();
    for (int y = 0; y < region.height; ++y) {
        const Imf::Slice whole =
            slice(Imf::HALF, reinterpret_cast<std::byte*>(row.data()), {first.x, 0}, sizeof(Imf::Rgba), 0);
        made_->setFrameBuffer(reinterpret_cast<Imf::Rgba*>(whole.base), 1, 0);
        made_->readPixels(first.y + y);
        std::byte* const to = place.to + size_t(y) * place.row_bytes;
        for (size_t c = 0; c < channels; ++c) {
            const auto* from = reinterpret_cast<const std::byte*>(row.data()) + 2 * offset_of(chosen_[c].name);
            for (size_t x = 0; x < row.size(); ++x)
                std::memcpy(to + (x * channels + c) * 2, from + x * sizeof(Imf::Rgba), 2);
        }
    }
}

void ExrPicture::read_once(const ExrLevel& level, const SampleRegion& region, const Place& place) {
    const SampleType type = facts_.shape.type;
    if (made_) read_luminance(region, place);
    else if (type == SampleType::f64) read_mixed(level, region, place);
    else decode(level, region, buffer_for(level, region, stored_as(type), false, place));
}

void ExrPicture::read(const ExrLevel& level, const SampleRegion& region, std::byte* to, size_t row_bytes) {
    in_our_words([&] {
        try {
            read_once(level, region, {to, row_bytes});
        } catch (const Iex::BaseExc&) {  // perhaps an earlier error, which OpenEXR reports once more
            if (made_) {                 // its position is lost
                stream_.seekg(0);
                made_ = std::make_unique<Imf::RgbaInputFile>(stream_);
            }
            read_once(level, region, {to, row_bytes});
        }
    });
}

}  // namespace texelscope
