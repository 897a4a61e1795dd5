// Photoshop's PSD and PSB: the merged picture, and the layers as further parts. Adobe Photoshop File Formats Specification,
// 2019. A channel after the colours is transparency if the layers say so; else it is a selection that was saved.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "app/files/bytes/rows.h"
#include "app/files/codecs/codecs.h"
#include "app/files/codecs/psd_layers.h"

namespace texelscope {
namespace {

// The merged picture or a layer: planes of the colours, then of the transparency, if any, then of any other channels.
struct Source {
    struct Plane {
        const PsdPlanes* planes;
        uint32_t which;
    };
    std::vector<PsdPlanes> owned = {};
    std::vector<Plane> planes = {};
    int width = 0, height = 0;
    bool transparency = false;
};

Source merged_source(const PsdFile& file) {
    const PsdHeader& header = file.header;
    Source source;
    source.width = int(header.width);
    source.height = int(header.height);
    source.transparency = file.transparency && int(header.channels) > header.colours() &&
                          header.mode != PsdMode::multichannel && header.mode != PsdMode::indexed;
    source.owned.emplace_back(header, file.merged, header.channels, header.width, header.height);
    for (uint32_t i = 0; i < header.channels; ++i) source.planes.push_back({nullptr, i});
    return source;
}

Source layer_source(const PsdFile& file, const PsdLayer& layer) {
    if (layer.width < 1 || layer.height < 1) throw Error(fmt::format("its layer '{}' has no pixels", layer.name));
    check_dimensions(uint64_t(layer.width), uint64_t(layer.height), 4, SampleType::u16);
    Source source;
    source.width = layer.width;
    source.height = layer.height;
    std::vector<const PsdChannel*> channels;
    for (int id = 0; id < file.header.colours(); ++id) channels.push_back(layer.find(id));
    if (std::ranges::count(channels, nullptr)) throw Error(fmt::format("its layer '{}' has no picture", layer.name));
    source.transparency = layer.find(-1) != nullptr && file.header.mode != PsdMode::multichannel;
    if (source.transparency) channels.push_back(layer.find(-1));
    for (const PsdChannel* channel : channels) {
        source.owned.emplace_back(file.header, channel->bytes, 1, uint32_t(layer.width), uint32_t(layer.height));
        if (source.owned.back().rows_there() < uint64_t(layer.height))
            throw Error(fmt::format("the PSD is damaged: a channel of its layer '{}' ends early", layer.name));
        source.planes.push_back({nullptr, 0});
    }
    return source;
}

class PsdRows {
public:
    PsdRows(const PsdFile& file, const PsdColours& colours, Source source, bool merged)
        : file_(file), colours_(colours), source_(std::move(source)), planes_(source_.planes.size()) {
        for (size_t i = 0; i < source_.planes.size(); ++i) source_.planes[i].planes = &source_.owned[merged ? 0 : i];
        on_white_ = merged && source_.transparency && is_on_white();
    }
    PsdRows(const PsdRows&) = delete;
    PsdRows& operator=(const PsdRows&) = delete;

    PictureShape shape() const {
        const bool alpha = source_.transparency || colours_.transparent_index();
        return {source_.width, source_.height, colours_.channels() + alpha + int(others()), colours_.type(),
                alpha ? Alpha::straight : Alpha::none};
    }
    // Channel names: colours, alpha, and numbers for saved selections.
    std::vector<std::string> names() const {
        const PictureShape all = shape();
        std::vector<std::string> names = usual_channel_names(all.channels - int(others()), all.alpha);
        while (int(names.size()) < all.channels) names.push_back(std::to_string(names.size() + 1));
        return names;
    }

    // Missing rows of the merged picture: an early end cuts its last plane. `all`: counts the saved selections too.
    MissingRows missing(bool all) const {
        const uint64_t planes = planes_.size() - (all ? 0 : others()), height = uint64_t(source_.height);
        const uint64_t before = (planes - 1) * height, rows = source_.owned[0].rows_there();
        const int there = int(std::min(height, rows - std::min(before, rows)));
        check_enough_rows(there, source_.height, file_.merged.size(), "PSD");
        return missing_rows(there, source_.height, false);
    }

    void write(int y, std::byte* to) {
        read(uint32_t(y));
        const PictureShape all = shape();
        colours_.write(planes_, source_.width, to, all.channels);
        const size_t first = size_t(file_.header.colours());
        const int behind = colours_.channels() + (colours_.transparent_index() ? 1 : 0);
        for (size_t i = first; i < planes_.size(); ++i) place(planes_[i], behind + int(i - first), all, to);
        if (on_white_) take_from_white(all, to);
    }

private:
    size_t others() const { return planes_.size() - size_t(file_.header.colours()) - (source_.transparency ? 1 : 0); }

    // Reads all planes of a row, in the machine's byte order; a bit of 0 is white.
    void read(uint32_t y) {
        for (size_t i = 0; i < planes_.size(); ++i) {
            const Source::Plane& plane = source_.planes[i];
            std::vector<std::byte>& row = planes_[i];
            row.resize(plane.planes->row_bytes());
            plane.planes->row(plane.which, y, row.data());
            const uint32_t depth = file_.header.depth;
            for (size_t at = 0; depth > 8 && at + depth / 8 <= row.size(); at += depth / 8)
                std::reverse(row.begin() + ptrdiff_t(at), row.begin() + ptrdiff_t(at + depth / 8));
            if (depth == 1) row = spread(row);
            if (colours_.widens()) row = widened(row);
        }
    }
    std::vector<std::byte> spread(const std::vector<std::byte>& bits) const {
        std::vector<std::byte> row(size_t(source_.width));
        for (size_t x = 0; x < row.size(); ++x)
            row[x] = (bits[x / 8] << int(x % 8) & std::byte(0x80)) != std::byte(0) ? std::byte(0) : std::byte(0xff);
        return row;
    }
    static std::vector<std::byte> widened(const std::vector<std::byte>& row) {
        std::vector<std::byte> wide(2 * row.size());
        for (size_t i = 0; i < wide.size(); ++i) wide[i] = row[i / 2];  // value × 257
        return wide;
    }
    static void place(const std::vector<std::byte>& plane, int channel, const PictureShape& all, std::byte* to) {
        const size_t sample = size_t(bytes_per_sample(all.type));
        for (size_t x = 0; x < size_t(all.width); ++x)
            std::memcpy(to + (x * size_t(all.channels) + size_t(channel)) * sample, plane.data() + x * sample, sample);
    }

