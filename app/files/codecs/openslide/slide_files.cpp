// Slides through OpenSlide; app/files/codecs/modules.h describes these functions.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <openslide/openslide.h>

#include "app/files/bytes/parts.h"
#include "app/files/bytes/rows.h"
#include "app/files/codecs/modules.h"
#include "app/files/codecs/openslide/slide_tiff.h"
#include "app/files/decoding/decoder.h"
#include "app/files/decoding/picture_in_file.h"

namespace texelscope {
namespace {

constexpr int side = 512;  // side of what OpenSlide reads at once, in samples
constexpr int most_levels = 64;
constexpr size_t kept_bytes = size_t(32) << 20;

struct Close {
    void operator()(openslide_t* slide) const { openslide_close(slide); }
};
using Slide = std::unique_ptr<openslide_t, Close>;

[[noreturn]] void throw_unreadable(std::string_view why) {
    constexpr size_t most = 800;
    throw Error(fmt::format("the slide is damaged or of a kind that cannot be read ({})", printable(why, most)));
}

// Names of files as they are beside it.
void check(openslide_t* slide, const EncodedFile& file) {
    const char* const error = openslide_get_error(slide);
    if (!error) return;
    std::string why = error, own = name_to_open(file), folder = own.substr(0, own.rfind('/') + 1);
    for (size_t at; file.companions && (at = why.find(folder)) != why.npos;) why.erase(at, folder.size());
    if (file.companions && why.find("Permission denied") != why.npos)
        why +=
            fmt::format("; only files {} are opened, and no links",
                        file.companions->kind == Beside::folder ? "in the folder " + file.companions->stem()
                                                                : "whose names begin with " + file.companions->stem());
    throw_unreadable(why);
}

Slide opened(const EncodedFile& file) {
    const Companions* const companions = file.companions.get();
    if (companions && companions->kind == Beside::folder && !companions->has_folder())
        throw Error(
            fmt::format("there is no folder {} beside it, which holds the slide's images (a link is not followed)",
                        companions->stem()));
    Slide slide(openslide_open(name_to_open(file).c_str()));
    if (!slide && companions) throw_unreadable("OpenSlide knows no such slide with such files beside it");
    if (!slide)
        throw_unreadable(
            "OpenSlide cannot read it as one file; slides that have other files beside them, as .mrxs and .vms, are "
            "read in their folder");
    check(slide.get(), file);
    return slide;
}

using Colour = std::array<uint32_t, 3>;

// "RRGGBB", or white.
Colour background_of(openslide_t* slide) {
    const char* const property = openslide_get_property_value(slide, OPENSLIDE_PROPERTY_NAME_BACKGROUND_COLOR);
    const std::string_view text = property ? property : "";
    uint32_t rgb = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rgb, 16);
    if (text.size() != 6 || error != std::errc() || end != text.data() + text.size()) rgb = 0xffffff;
    return {rgb >> 16, rgb >> 8 & 255, rgb & 255};
}

std::string vendor_of(openslide_t* slide) {
    const char* const property = openslide_get_property_value(slide, OPENSLIDE_PROPERTY_NAME_VENDOR);
    return property ? property : "";
}

struct Level {
    Extent extent;
    double factor = 1;                       // samples of level 0 per sample, as OpenSlide computes it
    std::unique_ptr<TileReader> tiles = {};  // null: only OpenSlide reads them
    Extent tile = {};                        // size of these tiles
};

// Since libtiff 4.5.0-6+deb12u4, TIFFRGBAImage draws less than a tile of a smaller image; OpenSlide takes it for all.
bool is_garbled(const TiffTiles& image) {
    return image.kind == TileKind::drawn &&
           (image.extent.width < image.tile.width || image.extent.height < image.tile.height);
}

[[noreturn]] void throw_garbled(const TiffTiles& image) {
    throw Error(
        fmt::format("an image of the slide is smaller than its tiles ({}×{} in tiles of {}×{}), which OpenSlide cannot "
                    "read right unless they are RGB or grey of 8 bits; a copy with smaller tiles can be read",
                    image.extent.width, image.extent.height, image.tile.width, image.tile.height));
}

class SlideRegions : public TileSource {
public:
    explicit SlideRegions(const EncodedFile& file) : file_(file), slide_(opened(file)) {
        openslide_t* const slide = slide_.get();
        const std::vector<TiffTiles> images = file.companions ? std::vector<TiffTiles>() : tiled_images(file);
        const int count = std::min(openslide_get_level_count(slide), most_levels);
        for (int level = 0; level < count && add_level(slide, level, images); ++level) {}
        check(slide, file);
        background_ = background_of(slide);
        const Level& first = levels_.at(0);
        if (const int longest = std::max(first.tile.width, first.tile.height))
            tile_ = std::max(side / longest, 1) * longest;
        const PictureShape stored{first.extent.width, first.extent.height, 3, SampleType::u8, Alpha::none};
        auto [facts, channels] = chosen_picture(file.choice, stored, 1, 1);
        facts_ = std::move(facts);
        which_ = std::move(channels.which);
        info_ = {stored.width, stored.height, int(which_.size()), SampleType::u8, Alpha::none, nullptr};
    }

