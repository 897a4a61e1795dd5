// OpenEXR in pieces: the tiles of a file, or bands of rows that are packed together.

#include "app/files/codecs/oiio/oiio_regions.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include <OpenImageIO/strutil.h>
#include <fmt/format.h>

#include "app/files/bytes/chosen_parts.h"
#include "app/files/bytes/pieces.h"
#include "app/files/codecs/oiio/oiio_spec.h"
#include "app/files/decoding/not_in_parts.h"

namespace texelscope {
namespace {

constexpr size_t largest_piece = size_t(64) << 20;  // bytes, as the library decodes it
constexpr size_t kept_tiles = size_t(64) << 20, kept_bands = size_t(128) << 20;
constexpr int usual_tile = 512, smallest_tile = 64;  // of bands

// An image of the file: the picture itself or a smaller one of it.
struct Level {
    std::unique_ptr<DescriptorProxy> proxy;
    std::unique_ptr<OIIO::ImageInput> input;  // reads from the proxy
    int part = 0, mip = 0;
    OIIO::ImageSpec spec = {};
    // What is decoded at once, samples: a tile, or a band of all columns, `step` rows at a time, which are a strip.
    int piece_width = 0, piece_height = 0, step = 0;
};

struct OpenedInput {
    std::unique_ptr<DescriptorProxy> proxy;
    std::unique_ptr<OIIO::ImageInput> input;
    std::string problem = {};
};

OpenedInput opened(const Codec& codec, const EncodedFile& file) {
    OpenedInput opened{std::make_unique<DescriptorProxy>(file), nullptr};
    OIIO::ImageSpec spec;
    opened.input = opened_by_oiio(codec, file, *opened.proxy, spec, &opened.problem);
    return opened;
}

int rows_packed_together(const OIIO::ImageSpec& spec) {
    return OIIO::Strutil::starts_with(spec.get_string_attribute("compression"), "dwab") ? std::min(256, spec.height)
                                                                                        : std::min(32, spec.height);
}

size_t stored_row_bytes(const OIIO::ImageSpec& spec) { return size_t(spec.width) * spec.pixel_bytes(true); }

// Throws NotInParts if its pieces are too large to be decoded for a region.
void choose_pieces(Level& level) {
    const OIIO::ImageSpec& spec = level.spec;
    if (spec.tile_width > 0) {
        level.piece_width = spec.tile_width;
        level.piece_height = level.step = std::max(spec.tile_height, 1);
        if (size_t(spec.tile_bytes(true)) > largest_piece) throw NotInParts("its tiles are too large");
        return;
    }
    const int packed = rows_packed_together(spec);
    const size_t row = std::max<size_t>(stored_row_bytes(spec), 1);
    const int most = int(std::clamp<size_t>(largest_piece / row, 0, size_t(spec.height)));
    const bool any_row = spec.get_string_attribute("compression", "none") == "none";
    if (most < 1 || (packed > most && !any_row)) throw NotInParts("its strips are too large");
    constexpr int enough = 32;  // rows
    level.step = std::min(packed, most);
    level.piece_height = std::min(most / level.step, std::max(1, enough / level.step)) * level.step;
    level.piece_width = spec.width;
}

bool is_half(int small, int large) { return small == large / 2 || small == (large + 1) / 2; }

// Smaller by the same factor along both axes, to a sample.
bool is_smaller(const OIIO::ImageSpec& small, const OIIO::ImageSpec& large) {
    const double x = double(large.width) / std::max(small.width, 1),
                 y = double(large.height) / std::max(small.height, 1);
    const double error = std::max(x / std::max(small.width, 1), y / std::max(small.height, 1));
    return small.width >= 1 && small.height >= 1 && std::min(x, y) > 1.2 && std::abs(x - y) <= 2 * error;
}

bool is_alike(const OIIO::ImageSpec& a, const OIIO::ImageSpec& b) {
    return a.channelnames == b.channelnames && a.format == b.format && !a.deep && a.depth <= 1;
}

class OiioRegions : public TileSource {
public:
    OiioRegions(const Codec& codec, const EncodedFile& file) : codec_(codec), file_(file) {
        auto [proxy, input, problem] = opened(codec, file_);
        if (!input) throw_damaged(codec, problem, file_);
        const auto [listed, parts] = parts_of(*input, codec);
        const int part = chosen_part(file.choice, listed, parts);
        if (!add_level({std::move(proxy), std::move(input), part}))
            throw_damaged(codec, levels_.back().input->geterror(), file_);
        const OIIO::ImageSpec& spec = levels_[0].spec;
        if (spec.deep) throw Error("deep images are not supported; flatten the image first");
        if (spec.depth > 1) throw Error("the file holds a volume, not a picture; store one slice");
        choose_channels(spec);
        add_smaller_ones();
        const bool tiled = std::ranges::all_of(levels_, [](const Level& level) { return level.spec.tile_width > 0; });
        pieces_.set_budget(tiled ? kept_tiles : kept_bands);
    }

    const ImageInfo& info() const override { return info_; }
    int levels() const override { return int(levels_.size()); }
    Extent level_extent(int level) const override {
        const OIIO::ImageSpec& spec = levels_.at(size_t(level)).spec;
        return {spec.width, spec.height};
    }

    // Bands are decoded once for all tiles of a row if they all fit in what is kept.
    int tile() const override {
        const Level& level = levels_[0];
        if (level.spec.tile_width == 0) {
            int side = usual_tile;
            while (side > smallest_tile && size_t(side) * stored_row_bytes(level.spec) > kept_bands / 2) side /= 2;
            return side;
        }
        return tile_of_pieces(level.piece_width, level.piece_height);
    }