    template <class Work> void with_type(Work work) const {
        switch (colours_.type()) {
            case SampleType::u8: return work(uint8_t(255));
            case SampleType::u16: return work(uint16_t(65535));
            default: return work(1.0f);
        }
    }

    // Photoshop merges transparent pixels with white; other programs store the colours as they are, and then some are
    // darker than they could be with so much white. For inks and Lab this cannot be told.
    bool is_on_white() {
        const PsdMode mode = file_.header.mode;
        bool possible = mode == PsdMode::rgb || mode == PsdMode::grey || mode == PsdMode::duotone;
        for (int y = 0; possible && y < source_.height; ++y) {
            read(uint32_t(y));
            with_type([&](auto most) { possible = row_may_be_on_white(most); });
        }
        return possible;
    }
    template <class T> bool row_may_be_on_white(T most) const {
        const size_t colours = size_t(file_.header.colours());
        const auto sample = [&](size_t plane, size_t x) {
            T value;
            std::memcpy(&value, planes_[plane].data() + x * sizeof(T), sizeof(T));
            return double(value) / double(most);
        };
        const double rounding = std::is_integral_v<T> ? 1.01 / double(most) : 1e-5;
        for (size_t x = 0; x < size_t(source_.width); ++x)
            for (size_t c = 0; c < colours; ++c)
                if (sample(c, x) < 1 - sample(colours, x) - rounding) return false;
        return true;
    }

    void take_from_white(const PictureShape& all, std::byte* to) const {
        with_type([&](auto most) { take_row_from_white(most, all, to); });
    }
    template <class T> void take_row_from_white(T most, const PictureShape& all, std::byte* row) const {
        T* pixel = reinterpret_cast<T*>(row);
        const int colours = colours_.channels();
        for (int x = 0; x < all.width; ++x, pixel += all.channels) {
            const double alpha = double(pixel[colours]) / double(most);
            for (int c = 0; alpha > 0 && c < colours; ++c) {
                const double value = (double(pixel[c]) / double(most) - (1 - alpha)) / alpha * double(most);
                if constexpr (std::is_integral_v<T>) pixel[c] = T(std::clamp(value, 0.0, double(most)) + 0.5);
                else pixel[c] = T(value);
            }
        }
    }

    const PsdFile& file_;
    const PsdColours& colours_;
    Source source_;
    std::vector<std::vector<std::byte>> planes_;
    bool on_white_ = false;
};

// The parts: the merged picture, then the layers.
std::vector<PictureFacts::Part> parts_of(const PsdFile& file, const PsdColours& colours) {
    std::vector<PictureFacts::Part> parts = {{"", int(file.header.width), int(file.header.height)}};
    for (const PsdLayer& layer : file.layers) {
        if (int(parts.size()) == most_listed_parts) break;
        const bool alpha = colours.transparent_index() || layer.find(-1);
        parts.push_back({layer.name, layer.width, layer.height,
                         usual_channel_names(colours.channels() + alpha, alpha ? Alpha::straight : Alpha::none)});
    }
    return parts;
}

void decode(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    const PsdFile psd = psd_file(content);
    const PsdColours colours(psd, content);
    ChosenPicture picture;
    picture.facts.parts = parts_of(psd, colours);
    picture.facts.part = chosen_part(file.choice, picture.facts.parts, int(psd.layers.size()) + 1);
    picture.facts.upright = file.choice.upright;
    const int part = picture.facts.part;
    PsdRows rows(psd, colours, part == 0 ? merged_source(psd) : layer_source(psd, psd.layers[size_t(part) - 1]),
                 part == 0);
    const PictureShape stored = rows.shape();
    const std::vector<std::string> names = rows.names();
    if (part < int(picture.facts.parts.size())) picture.facts.parts[size_t(part)].channels = names;
    const int shown = colours.channels() + (stored.alpha != Alpha::none ? 1 : 0);
    const bool has_alpha = stored.alpha != Alpha::none;
    if (file.choice.channels.empty()) {  // without the saved selections
        for (int i = 0; i < std::min(shown, 4); ++i) picture.channels.which.push_back(i);
        picture.channels.alpha = has_alpha;
    } else {
        picture.channels = chosen_channels(file.choice, names, has_alpha ? colours.channels() : -1);
    }
    picture.facts.channels = picture.channels.which;
    deliver_rows(
        picture, stored, target, [&](int y, std::byte* to) { rows.write(y, to); },
        part == 0 ? rows.missing(!file.choice.channels.empty()) : MissingRows{});
}

}  // namespace

extern const Codec psd_codec;
constinit const Codec psd_codec{
    .name = "PSD",
    .extensions = "psd psb",
    .samples =
        "8 and 16 bits and float as stored; bilevel, palettes, inks and CIELab as RGB; straight alpha if the layers say "
        "that the last channel is transparency",
    .signatures = {{{0, "8BPS"}}},
    .decode = decode,
    .oiio = "psd",
};

}  // namespace texelscope
