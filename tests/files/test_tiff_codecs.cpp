// TIFF in every way that libtiff writes it: the written samples are read, as a whole and by regions.
#if TEXELSCOPE_WITH_TIFF
#include <functional>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <tiffio.h>

#include "app/files/codecs/codecs.h"
#include "app/files/tiles/file_tiles.h"
#include "gpu/core/image.h"
#include "tests/files/pixels.h"
#include "tests/files/tiles/stored_tiles.h"

namespace texelscope::test {
namespace {

using testing::HasSubstr;

struct Layout {
    int tile = 0, rows = 16;  // tile 0: strips of `rows` rows
    bool planes = false;
    const char* mode = "w";  // for TIFFOpen: byte order, BigTIFF
};

std::string name_of(const Layout& layout) {
    return fmt::format("tile {}, rows {}, planes {}, {}", layout.tile, layout.rows, layout.planes, layout.mode);
}

const std::vector<Layout> layouts = {{0, 16},      {0, 1000},           {32, 0},
                                     {0, 7, true}, {48, 0, true, "wb"}, {0, 1, false, "wb8"}};

class TiffCodecs : public TiffReading {
protected:
    using Tags = std::function<void(TIFF*)>;

    // Pictures have 53×37 pixels; their channels are interleaved, or planes one after another, in strips or tiles.
    static constexpr int width = 53, height = 37;

    static Image noise(SampleType type, int channels) {
        Image image(width, height, channels, type);
        std::mt19937 random(7);
        const auto sample = size_t(bytes_per_sample(type));
        for (size_t i = 0; i < image.size_bytes(); i += sample) {
            const auto smooth = uint32_t(i / sample / 3 % 61) + random() % 4;
            if (type == SampleType::f32) {
                const float value = float(smooth) / 8 - 1;
                std::memcpy(image.data() + i, &value, sizeof value);
            } else if (type == SampleType::f64) {
                const double value = double(smooth) / 7 - 1;
                std::memcpy(image.data() + i, &value, sizeof value);
            } else {
                const uint64_t value = type == SampleType::f16 ? 0x3800 + smooth : smooth * (sample == 1 ? 3 : 999);
                std::memcpy(image.data() + i, &value, sample);
            }
        }
        return image;
    }

    // The bytes of a rectangle, of one channel or (−1) of all; beyond the picture, zeros.
    static std::vector<std::byte> cut(const Image& image, int x0, int y0, int across, int down, int channel) {
        const auto sample = size_t(bytes_per_sample(image.type())), pixel = sample * size_t(image.channels());
        const size_t taken = channel < 0 ? pixel : sample;
        std::vector<std::byte> bytes(size_t(across) * size_t(down) * taken);
        for (int y = 0; y < std::min(down, height - y0); ++y)
            for (int x = 0; x < std::min(across, width - x0); ++x)
                std::memcpy(bytes.data() + size_t(y * across + x) * taken,
                            image.row(y0 + y) + size_t(x0 + x) * pixel + (channel < 0 ? 0 : size_t(channel) * sample),
                            taken);
        return bytes;
    }

    std::filesystem::path written(const Image& image, const Layout& layout, const Tags& tags) {
        const auto path = folder_ / "a.tif";
        TIFF* tiff = TIFFOpen(path.c_str(), layout.mode);
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, width);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, height);
        TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8 * bytes_per_sample(image.type()));
        TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, image.channels());
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, image.channels() >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
        TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, layout.planes ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
        TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT,
                     is_float(image.type())                 ? SAMPLEFORMAT_IEEEFP
                     : name_of(image.type()).front() == 'i' ? SAMPLEFORMAT_INT
                                                            : SAMPLEFORMAT_UINT);
        if (layout.tile > 0) {
            TIFFSetField(tiff, TIFFTAG_TILEWIDTH, layout.tile);
            TIFFSetField(tiff, TIFFTAG_TILELENGTH, layout.tile);
        } else {
            TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, layout.rows);
        }
        tags(tiff);
        const int across = layout.tile ? layout.tile : width, down = layout.tile ? layout.tile : layout.rows;
        uint32_t piece = 0;
        for (int plane = layout.planes ? 0 : -1; plane < (layout.planes ? image.channels() : 0); ++plane)
            for (int y = 0; y < height; y += down)
                for (int x = 0; x < width; x += across, ++piece) {
                    auto bytes = cut(image, x, y, across, layout.tile ? down : std::min(down, height - y), plane);
                    const auto count = tmsize_t(bytes.size());
                    EXPECT_EQ(layout.tile ? TIFFWriteEncodedTile(tiff, piece, bytes.data(), count)
                                          : TIFFWriteEncodedStrip(tiff, piece, bytes.data(), count),
                              count);
                }
        TIFFClose(tiff);
        return path;
    }

    static std::unique_ptr<const TileSource> tiles(const std::filesystem::path& path) {
        return decoded_tiles(std::make_shared<const OpenedFile>(path), *codec_of_extension(path), {});
    }

    void expect_back(const Image& image, const Layout& layout, const Tags& tags) {
        SCOPED_TRACE(fmt::format("{}, {}", describe(image), name_of(layout)));
        const auto path = written(image, layout, tags);
        const Image back = read_image_in_process(path);
        ASSERT_EQ(back.type(), image.type());
        ASSERT_EQ(back.channels(), image.channels());
        EXPECT_EQ(std::memcmp(back.data(), image.data(), image.size_bytes()), 0);
        expect_same_regions(*tiles(path), back, 0, 4);
    }
};