    const ImageInfo& info() const override { return info_; }
    const PictureFacts& facts() const { return facts_; }
    int tile() const override { return tile_; }
    int levels() const override { return int(levels_.size()); }
    Extent level_extent(int level) const override { return levels_.at(size_t(level)).extent; }

    void read(int number, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        const std::lock_guard lock(mutex_);
        const Level& level = levels_.at(size_t(number));
        // OpenSlide takes positions in level 0, where those of a level with a fractional factor are off by part of a
        // sample, and then interpolates: read at the same places every time, the samples are at least always the same.
        const bool anywhere = !level.tiles && level.factor == std::floor(level.factor);
        const Extent step = level.tiles ? level.tile : Extent{side, side};
        const int64_t right = anywhere ? region.x + region.width : level.extent.width;
        const int64_t bottom = anywhere ? region.y + region.height : level.extent.height;
        const int64_t first_x = anywhere ? region.x : region.x / step.width * step.width;
        const int64_t first_y = anywhere ? region.y : region.y / step.height * step.height;
        for (int64_t y = first_y; y < region.y + region.height; y += step.height)
            for (int64_t x = first_x; x < region.x + region.width; x += step.width) {
                const SampleRegion part{x, y, int(std::min<int64_t>(step.width, right - x)),
                                        int(std::min<int64_t>(step.height, bottom - y))};
                const auto decode = [&] { return level.tiles ? tile_at(number, part) : composed(number, part); };
                if (anywhere) copy_common(decode(), region, which_.size(), to, row_bytes);
                else copy_common(kept_.at({number, int(x), int(y)}, decode), region, which_.size(), to, row_bytes);
            }
    }

private:
    // Whether it can be one.
    bool add_level(openslide_t* slide, int level, const std::vector<TiffTiles>& images) {
        int64_t width = -1, height = -1;
        openslide_get_level_dimensions(slide, level, &width, &height);
        if (level == 0) check_sides(uint64_t(std::max<int64_t>(width, 0)), uint64_t(std::max<int64_t>(height, 0)), 3);
        else {
            const Extent last = levels_.back().extent;
            if (width < 1 || height < 1 || width > last.width || height > last.height) return false;
            if (width == last.width && height == last.height) return false;
        }
        Level added{{int(width), int(height)}, openslide_get_level_downsample(slide, level)};
        if (!find_tiles(vendor_of(slide), images, added)) return false;
        levels_.push_back(std::move(added));
        return true;
    }

    // Finds the level's tiles: for two vendors a level is an image of the file, for others it is composed of several.
    // False: a smaller level, which cannot be read right and is left out.
    bool find_tiles(const std::string& vendor, const std::vector<TiffTiles>& images, Level& level) const {
        const bool images_are_levels = vendor == "aperio" || vendor == "generic-tiff";
        const auto is_of_level = [&](const TiffTiles& image) {
            return !images_are_levels || image.extent == level.extent;
        };
        const auto garbled = std::ranges::find_if(
            images, [&](const TiffTiles& image) { return is_of_level(image) && is_garbled(image); });
        if (garbled != images.end()) {
            if (!images_are_levels || levels_.empty()) throw_garbled(*garbled);
            return false;
        }
        const auto image = std::ranges::find_if(images, is_of_level);
        if (!images_are_levels || image == images.end() || image->kind != TileKind::plain) return true;
        if (std::ranges::count_if(images, is_of_level) > 1) return true;
        level.tiles = std::make_unique<TileReader>(file_, *image);
        level.tile = image->tile;
        return true;
    }

