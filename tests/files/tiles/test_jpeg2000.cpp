// JPEG 2000 by regions, against what was packed, against the same files unpacked at once, and its smaller images against the
// wavelet of the standard.
#if __has_include(<openjpeg.h>)
#include <functional>

#include <gmock/gmock.h>

#include "app/files/decoding/decoder.h"
#include "app/files/reading/image_files.h"
#include "app/files/tiles/file_tiles.h"
#include "tests/files/bytes.h"
#include "tests/files/tiles/jpeg2000_file.h"
#include "tests/files/tiles/stored_tiles.h"

namespace texelscope::test {
namespace {

using testing::HasSubstr;

Image gradient(int width, int height, int channels, SampleType type = SampleType::u8) {
    Image image(width, height, channels, SampleType::f32, channels % 2 == 0 ? Alpha::straight : Alpha::none);
    std::mt19937 random{1};
    for (int y = 0; y < height; ++y)
        for (int i = 0; i < width * channels; ++i)
            image.row_as<float>(y)[i] = float(i % 251 + y % 83) / 400 + float(random() % 64) / 1024;
    return converted(image, type);
}

class Jpeg2000 : public testing::Test {
protected:
    void SetUp() override {
        if (!codec_of_extension("a.jp2")->open_regions) GTEST_SKIP() << "this build has no OpenJPEG";
    }
    std::unique_ptr<const TileSource> tiles(const std::filesystem::path& path, const PictureChoice& choice = {}) {
        return decoded_tiles(std::make_shared<const OpenedFile>(path), *codec_of_extension(path), choice);
    }
    // Why it is not read in parts.
    std::string whole_only(const std::string& bytes) {
        return refusal<NotInParts>([&] { tiles(folder_.write("a.jp2", bytes)); });
    }

    // By regions and as a whole.
    void expect_read(const std::filesystem::path& path, const Image& image) {
        const auto source = tiles(path);
        EXPECT_EQ(source->info().type, image.type());
        EXPECT_EQ(source->info().alpha, image.alpha());
        expect_same_regions(*source, image, 0, 8);
        const Image whole = read_image(path);
        ASSERT_EQ(describe(whole), describe(image));
        EXPECT_EQ(std::memcmp(whole.data(), image.data(), image.size_bytes()), 0);
    }