TEST_F(TiffCodecs, LosslessOnesOfEveryTypeAndLayout) {
    for (const uint32_t compression : {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE,
                                       COMPRESSION_DEFLATE, COMPRESSION_PACKBITS, COMPRESSION_ZSTD, COMPRESSION_LZMA}) {
        if (!TIFFIsCODECConfigured(uint16_t(compression))) continue;
        SCOPED_TRACE(compression);
        for (const Layout& layout : layouts)
            for (const SampleType type : {SampleType::u8, SampleType::f32})
                expect_back(noise(type, layout.planes ? 3 : 1), layout,
                            [&](TIFF* tiff) { TIFFSetField(tiff, TIFFTAG_COMPRESSION, compression); });
    }
}

TEST_F(TiffCodecs, BitsFromTheLowestOn) {
    for (const uint32_t compression :
         {COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_PACKBITS})
        for (const Layout& layout : layouts)
            expect_back(noise(SampleType::u8, layout.planes ? 3 : 1), layout, [&](TIFF* tiff) {
                TIFFSetField(tiff, TIFFTAG_COMPRESSION, compression);
                TIFFSetField(tiff, TIFFTAG_FILLORDER, FILLORDER_LSB2MSB);
            });
}

TEST_F(TiffCodecs, EveryTypeInBothOrders) {
    for (const SampleType type : all_sample_types)
        for (const char* mode : {"wl", "wb", "wl8", "wb8"})
            for (const int channels : {1, 3, 4}) expect_back(noise(type, channels), {0, 16, false, mode}, [](TIFF*) {});
}

TEST_F(TiffCodecs, Predictors) {
    for (const Layout& layout : layouts) {
        const int channels = layout.planes ? 3 : 1;
        for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::u32, SampleType::i64})
            expect_back(noise(type, channels), layout, [](TIFF* tiff) {
                TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_LZW);
                TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
            });
        if (std::string_view(layout.mode).find('b') != std::string_view::npos)
            continue;  // libtiff 4.5 writes these wrongly
        for (const SampleType type : {SampleType::f16, SampleType::f32, SampleType::f64})
            expect_back(noise(type, channels), layout, [](TIFF* tiff) {
                TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE);
                TIFFSetField(tiff, TIFFTAG_PREDICTOR, PREDICTOR_FLOATINGPOINT);
            });
    }
}

TEST_F(TiffCodecs, LercAndWebpWithoutLoss) {
    if (TIFFIsCODECConfigured(COMPRESSION_LERC))
        for (const SampleType type : {SampleType::u8, SampleType::f32})
            expect_back(noise(type, 1), {32, 0},
                        [](TIFF* tiff) { TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_LERC); });
    if (TIFFIsCODECConfigured(COMPRESSION_WEBP))
        expect_back(noise(SampleType::u8, 3), {32, 0}, [](TIFF* tiff) {
            TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_WEBP);
            TIFFSetField(tiff, TIFFTAG_WEBP_LOSSLESS, 1);
        });
}

TEST_F(TiffCodecs, MoreChannelsThanFourAreChosen) {
    const auto path = folder_ / "a.tif";
    TIFF* tiff = TIFFOpen(path.c_str(), "w");
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 2);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 1);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 7);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    std::string row = "abcdefgABCDEFG";
    TIFFWriteScanline(tiff, row.data(), 0, 0);
    TIFFClose(tiff);
    Reading reading;
    reading.choice.channels = {"7", "2"};
    EXPECT_THAT(samples<uint8_t>(read_image_in_process(path, reading)), testing::ElementsAre('g', 'b', 'G', 'B'));
}

TEST_F(TiffCodecs, Faxes) {
    for (const int compression : {COMPRESSION_CCITTRLE, COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4}) {
        const auto path = folder_ / "a.tif";
        TIFF* tiff = TIFFOpen(path.c_str(), "w");
        TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 64);
        TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 8);
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 8);
        TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISWHITE);
        TIFFSetField(tiff, TIFFTAG_COMPRESSION, compression);
        std::string rows;
        for (int i = 0; i < 64; ++i) rows += char(i * 37);
        TIFFWriteEncodedStrip(tiff, 0, rows.data(), tmsize_t(rows.size()));
        TIFFClose(tiff);
        const Image image = read_image_in_process(path);
        for (int y = 0; y < 8; ++y)
            for (int x = 0; x < 64; ++x)
                ASSERT_EQ(image.value(x, y, 0), float(~(uint8_t(rows[size_t(8 * y + x / 8)]) >> (7 - x % 8)) & 1));
    }
}