    // The part of a tile that lies within the level.
    Piece tile_at(int number, const SampleRegion& region) const {
        const Level& level = levels_[size_t(number)];
        const Bytes samples = level.tiles->read(int(region.x / level.tile.width), int(region.y / level.tile.height));
        if (samples.empty()) return composed(number, region);
        Piece piece{region, Bytes(size_t(region.width) * size_t(region.height) * which_.size())};
        std::byte* sample = piece.samples.data();
        for (int y = 0; y < region.height; ++y) {
            const std::byte* from = samples.data() + size_t(y) * size_t(level.tile.width) * 3;
            if (which_ == std::vector{0, 1, 2}) {
                std::copy_n(from, size_t(region.width) * 3, sample);
                sample += size_t(region.width) * 3;
                continue;
            }
            for (int x = 0; x < region.width; ++x, from += 3)
                for (const int channel : which_) *sample++ = from[channel];
        }
        return piece;
    }

    // A piece that OpenSlide makes of whatever is stored.
    Piece composed(int number, const SampleRegion& region) const {
        if (!slide_) slide_ = opened(file_);
        const double factor = levels_[size_t(number)].factor;
        pixels_.resize(size_t(region.width) * size_t(region.height));
        openslide_read_region(slide_.get(), pixels_.data(), std::llround(double(region.x) * factor),
                              std::llround(double(region.y) * factor), number, region.width, region.height);
        try {
            check(slide_.get(), file_);
        } catch (const Error&) {  // which says the same of everything from then on
            slide_.reset();
            throw;
        }
        Piece piece{region, Bytes(pixels_.size() * which_.size())};
        std::byte* sample = piece.samples.data();
        for (const uint32_t pixel : pixels_)
            for (const int channel : which_) *sample++ = over_background(pixel, channel);
        return piece;
    }

    // Premultiplied ARGB over the background.
    std::byte over_background(uint32_t pixel, int channel) const {
        const uint32_t colour = pixel >> (16 - 8 * channel) & 255, rest = 255 - (pixel >> 24);
        return std::byte(std::min(colour + (background_[size_t(channel)] * rest + 127) / 255, 255u));
    }

    EncodedFile file_;
    std::vector<Level> levels_;
    int tile_ = side;
    Colour background_ = {};
    PictureFacts facts_;
    std::vector<int> which_;  // of R, G and B
    ImageInfo info_;
    mutable std::mutex mutex_;
    mutable Slide slide_;
    mutable std::vector<uint32_t> pixels_;
    mutable KeptPieces kept_{kept_bytes};
};

bool is_slide(const EncodedFile& file) {
    // The bytes of a slide with a folder are only a preview, whether the folder is there or not.
    if (file.companions && file.companions->kind == Beside::folder) return true;
    const char* const vendor = openslide_detect_vendor(name_to_open(file).c_str());
    return vendor && vendor != std::string_view("generic-tiff");
}

std::unique_ptr<const TileSource> slide_regions(const EncodedFile& file) {
    return std::make_unique<SlideRegions>(file);
}

void decode_slide(const EncodedFile& file, DecodingTarget& target) {
    const SlideRegions slide(file);
    read_whole(slide, slide.facts(), target);
}

}  // namespace
}  // namespace texelscope

// The module's only entry point. Null if the program is of another version.
extern "C" __attribute__((visibility("default"))) const texelscope::OpenSlideModule* texelscope_openslide(
    const char* version) {
    using namespace texelscope;
    if (std::string_view(version) != TEXELSCOPE_VERSION) return nullptr;
    static constexpr OpenSlideModule module{is_slide, slide_regions, decode_slide};
    return &module;
}