    Folder folder_;
};

TEST_F(Jpeg2000, HasTheSamplesThatWerePacked) {
    for (const int tile : {0, 64})
        for (const SampleType type : {SampleType::u8, SampleType::u16})
            for (const int channels : {1, 2, 3, 4}) {
                SCOPED_TRACE(fmt::format("{} {} {}", tile, int(type), channels));
                const Image image = gradient(181, 115, channels, type);
                const bool boxes = channels > 1;
                const auto path = folder_.write(
                    boxes ? "a.jp2" : "a.j2k",
                    packed_jpeg2000(image, {.tile_width = tile, .tile_height = tile * 3 / 4, .boxes = boxes}));
                expect_read(path, image);
            }
}

// Rows of samples that step evenly from the smallest number to the largest.
template <class T> Image steps(SampleType type, int64_t smallest, int64_t largest, int channels = 1) {
    Image image(67, 41, channels, type);
    const int64_t last = 41 * 67 * channels - 1;
    for (int64_t i = 0; i <= last; ++i) image.row_as<T>(0)[i] = T(smallest + (largest - smallest) * i / last);
    return image;
}

template <class T> Image signed_steps(SampleType type, int bits, int channels) {
    return steps<T>(type, -(int64_t(1) << (bits - 1)), (int64_t(1) << (bits - 1)) - 1, channels);
}

TEST_F(Jpeg2000, KeepsSignedSamplesAsNumbers) {
    const auto expect_kept = [this](const Image& image, int bits) {
        SCOPED_TRACE(fmt::format("{} bits", bits));
        for (const int tile : {0, 32}) {
            const Jpeg2000Packing how{.tile_width = tile, .tile_height = tile, .boxes = tile == 0, .bits = bits};
            expect_read(folder_.write(how.boxes ? "a.jp2" : "a.j2k", packed_jpeg2000(image, how)), image);
        }
    };
    for (const int channels : {1, 3}) {
        for (const int bits : {5, 8}) expect_kept(signed_steps<int8_t>(SampleType::i8, bits, channels), bits);
        for (const int bits : {12, 16}) expect_kept(signed_steps<int16_t>(SampleType::i16, bits, channels), bits);
    }
    expect_kept(signed_steps<int32_t>(SampleType::i32, 20, 1), 20);
}

// Not all channels can be numbers: the smallest one becomes 0.
TEST_F(Jpeg2000, ShiftsASignedChannelAmongOthers) {
    for (const SampleType type : {SampleType::u8, SampleType::u16}) {
        const Image image = gradient(67, 41, 4, type);
        expect_read(folder_.write("a.jp2", packed_jpeg2000(image, {.signed_first = true})), image);
    }
}

template <class T> void expect_scaled(Jpeg2000Packing how, SampleType type, const Image& stored, const Image& read) {
    const double largest = double((1 << how.bits) - 1), most = std::numeric_limits<T>::max();
    ASSERT_EQ(read.type(), type);
    const size_t count = size_t(stored.width()) * size_t(stored.height());
    for (size_t i = 0; i < count; ++i)
        ASSERT_EQ(double(read.row_as<T>(0)[i]), std::floor(stored.row_as<uint16_t>(0)[i] * most / largest + 0.5)) << i;
}

TEST_F(Jpeg2000, ScalesOtherDepthsToNearest) {
    for (const int bits : {1, 2, 4, 5, 7, 9, 10, 12, 15}) {
        SCOPED_TRACE(fmt::format("{} bits", bits));
        const Jpeg2000Packing how{.bits = bits};
        const Image stored = steps<uint16_t>(SampleType::u16, 0, (1 << bits) - 1);
        const auto path = folder_.write("a.jp2", packed_jpeg2000(stored, how));
        const Image whole = read_image(path);
        if (bits <= 8) expect_scaled<uint8_t>(how, SampleType::u8, stored, whole);
        else expect_scaled<uint16_t>(how, SampleType::u16, stored, whole);
        expect_same_regions(*tiles(path), whole, 0, 8);
    }
}

void expect_some_regions(const TileSource& source, const Image& whole, int level) {
    ASSERT_EQ(source.level_extent(level), (Extent{whole.width(), whole.height()}));
    EXPECT_EQ(difference(source, whole, {0, 0, whole.width(), whole.height()}, level), "");
    std::mt19937 random(7);
    for (int i = 0; i < 6; ++i)
        EXPECT_EQ(difference(source, whole, random_region(random, whole.width(), whole.height(), 900), level), "");
}

// Larger than the parts that are decoded at once, with and without loss.
TEST_F(Jpeg2000, OfOneTileIsReadInParts) {
    for (const bool lossy : {false, true}) {
        const std::string bytes = packed_jpeg2000(gradient(1300, 1100, 1), {.lossy = lossy});
        const auto source = tiles(folder_.write("a.jp2", bytes));
        ASSERT_EQ(source->levels(), 4);
        for (const int level : {0, 2, 1, 3})
            expect_some_regions(*source, unpacked_jpeg2000(bytes, level, SampleType::u8), level);
    }
}

TEST_F(Jpeg2000, WithLossIsWhatTheLibraryMakesOfAllOfIt) {
    for (const int tile : {0, 96}) {
        const Image image = gradient(181, 115, 3);
        const std::string bytes = packed_jpeg2000(image, {.tile_width = tile, .tile_height = tile, .lossy = true});
        const Image whole = unpacked_jpeg2000(bytes, 0, SampleType::u8);
        EXPECT_NE(std::memcmp(whole.data(), image.data(), image.size_bytes()), 0);
        const auto path = folder_.write("a.jp2", bytes);
        expect_same_regions(*tiles(path), whole, 0, 8);
        EXPECT_EQ(samples<uint8_t>(read_image(path)), samples<uint8_t>(whole));
    }
}

// The low band of the 5/3 wavelet along one axis (ISO/IEC 15444-1, F.4.8.1), of numbers around zero.
std::vector<int> low_band(const std::vector<int>& x) {
    const int n = int(x.size());
    if (n == 1) return x;
    const auto at = [n](int i) { return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i; };
    const auto detail = [&](int i) {  // at the odd place i, mirrored as the numbers are
        const int odd = at(i);
        return x[size_t(odd)] - ((x[size_t(at(odd - 1))] + x[size_t(at(odd + 1))]) >> 1);
    };
    std::vector<int> low;
    for (int i = 0; i < n; i += 2) low.push_back(x[size_t(i)] + ((detail(i - 1) + detail(i + 1) + 2) >> 2));
    return low;
}

// A grey gradient at half its size, each tile for itself: columns first. Tiles begin at even places.
Image halved(const Image& image, int tile) {
    constexpr int zero = 128;
    Image half((image.width() + 1) / 2, (image.height() + 1) / 2, 1, SampleType::u8);
    for (int top = 0; top < image.height(); top += tile)
        for (int left = 0; left < image.width(); left += tile) {
            const int width = std::min(tile, image.width() - left), height = std::min(tile, image.height() - top);
            std::vector<std::vector<int>> rows(size_t((height + 1) / 2), std::vector<int>(size_t(width)));
            for (int x = 0; x < width; ++x) {
                std::vector<int> column;
                for (int y = 0; y < height; ++y) column.push_back(int(image.row_as<uint8_t>(top + y)[left + x]) - zero);
                const std::vector<int> low = low_band(column);
                for (size_t y = 0; y < low.size(); ++y) rows[y][size_t(x)] = low[y];
            }
            for (size_t y = 0; y < rows.size(); ++y) {
                const std::vector<int> low = low_band(rows[y]);
                for (size_t x = 0; x < low.size(); ++x)
                    half.row_as<uint8_t>(top / 2 + int(y))[left / 2 + int(x)] =
                        uint8_t(std::clamp(low[x] + zero, 0, 255));
            }
        }
    return half;
}

TEST_F(Jpeg2000, HasSmallerImages) {
    const Image image = gradient(181, 115, 1);
    for (const int tile : {0, 64}) {
        const std::string bytes =
            packed_jpeg2000(image, {.tile_width = tile, .tile_height = tile, .resolutions = tile ? 4 : 6});
        const auto source = tiles(folder_.write("a.jp2", bytes));
        ASSERT_EQ(source->levels(), tile ? 4 : 6);
        expect_same_regions(*source, halved(image, tile ? tile : 1000), 1, 8);
        for (int level = source->levels() - 1; level >= 0; --level)
            expect_same_regions(*source, unpacked_jpeg2000(bytes, level, SampleType::u8), level, 8);
    }
}

TEST_F(Jpeg2000, HasStraightAlphaAndChannelsToChoose) {
    const auto path =
        folder_.write("a.jp2", packed_jpeg2000(gradient(90, 70, 4), {.tile_width = 32, .tile_height = 32}));
    EXPECT_EQ(tiles(path)->info().alpha, Alpha::straight);
    for (const std::vector<std::string>& channels : {std::vector<std::string>{"2"}, {"A", "R"}, {"1", "2", "3"}})
        expect_same_regions(*tiles(path, {.channels = channels}), read_image(path, {.choice = {.channels = channels}}),
                            0, 8);
}

std::string with_box(std::string file, const std::string& type, const std::string& content) {
    const size_t header = file.find("jp2h") - 4, length = be32(span_of(file), header);
    const std::string box = big32(uint32_t(content.size() + 8)) + type + content;
    file.insert(header + length, box);
    return file.replace(header, 4, big32(uint32_t(length + box.size())));
}

// An entry of the cdef box.
std::string definition(uint32_t channel, uint32_t type, uint32_t of) {
    return big16(channel) + big16(type) + big16(of);
}

TEST_F(Jpeg2000, HasTheAlphaOfItsChannelDefinitions) {
    constexpr uint32_t colour = 0, unspecified = 65535;
    for (const int channels : {2, 4})
        for (const auto& [type, alpha] : {std::pair(1u, Alpha::straight), std::pair(2u, Alpha::premultiplied),
                                          std::pair(unspecified, Alpha::none)}) {
            SCOPED_TRACE(fmt::format("{} {}", channels, type));
            std::string definitions = big16(uint32_t(channels));
            for (uint32_t i = 0; i + 1 < uint32_t(channels); ++i) definitions += definition(i, colour, i + 1);
            definitions += definition(uint32_t(channels) - 1, type, type == unspecified ? unspecified : 0);
            Image image = gradient(60, 50, channels);
            image.set_alpha(alpha);
            const std::string bytes = packed_jpeg2000(image, {.alpha = false});
            expect_read(folder_.write("a.jp2", with_box(bytes, "cdef", definitions)), image);
        }
}

TEST_F(Jpeg2000, HasAlphaBehindColoursWithoutDefinitions) {
    for (const int channels : {2, 4}) {
        Image image = gradient(60, 50, channels);
        expect_read(folder_.write("a.jp2", packed_jpeg2000(image, {.alpha = false})), image);
        if (channels == 2) image.set_alpha(Alpha::none);  // a bare codestream does not say that the first one is grey
        expect_read(folder_.write("a.j2k", packed_jpeg2000(image, {.boxes = false})), image);
    }
}

TEST_F(Jpeg2000, OfOtherKindsIsReadAsAWhole) {
    const Image image = gradient(60, 50, 3);
    const std::string grey = packed_jpeg2000(gradient(60, 50, 1));
    EXPECT_EQ(whole_only(grey), "");
    EXPECT_EQ(whole_only(with_box(grey, "pclr", std::string(20, '\0'))), "it has a palette");
    EXPECT_EQ(whole_only(packed_jpeg2000(image, {.colours = OPJ_CLRSPC_SYCC})), "its colours are neither grey nor RGB");
    EXPECT_EQ(whole_only(packed_jpeg2000(image, {.smaller_second = true})), "its channels are of several sizes");
    EXPECT_EQ(whole_only(packed_jpeg2000(gradient(60, 50, 1), {.bits = 20})), "its samples have 20 bits");
    const std::string reversed = big16(3) + definition(0, 0, 3) + definition(1, 0, 2) + definition(2, 0, 1);
    EXPECT_EQ(whole_only(with_box(packed_jpeg2000(image), "cdef", reversed)),
              "its channels are not in the order of their colours");
}

TEST_F(Jpeg2000, ThatIsCutOffShowsWhatIsThere) {
    const Image image = gradient(512, 512, 1);
    const std::string bytes = packed_jpeg2000(image, {.tile_width = 64, .tile_height = 64});
    for (const double part : {0.001, 0.3, 0.7, 0.99}) {
        const auto path = folder_.write("a.jp2", bytes.substr(0, size_t(double(bytes.size()) * part)));
        std::unique_ptr<const TileSource> source;
        const std::string error = refusal([&] { source = tiles(path); });
        if (!source) {
            EXPECT_THAT(error, HasSubstr("the JPEG 2000 is damaged or of a kind that cannot be read ("));
            EXPECT_EQ(error.find('\n'), error.npos) << error;
            EXPECT_LT(part, 0.1);
            continue;
        }
        int refused = 0;
        for (int y = 448; y >= 0; y -= 64)  // from what is lost to what is not
            for (int x = 448; x >= 0; x -= 64) {
                std::string different;
                const std::string refusal = test::refusal([&] {
                    different = difference(*source, image, {x, y, 64, 64});
                });
                EXPECT_EQ(different, "") << x << " " << y;
                if (!refusal.empty()) {
                    EXPECT_THAT(refusal, HasSubstr("a.jp2: the JPEG 2000 is damaged"));
                }
                EXPECT_EQ(refusal.find('\n'), refusal.npos) << refusal;
                refused += refusal.empty() ? 0 : 1;
            }
        EXPECT_NEAR(refused, 64 * (1 - part), 4) << part;
    }
    const auto path = folder_.write("a.jp2", packed_jpeg2000(image).substr(0, bytes.size() / 2));
    EXPECT_THAT(refusal([&] { region_of(*tiles(path), {0, 0, 9, 9}); }), HasSubstr("a.jp2: the JPEG 2000 is damaged"));
}

TEST_F(Jpeg2000, NeedsNoEndMark) {
    for (const bool boxes : {false, true})
        for (const int tile : {0, 64}) {
            const Image image = gradient(181, 115, 1);
            const std::string bytes = packed_jpeg2000(image, {.tile_width = tile, .tile_height = tile, .boxes = boxes});
            ASSERT_EQ(bytes.substr(bytes.size() - 2), "\xff\xd9");
            const std::string name = boxes ? "a.jp2" : "a.j2k";
            for (const size_t cut : {1, 2}) {
                SCOPED_TRACE(fmt::format("{} {} {}", boxes, tile, cut));
                expect_read(folder_.write(name, bytes.substr(0, bytes.size() - cut)), image);
            }
            for (const size_t cut : {3, 4, 5, 9})
                EXPECT_FALSE(read_image(folder_.write(name, bytes.substr(0, bytes.size() - cut))).missing().empty())
                    << boxes << tile << cut;
        }
}

TEST_F(Jpeg2000, AsAWholeHasTheTilesBeforeTheCut) {
    const Image image = gradient(200, 300, 3);
    for (const bool boxes : {false, true}) {
        const std::string bytes = packed_jpeg2000(image, {.tile_width = 64, .tile_height = 64, .boxes = boxes});
        const auto path = folder_.write(boxes ? "a.jp2" : "a.j2k", bytes.substr(0, bytes.size() / 2));
        const Image cut = read_image(path);
        ASSERT_EQ(describe(cut), describe(image));
        const SampleRegion missing = cut.missing();
        EXPECT_EQ(missing, (SampleRegion{0, missing.y, 200, 300 - int(missing.y)}));
        EXPECT_EQ(missing.y % 64, 0);
        EXPECT_GE(missing.y, 64);
        EXPECT_LE(missing.y, 192);
        EXPECT_EQ(std::memcmp(cut.data(), image.data(), image.row_bytes() * size_t(missing.y)), 0);
        EXPECT_EQ(cut.row_as<uint8_t>(299)[599], 0);
        EXPECT_EQ(read_facts(path).missing, missing);
    }
    // Of one tile, a coarser picture is left.
    Image ramp(256, 256, 1, SampleType::u8);
    for (int y = 0; y < 256; ++y)
        for (int x = 0; x < 256; ++x) ramp.row_as<uint8_t>(y)[x] = uint8_t((x + y) / 2);
    const std::string bytes = packed_jpeg2000(ramp);
    const Image coarse = read_image(folder_.write("a.jp2", bytes.substr(0, bytes.size() * 3 / 4)));
    EXPECT_EQ(coarse.missing(), (SampleRegion{0, 0, 256, 256}));
    EXPECT_NEAR(coarse.value(128, 128, 0), ramp.value(128, 128, 0), 0.1);
}

// The arithmetic coder has no checksum: a damaged tile may also be a wrong one.
TEST_F(Jpeg2000, ADamagedTileHarmsNoOther) {
    const Image image = gradient(512, 512, 3);
    const std::string bytes = packed_jpeg2000(image, {.tile_width = 64, .tile_height = 64});
    for (const size_t at : {bytes.size() / 3, bytes.size() / 2, bytes.size() / 4 * 3}) {
        std::string damaged = bytes;
        for (size_t i = at; i < at + 40; ++i) damaged[i] = char(~damaged[i]);
        const auto source = tiles(folder_.write("a.jp2", damaged));
        int right = 0;
        for (int y = 0; y < 512; y += 64)
            for (int x = 0; x < 512; x += 64) {
                std::string different;
                const std::string error = refusal([&] { different = difference(*source, image, {x, y, 64, 64}); });
                if (!error.empty()) {
                    EXPECT_THAT(error, HasSubstr("a.jp2: "));
                }
                EXPECT_EQ(error.find('\n'), error.npos) << error;
                right += error.empty() && different.empty() ? 1 : 0;
            }
        EXPECT_GE(right, 62);
        EXPECT_LT(right, 64);
    }
}

}  // namespace
}  // namespace texelscope::test
#endif