// Flat colours pass through JPEG nearly as they are.
TEST_F(TiffCodecs, JpegInAllItsColours) {
    struct Kind {
        int photometric, channels, across, down;
    };
    for (const Kind& kind :
         {Kind{PHOTOMETRIC_MINISBLACK, 1, 1, 1}, Kind{PHOTOMETRIC_RGB, 3, 1, 1}, Kind{PHOTOMETRIC_YCBCR, 3, 1, 1},
          Kind{PHOTOMETRIC_YCBCR, 3, 2, 2}, Kind{PHOTOMETRIC_YCBCR, 3, 2, 1}})
        for (const Layout& layout : {Layout{0, 16}, Layout{32, 0}}) {
            Image image(width, height, kind.channels, SampleType::u8);
            const uint8_t colour[3] = {200, 60, 90};
            for (size_t i = 0; i < image.size_bytes(); ++i)
                image.data()[i] = std::byte(colour[i % size_t(kind.channels)]);
            const auto path = written(image, layout, [&kind](TIFF* tiff) {
                TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_JPEG);
                TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, kind.photometric);
                TIFFSetField(tiff, TIFFTAG_JPEGQUALITY, 100);
                if (kind.photometric != PHOTOMETRIC_YCBCR) return;
                TIFFSetField(tiff, TIFFTAG_YCBCRSUBSAMPLING, kind.across, kind.down);
                TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
            });
            const Image back = read_image_in_process(path);
            ASSERT_EQ(back.channels(), kind.channels);
            // Only the first tile is compared: it lies within the picture, beyond which tiles are black.
            for (int y = 0; y < 32; ++y)
                for (int x = 0; x < 32; ++x)
                    for (int c = 0; c < kind.channels; ++c)
                        ASSERT_NEAR(back.value(x, y, c) * 255, colour[c], 3)
                            << kind.photometric << " " << x << ", " << y;
            expect_same_regions(*tiles(path), back, 0, 4);
        }
}

TEST_F(TiffCodecs, LogarithmicLightBecomesLinear) {
    const auto write_log = [&](int photometric, int channels, const std::vector<float>& pixel) {
        Image image(width, height, channels, SampleType::f32);
        for (int y = 0; y < height; ++y)
            for (int i = 0; i < width * channels; ++i) image.row_as<float>(y)[i] = pixel[size_t(i % channels)];
        return written(image, {}, [&](TIFF* tiff) {
            TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_SGILOG);
            TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, photometric);
            TIFFSetField(tiff, TIFFTAG_SGILOGDATAFMT, SGILOGDATAFMT_FLOAT);
        });
    };
    const Image grey = read_image_in_process(write_log(PHOTOMETRIC_LOGL, 1, {40}));
    EXPECT_EQ(grey.type(), SampleType::f32);
    EXPECT_NEAR(grey.value(3, 3, 0), 40, 0.2f);
    EXPECT_TRUE(is_linear(grey.profile().get()));
    // u' and v' have steps of 1/410. Rec. 709's white and red at 10 times white's luminance (IEC 61966-2-1's matrix).
    const Image white = read_image_in_process(write_log(PHOTOMETRIC_LOGLUV, 3, {9.505f, 10, 10.891f}));
    ASSERT_EQ(white.channels(), 3);
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(white.value(5, 5, c), 10, 0.3f) << c;
    const Image red = read_image_in_process(write_log(PHOTOMETRIC_LOGLUV, 3, {4.124f, 2.126f, 0.193f}));
    EXPECT_NEAR(red.value(5, 5, 0), 10, 0.3f);
    EXPECT_NEAR(red.value(5, 5, 1), 0, 0.3f);
    EXPECT_NEAR(red.value(5, 5, 2), 0, 0.3f);
}

TEST_F(TiffCodecs, PiecesThatAreLeftOutAreZero) {
    const auto path = written(noise(SampleType::u8, 1), {16, 0}, [](TIFF*) {});
    TIFF* tiff = TIFFOpen((folder_ / "sparse.tif").c_str(), "w");
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, 64);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, 32);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 8);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 32);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, 32);
    std::string tile(1024, 'x');
    TIFFWriteEncodedTile(tiff, 1, tile.data(), 1024);
    TIFFClose(tiff);
    const Image image = read_image_in_process(folder_ / "sparse.tif");
    EXPECT_EQ(image.value(0, 0, 0), 0);
    EXPECT_EQ(image.value(40, 10, 0), float('x') / 255);
}

TEST_F(TiffCodecs, DamagedDataAreDamage) {
    for (const int compression : {COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_LZMA}) {
        const auto path = written(noise(SampleType::u8, 3), {0, 1000},
                                  [&](TIFF* tiff) { TIFFSetField(tiff, TIFFTAG_COMPRESSION, compression); });
        std::string bytes = content_of(path);
        for (size_t i = 600; i < 640; ++i) bytes[i] = char(bytes[i] ^ 0x55);
        EXPECT_THAT(refusal([&] { read(bytes); }), HasSubstr("a.tif: the TIFF is damaged")) << compression;
    }
}

}  // namespace
}  // namespace texelscope::test
#endif
