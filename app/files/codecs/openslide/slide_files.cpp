#include "app/files/codecs/openslide/slide_files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <openslide/openslide.h>

#include "app/files/bytes/chosen_parts.h"
#include "app/files/bytes/name_to_open.h"
#include "app/files/bytes/pieces.h"
#include "app/files/bytes/raster.h"
#include "app/files/bytes/read_whole.h"
#include "app/files/decoding/printable.h"

namespace texelscope {
namespace {

constexpr int side = 512;  // of what is read at once, samples
constexpr int most_levels = 64;

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

struct Level {
    Extent extent;
    double factor = 1;  // samples of level 0 per sample, as OpenSlide computes it
};

class SlideRegions : public TileSource {
public:
    explicit SlideRegions(const EncodedFile& file) : file_(file), slide_(opened(file)) {
        openslide_t* const slide = slide_.get();
        const int count = std::min(openslide_get_level_count(slide), most_levels);
        for (int level = 0; level < count && add_level(slide, level); ++level) {}
        check(slide, file);
        background_ = background_of(slide);
        const Extent whole = levels_.at(0).extent;
        const PictureShape stored{whole.width, whole.height, 3, SampleType::u8, Alpha::none};
        auto [facts, channels] = chosen_picture(file.choice, stored, 1, 1);
        facts_ = std::move(facts);
        which_ = std::move(channels.which);
        info_ = {whole.width, whole.height, int(which_.size()), SampleType::u8, Alpha::none, nullptr};
    }

    const ImageInfo& info() const override { return info_; }
    const PictureFacts& facts() const { return facts_; }
    int tile() const override { return side; }
    int levels() const override { return int(levels_.size()); }
    Extent level_extent(int level) const override { return levels_.at(size_t(level)).extent; }

    // OpenSlide takes positions in level 0, from where those of a level with a broken factor are off by a fraction of a sample,
    // and then interpolates: read at the same places every time, the samples are at least always the same.
    void read(int number, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        const std::lock_guard lock(mutex_);
        const Level& level = levels_.at(size_t(number));
        const bool anywhere = level.factor == std::floor(level.factor);
        const int64_t right = anywhere ? region.x + region.width : level.extent.width;
        const int64_t bottom = anywhere ? region.y + region.height : level.extent.height;
        const int64_t first_x = anywhere ? region.x : region.x / side * side;
        const int64_t first_y = anywhere ? region.y : region.y / side * side;
        for (int64_t y = first_y; y < region.y + region.height; y += side)
            for (int64_t x = first_x; x < region.x + region.width; x += side) {
                const SampleRegion part{x, y, int(std::min<int64_t>(side, right - x)),
                                        int(std::min<int64_t>(side, bottom - y))};
                if (anywhere) copy_common(decoded(number, part), region, which_.size(), to, row_bytes);
                else
                    copy_common(kept_.at({number, int(x), int(y)}, [&] { return decoded(number, part); }), region,
                                which_.size(), to, row_bytes);
            }
    }

private:
    // Whether it can be one.
    bool add_level(openslide_t* slide, int level) {
        int64_t width = -1, height = -1;
        openslide_get_level_dimensions(slide, level, &width, &height);
        if (level == 0) check_sides(uint64_t(std::max<int64_t>(width, 0)), uint64_t(std::max<int64_t>(height, 0)), 3);
        else {
            const Extent last = levels_.back().extent;
            if (width < 1 || height < 1 || width > last.width || height > last.height) return false;
            if (width == last.width && height == last.height) return false;
        }
        levels_.push_back({{int(width), int(height)}, openslide_get_level_downsample(slide, level)});
        return true;
    }

    Piece decoded(int number, const SampleRegion& region) const {
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
            for (const int channel : which_) *sample++ = composed(pixel, channel);
        return piece;
    }

    // Premultiplied ARGB over the background.
    std::byte composed(uint32_t pixel, int channel) const {
        const uint32_t colour = pixel >> (16 - 8 * channel) & 255, rest = 255 - (pixel >> 24);
        return std::byte(std::min(colour + (background_[size_t(channel)] * rest + 127) / 255, 255u));
    }

    EncodedFile file_;
    std::vector<Level> levels_;
    Colour background_ = {};
    PictureFacts facts_;
    std::vector<int> which_;  // of R, G and B
    ImageInfo info_;
    mutable std::mutex mutex_;
    mutable Slide slide_;
    mutable std::vector<uint32_t> pixels_;
    mutable KeptPieces kept_{size_t(16) << 20};  // OpenSlide keeps tiles of the file itself
};

}  // namespace

bool is_slide(const EncodedFile& file) {
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

}  // namespace texelscope