    void read(int number, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        const std::lock_guard lock(mutex_);
        const Level& level = levels_.at(size_t(number));
        const int64_t right = region.x + region.width, bottom = region.y + region.height;
        for (int64_t y = region.y / level.piece_height * level.piece_height; y < bottom; y += level.piece_height)
            for (int64_t x = region.x / level.piece_width * level.piece_width; x < right; x += level.piece_width)
                copy_common(piece_at(number, int(x), int(y)), region, pixel_, to, row_bytes);
    }

private:
    // False if the file has no such image.
    bool add_level(Level level) {
        const bool found = level.input->seek_subimage(level.part, level.mip);
        if (found) level.spec = level.input->spec();
        levels_.push_back(std::move(level));
        if (found) choose_pieces(levels_.back());
        return found;
    }

    void choose_channels(const OIIO::ImageSpec& spec) {
        const ChosenChannels channels = chosen_channels(file_.choice, spec.channelnames, spec.alpha_channel);
        check_sides(uint64_t(std::max(spec.width, 0)), uint64_t(std::max(spec.height, 0)), channels.which.size());
        const bool straight = spec.get_int_attribute("oiio:UnassociatedAlpha") != 0;
        PictureFacts facts;
        facts.upright = false;
        const PictureShape shape = turned_shape(spec.width, spec.height, channels, sample_type(spec.format),
                                                straight ? Alpha::straight : Alpha::premultiplied, facts);
        info_ = {shape.width, shape.height, shape.channels, shape.type, shape.alpha, nullptr};
        sample_ = size_t(bytes_per_sample(shape.type));
        pixel_ = size_t(shape.channels) * sample_;
        const auto [low, high] = std::minmax_element(channels.which.begin(), channels.which.end());
        first_ = *low;
        stored_ = *high + 1 - first_;
        for (const int channel : channels.which) which_.push_back(channel - first_);
    }

    void add_smaller_ones() {
        const int part = levels_[0].part;
        for (int mip = 1; add_smaller(part, mip); ++mip) {}
    }

    bool add_smaller(int part, int mip) {
        auto [proxy, input, problem] = opened(codec_, file_);
        const OIIO::ImageSpec before = levels_.back().spec;
        bool fits = false;
        const size_t count = levels_.size();
        try {
            fits = input && add_level({std::move(proxy), std::move(input), part, mip});
        } catch (const NotInParts&) {}
        if (fits) {
            const OIIO::ImageSpec& spec = levels_.back().spec;
            const bool halves = is_half(spec.width, before.width) && is_half(spec.height, before.height);
            fits = is_alike(spec, before) && (spec.tile_width > 0) == (before.tile_width > 0) &&
                   (halves || is_smaller(spec, before));
        }
        if (!fits) levels_.resize(count);
        return fits;
    }

    const Piece& piece_at(int number, int x, int y) const {
        return pieces_.at({number, x, y}, [&] {
            const Level& level = levels_[size_t(number)];
            Piece piece{{x, y, std::min(level.piece_width, level.spec.width - x),
                         std::min(level.piece_height, level.spec.height - y)}};
            decode(level, piece);
            return piece;
        });
    }

    // A tile, or some rows, at a time.
    void decode(const Level& level, Piece& piece) const {
        const int x = int(piece.region.x), y = int(piece.region.y), width = piece.region.width,
                  height = piece.region.height;
        const size_t stored_row = size_t(width) * size_t(stored_) * sample_;
        Bytes& samples = piece.samples;
        samples.resize(stored_row * size_t(height));
        for (int row = 0; row < height; row += level.step) {
            if (!read_stored(level, x, y + row, width, std::min(level.step, height - row),
                             samples.data() + size_t(row) * stored_row) ||
                level.input->has_error())
                throw_damaged(codec_, level.input->geterror(), file_);
        }
        const auto pixels = size_t(width) * size_t(height);
        if (is_as_stored()) return;
        Bytes chosen(pixels * pixel_);
        std::byte* to = chosen.data();
        for (size_t i = 0; i < pixels; ++i)
            for (const int channel : which_) {
                std::memcpy(to, samples.data() + (i * size_t(stored_) + size_t(channel)) * sample_, sample_);
                to += sample_;
            }
        samples = std::move(chosen);
    }

    bool read_stored(const Level& level, int x, int y, int width, int height, std::byte* to) const {
        const OIIO::ImageSpec& spec = level.spec;
        const OIIO::TypeDesc type = type_desc(info_.type);
        const int left = spec.x + x, top = spec.y + y, last = first_ + stored_;
        if (spec.tile_width > 0)
            return level.input->read_tiles(level.part, level.mip, left, left + width, top, top + height, spec.z,
                                           spec.z + 1, first_, last, type, to);
        return level.input->read_scanlines(level.part, level.mip, top, top + height, spec.z, first_, last, type, to);
    }

    bool is_as_stored() const {
        for (size_t i = 0; i < which_.size(); ++i)
            if (which_[i] != int(i)) return false;
        return stored_ == int(which_.size());
    }

    const Codec& codec_;
    EncodedFile file_;
    std::vector<Level> levels_;
    ImageInfo info_;
    int first_ = 0, stored_ = 1;  // the channels that are decoded
    std::vector<int> which_;      // those of them that are chosen, in their order
    size_t sample_ = 1, pixel_ = 1;
    mutable std::mutex mutex_;
    mutable KeptPieces pieces_;
};

}  // namespace

std::unique_ptr<const TileSource> regions_with_oiio(const Codec& codec, const EncodedFile& file) {
    if (codec.name != "OpenEXR") throw NotInParts(fmt::format("it is a {} file", codec.name));
    return std::make_unique<OiioRegions>(codec, file);
}

}  // namespace texelscope
