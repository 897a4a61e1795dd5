#include "app/files/codecs/openexr/exr_picture.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <ImfBoxAttribute.h>
#include <ImfChannelList.h>
#include <ImfChromaticitiesAttribute.h>
#include <ImfDoubleAttribute.h>
#include <ImfEnvmapAttribute.h>
#include <ImfFloatAttribute.h>
#include <ImfHeader.h>
#include <ImfIntAttribute.h>
#include <ImfKeyCodeAttribute.h>
#include <ImfMatrixAttribute.h>
#include <ImfMultiPartInputFile.h>
#include <ImfRationalAttribute.h>
#include <ImfStringAttribute.h>
#include <ImfStringVectorAttribute.h>
#include <ImfTimeCodeAttribute.h>
#include <ImfVecAttribute.h>
#include <fmt/format.h>
#include <unistd.h>

#include "app/files/bytes/parts.h"
#include "app/files/codecs/modules.h"
#include "app/files/decoding/decoder.h"
#include "app/files/decoding/picture_in_file.h"

namespace texelscope {

bool ContentStream::read(char to[], int count) {
    const uint64_t wanted = uint64_t(std::max(count, 0));
    if (at_ > content_.size() || wanted > content_.size() - at_) throw Iex::InputExc("the file ends early");
    std::memcpy(to, content_.data() + at_, wanted);
    at_ += wanted;
    return at_ < content_.size();
}

bool DescriptorStream::read(char to[], int count) {
    const uint64_t wanted = uint64_t(std::max(count, 0));
    for (uint64_t done = 0; done < wanted;) {
        const ssize_t got = ::pread(descriptor_, to + done, wanted - done, off_t(at_ + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) throw Iex::InputExc("the file ends early");
        done += uint64_t(got);
    }
    at_ += wanted;
    return at_ < bytes_;
}

void throw_damaged_exr(const std::string& reason) {
    constexpr size_t most = 400;  // letters of one line, which may quote the file
    std::string text = reason.substr(0, reason.find('\n'));
    // Messages such as: Error reading pixel data from image file "it". Cause.
    for (size_t at; (at = text.find("\"it\"")) != text.npos;) text.replace(at, 4, "it");
    for (const std::string words : {"image file it", "file it"})
        if (const size_t at = text.find(words); at != text.npos) text.replace(at, words.size(), "it");
    text = printable(text, most);
    while (text.ends_with('.')) text.pop_back();
    throw Error(fmt::format("the OpenEXR is damaged or of a kind that cannot be read ({})", text));
}

namespace {

// Rows decoded at a time: enough for all threads.
constexpr int band_rows = 256;

class Decoding {
public:
    Decoding(ExrPicture& picture, Image& image, DecodingTarget& target)
        : picture_(picture), level_(picture.levels()[0]), image_(image), target_(target) {}

    void run() {
        const int band = std::max(1, band_rows / level_.piece_height) * level_.piece_height;
        for (int y = 0; y < image_.height(); y += band) {
            if (!read(y, band)) return read_what_is_there(y);
            target_.rows_done(std::min(y + band, image_.height()));
        }
    }

private:
    // Reads some rows. False if they cannot be read; the first problem is kept.
    bool read(int y, int most_rows) {
        const int rows = std::min(most_rows, image_.height() - y);
        try {
            picture_.read(level_, {0, y, image_.width(), rows}, image_.row(y), image_.row_bytes());
        } catch (const OutOfMemory&) {
            throw;
        } catch (const Error& error) {
            if (!problem_) problem_ = error;
            return false;
        }
        return true;
    }

    // A file that ends early lacks all rows from one on. One that lacks others, or all, is damaged.
    void read_what_is_there(int y) {
        if (picture_.made_of_luminance()) throw *problem_;  // rows need those around them
        while (y < image_.height() && read(y, level_.piece_height)) y += level_.piece_height;
        const int there = y;
        while ((y += level_.piece_height) < image_.height())
            if (read(y, level_.piece_height)) throw *problem_;
        if (there == 0) throw *problem_;
        std::memset(image_.row(there), 0, size_t(image_.height() - there) * image_.row_bytes());
        image_.set_missing({0, there, image_.width(), image_.height() - there});
    }

    ExrPicture& picture_;
    const ExrLevel& level_;
    Image& image_;
    DecodingTarget& target_;
    std::optional<Error> problem_;
};

}  // namespace

void decode_exr(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    ContentStream stream(content);
    const auto picture = in_our_words([&] { return std::make_unique<ExrPicture>(stream, file); });
    const PictureShape& shape = picture->facts().shape;
    check_plausible(content.size(), uint64_t(shape.width), uint64_t(shape.height), uint64_t(shape.channels),
                    shape.type);
    if (Image* const image = target.begin(shape, picture->facts())) Decoding(*picture, *image, target).run();
}

namespace {

// OpenEXR in pieces: tiles, or blocks of rows.
constexpr uint64_t largest_piece = uint64_t(64) << 20;  // bytes of all channels, as the library decodes it
constexpr size_t kept_tiles = size_t(64) << 20, kept_blocks = size_t(128) << 20;
constexpr int usual_tile = 512, smallest_tile = 64;  // tile sides for blocks of rows

class ExrRegions : public TileSource {
public:
    explicit ExrRegions(const EncodedFile& file) : stream_(file), picture_(stream_, file) {
        if (picture_.stored_piece_bytes() > largest_piece)
            throw NotInParts(picture_.tiled() ? "its tiles are too large" : "its rows are too long");
        const auto& [width, height, channels, type, alpha] = picture_.facts().shape;
        info_ = {width, height, channels, type, alpha, nullptr, picture_.facts().frame};
        pieces_.set_budget(picture_.tiled() ? kept_tiles : kept_blocks);
    }

    const ImageInfo& info() const override { return info_; }
    int levels() const override { return int(picture_.levels().size()); }
    Extent level_extent(int level) const override {
        const ExrLevel& which = picture_.levels().at(size_t(level));
        return {which.width(), which.height()};
    }

    // Blocks are decoded once for all tiles of a row if they all fit in the cache.
    int tile() const override {
        const ExrLevel& level = picture_.levels()[0];
        if (picture_.tiled()) return tile_of_pieces(level.piece_width, level.piece_height);
        int side = usual_tile;
        while (side > smallest_tile && size_t(side) * size_t(info_.width) * picture_.pixel_bytes() > kept_blocks / 2)
            side /= 2;
        return side;
    }

    void read(int number, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        const std::lock_guard lock(mutex_);
        const ExrLevel& level = picture_.levels().at(size_t(number));
        const int64_t right = region.x + region.width, bottom = region.y + region.height;
        for (int64_t y = region.y / level.piece_height * level.piece_height; y < bottom; y += level.piece_height)
            for (int64_t x = region.x / level.piece_width * level.piece_width; x < right; x += level.piece_width)
                copy_common(piece_at(level, int(x), int(y)), region, picture_.pixel_bytes(), to, row_bytes);
    }

private:
    const Piece& piece_at(const ExrLevel& level, int x, int y) const {
        return pieces_.at({level.number, x, y}, [&] {
            Piece piece{{x, y, std::min(level.piece_width, level.width() - x),
                         std::min(level.piece_height, level.height() - y)}};
            const size_t row = size_t(piece.region.width) * picture_.pixel_bytes();
            piece.samples.resize(row * size_t(piece.region.height));
            picture_.read(level, piece.region, piece.samples.data(), row);
            return piece;
        });
    }

    DescriptorStream stream_;
    mutable ExrPicture picture_;
    ImageInfo info_;
    mutable std::mutex mutex_;
    mutable KeptPieces pieces_;
};

}  // namespace

std::unique_ptr<const TileSource> exr_regions(const EncodedFile& file) {
    return in_our_words([&] { return std::make_unique<ExrRegions>(file); });
}

namespace {

// The metadata in the header of a part of an OpenEXR file.
using namespace std::string_view_literals;

constexpr size_t most_rows = 1000;

// Attributes that are shown elsewhere: how the samples are stored, the windows and the colours.
constexpr std::array said_elsewhere = {"channels"sv,          "chromaticities"sv, "chunkCount"sv, "compression"sv,
                                       "dataWindow"sv,        "displayWindow"sv,  "lineOrder"sv,  "name"sv,
                                       "preview"sv,           "tiles"sv,          "type"sv,       "version"sv,
                                       "maxSamplesPerPixel"sv};

template <class... Numbers> std::string joined(const Numbers&... numbers) {
    std::string text;
    ((text += fmt::format("{}{}", text.empty() ? "" : ", ", numbers)), ...);
    return text;
}

std::string words_of(const std::string& text) { return text; }
std::string words_of(int number) { return joined(number); }
std::string words_of(float number) { return joined(number); }
std::string words_of(double number) { return joined(number); }
template <class T> std::string words_of(const Imath::Vec2<T>& v) { return joined(v.x, v.y); }
template <class T> std::string words_of(const Imath::Vec3<T>& v) { return joined(v.x, v.y, v.z); }
template <class V> std::string words_of(const Imath::Box<V>& box) {
    return fmt::format("({}) to ({})", words_of(box.min), words_of(box.max));
}
template <class T> std::string words_of(const Imath::Matrix33<T>& m) {
    return joined(m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2], m[2][0], m[2][1], m[2][2]);
}
template <class T> std::string words_of(const Imath::Matrix44<T>& m) {
    return joined(m[0][0], m[0][1], m[0][2], m[0][3], m[1][0], m[1][1], m[1][2], m[1][3], m[2][0], m[2][1], m[2][2],
                  m[2][3], m[3][0], m[3][1], m[3][2], m[3][3]);
}
std::string words_of(const Imf::Rational& number) { return fmt::format("{}/{}", number.n, number.d); }
std::string words_of(const Imf::TimeCode& time) {
    return fmt::format("{:02}:{:02}:{:02}:{:02}", time.hours(), time.minutes(), time.seconds(), time.frame());
}
std::string words_of(const Imf::KeyCode& code) {
    return joined(code.filmMfcCode(), code.filmType(), code.prefix(), code.count(), code.perfOffset(),
                  code.perfsPerFrame(), code.perfsPerCount());
}
std::string words_of(const Imf::Envmap& map) { return map == Imf::ENVMAP_CUBE ? "cube" : "latitude and longitude"; }
std::string words_of(const Imf::StringVector& texts) { return fmt::format("{}", fmt::join(texts, ", ")); }

// The attribute's value in words, if it is of one of these types; else the name of its type.
template <class... Types> std::string words_among(const Imf::Attribute& attribute) {
    std::string words = fmt::format("of the type {}", attribute.typeName());
    const auto take = [&](const auto* typed) {
        if (typed) words = words_of(typed->value());
        return typed != nullptr;
    };
    static_cast<void>((take(dynamic_cast<const Imf::TypedAttribute<Types>*>(&attribute)) || ...));
    return words;
}

std::string words_of_attribute(const Imf::Attribute& attribute) {
    return words_among<std::string, int, float, double, Imath::V2i, Imath::V2f, Imath::V2d, Imath::V3i, Imath::V3f,
                       Imath::V3d, Imath::Box2i, Imath::Box2f, Imath::M33f, Imath::M33d, Imath::M44f, Imath::M44d,
                       Imf::Rational, Imf::TimeCode, Imf::KeyCode, Imf::Envmap, Imf::StringVector>(attribute);
}

std::string words_of_window(const Imath::Box2i& window) {
    return fmt::format("{} × {} pixels from ({}, {}) to ({}, {})", int64_t(window.max.x) - window.min.x + 1,
                       int64_t(window.max.y) - window.min.y + 1, window.min.x, window.min.y, window.max.x,
                       window.max.y);
}

const char* words_of_compression(Imf::Compression compression) {
    constexpr const char* names[] = {"none", "runs", "zip, row by row", "zip", "piz", "pxr24", "b44", "b44a",
                                     "dwaa", "dwab"};
    return compression >= 0 && size_t(compression) < std::size(names) ? names[compression] : "unknown";
}

bool has_chroma(const Imf::Header& header) { return header.channels().findChannel("RY") != nullptr; }

}  // namespace

std::vector<MetadataRow> describe_exr(ByteSpan content, int part) {
    return in_our_words([&] {
        ContentStream stream(content);
        const Imf::MultiPartInputFile input(stream);
        std::vector<MetadataRow> rows;
        if (part < 0 || part >= input.parts()) return rows;
        const Imf::Header& header = input.header(part);
        rows.push_back({"Picture", "Data window", words_of_window(header.dataWindow())});
        rows.push_back({"Picture", "Display window", words_of_window(header.displayWindow())});
        if (has_chroma(header))
            rows.push_back({"Picture", "Stored as", "luminance and chroma (Y, RY, BY), chroma with fewer samples"});
        rows.push_back({"OpenEXR", "compression", words_of_compression(header.compression())});
        if (header.hasTileDescription()) {
            const Imf::TileDescription& tiles = header.tileDescription();
            rows.push_back({"OpenEXR", "tiles", fmt::format("{} × {}", tiles.xSize, tiles.ySize)});
        }
        for (auto each = header.begin(); each != header.end() && rows.size() < most_rows; ++each)
            if (std::ranges::find(said_elsewhere, std::string_view(each.name())) == said_elsewhere.end())
                rows.push_back({"OpenEXR", each.name(), words_of_attribute(each.attribute())});
        return rows;
    });
}

}  // namespace texelscope

// The module's only entry point, which app/files/codecs/modules.h describes.

// The functions of the module; null if the program is of another version.
extern "C" __attribute__((visibility("default"))) const texelscope::OpenExrModule* texelscope_openexr(
    const char* version) {
    using namespace texelscope;
    if (std::string_view(version) != TEXELSCOPE_VERSION) return nullptr;
    static constexpr OpenExrModule module{decode_exr, describe_exr, exr_regions};
    return &module;
}
