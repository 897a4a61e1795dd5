// HEIF and AVIF: what is recognised, which way up, what their EXIF data say, and pictures of all kinds.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>

#include <fmt/format.h>

#include "app/files/codecs/codecs.h"
#include "app/files/codecs/heif.h"
#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"
#include "tests/files/pixels.h"

#if TEXELSCOPE_WITH_OIIO
#include <OpenImageIO/imageio.h>
#endif
#if TEXELSCOPE_WITH_HEIF
#include <libheif/heif.h>
#endif

namespace texelscope::test {
namespace {

using namespace std::string_literals;

constexpr const char* no_encoder = "no encoder of HEIF here";

int orientation(const std::vector<std::pair<std::string, std::string>>& properties) {
    const std::string file = heif(properties, exif(6, true));
    return orientation_in_heif(span_of(file));
}

// A quarter to the left brings upright what lies on its right side: 8. imir 1 changes left and right, imir 0 top and bottom.
TEST(Heif, ItsPropertiesSayHowItLies) {
    EXPECT_EQ(orientation({}), 1);
    EXPECT_EQ(orientation({{"irot", "\1"}}), 8);
    EXPECT_EQ(orientation({{"irot", "\2"}}), 3);
    EXPECT_EQ(orientation({{"irot", "\3"}}), 6);
    EXPECT_EQ(orientation({{"imir", "\1"}}), 2);
    EXPECT_EQ(orientation({{"imir", "\0"s}}), 4);
    EXPECT_EQ(orientation({{"irot", "\3"}, {"imir", "\1"}}), 5);
    EXPECT_EQ(orientation({{"pixi", "abc"}, {"irot", "\3"}, {"imir", "\0"s}}), 7);
    EXPECT_EQ(orientation({{"imir", "\1"}, {"irot", "\3"}}), 7) << "the order matters";
}

TEST(Heif, ItsExifDataAreAnItem) {
    const std::string tiff = exif(6, true), file = heif({{"irot", "\3"}}, tiff);
    EXPECT_EQ(text_of(exif_of_heif(span_of(file))), tiff);
    for (size_t end = 0; end < file.size(); ++end) {
        const std::string cut = file.substr(0, end);
        EXPECT_TRUE(exif_of_heif(span_of(cut)).empty()) << end;
        EXPECT_GE(orientation_in_heif(span_of(cut)), 1) << end;
    }
    const Codec* codec = codec_of_extension("a.hif");
    ASSERT_TRUE(codec);
    EXPECT_EQ(stored_orientation(*codec, span_of(file)), 1) << "its decoder has turned it already";
}

TEST(Heif, BrandsAndExtensionsAreRecognised) {
    for (const std::string brand : {"heic", "heix", "heim", "heis", "hevc", "mif1", "msf1", "avif", "avis"}) {
        const std::string head = heif_box("ftyp", brand + "\0\0\0\0"s);
        const Codec* codec = recognise(span_of(head), "download");
        ASSERT_TRUE(codec) << brand;
        EXPECT_EQ(codec->name, "HEIF") << brand;
    }
    for (const char* name : {"a.heic", "a.HEIF", "a.hif", "a.avif"}) EXPECT_TRUE(codec_of_extension(name)) << name;
}

#if TEXELSCOPE_WITH_OIIO
// Written here, if the library has an encoder. The last property, which the reader can do without, gives its place to others.
TEST(Heif, IsTurnedByItsDecoderWhichInfoSays) {
    const Folder folder;
    const std::string path = (folder / "a.heic").string();
    const auto output = OIIO::ImageOutput::create(path);
    OIIO::ImageSpec spec(64, 48, 3, OIIO::TypeDesc::UINT8);
    spec.attribute("Make", "Acme");
    spec.attribute("ExposureTime", 0.004f);
    std::vector<uint8_t> pixels;
    for (int i = 0; i < 64 * 48; ++i)
        pixels.insert(pixels.end(), {uint8_t(i % 64 * 4), uint8_t(i / 64 * 5), uint8_t(i * 255 / (64 * 48))});
    const bool written = output && output->open(path, spec) &&
                         output->write_image(OIIO::TypeDesc::UINT8, pixels.data()) && output->close();
    if (!written) GTEST_SKIP() << no_encoder;
    std::string bytes = content_of(path);
    // OpenImageIO 2.4 turns round the second number of the EXIF data, so that libheif does not find their beginning.
    if (const size_t at = bytes.find("Exif\0\0MM\x2a\0"s); at != std::string::npos)
        bytes.replace(at - 4, 14, big32(6) + "Exif\0\0MM\0\x2a"s);
    std::ofstream(path, std::ios::binary) << bytes;
    const size_t place = bytes.find("pixi");
    ASSERT_NE(place, std::string::npos);
    ASSERT_EQ(bytes.substr(place - 4, 4), big32(16));
    const Image stored = read_image(path);
    ASSERT_EQ(stored.width(), 64);

    EXPECT_EQ(metadata_value(read_facts(path).metadata, "Picture", "Turned"), "");
    EXPECT_EQ(metadata_value(read_facts(path).metadata, "EXIF", "Exposure time"), "1/250 s");
    for (const auto& [type, value, lies] :
         {std::tuple("irot", 3, 6), std::tuple("irot", 2, 3), std::tuple("irot", 1, 8), std::tuple("imir", 1, 2)}) {
        std::string turned = bytes;
        turned.replace(place, 12, type + std::string{char(value)} + std::string(7, '\0'));
        const auto file = folder.write("turned.heic", turned);
        EXPECT_TRUE(is_upright(read_image(file), stored, lies)) << type << value;
        const PictureFacts facts = read_facts(file);
        EXPECT_EQ(facts.shape.width, lies >= 5 ? 48 : 64);
        EXPECT_NE(metadata_value(facts.metadata, "Picture", "Turned").find("(" + std::to_string(lies) + ")"),
                  std::string::npos)
            << metadata_value(facts.metadata, "Picture", "Turned");
    }
}
#endif

#if TEXELSCOPE_WITH_HEIF
// Depths, ranges, matrices, alpha and parts of pictures that libheif's encoders wrote without loss.

using testing::HasSubstr;
using Numbers = std::function<int(int channel, int x, int y)>;

constexpr int coded_width = 64, coded_height = 64;  // libheif makes grids of smaller pictures

struct Coding {
    heif_compression_format format = heif_compression_HEVC;
    int bits = 8;
    heif_colorspace colours = heif_colorspace_RGB;
    heif_matrix_coefficients matrix = heif_matrix_coefficients_RGB_GBR;
    bool full_range = true, alpha = false, premultiplied = false;
    heif_chroma chroma = heif_chroma_444;
    int columns = coded_width;
};

template <auto Free> struct Frees {
    template <class T> void operator()(T* which) const { Free(which); }
};
template <class T, auto Free> using Owned = std::unique_ptr<T, Frees<Free>>;
using OwnedImage = Owned<heif_image, heif_image_release>;

void good(const heif_error& error) {
    if (error.code != heif_error_Ok) throw std::runtime_error(error.message);
}

std::vector<heif_channel> channels_of(const Coding& coding) {
    std::vector<heif_channel> channels = {heif_channel_Y};
    if (coding.colours == heif_colorspace_RGB) channels = {heif_channel_R, heif_channel_G, heif_channel_B};
    if (coding.colours == heif_colorspace_YCbCr) channels = {heif_channel_Y, heif_channel_Cb, heif_channel_Cr};
    if (coding.alpha) channels.push_back(heif_channel_Alpha);
    return channels;
}

bool is_chroma(heif_channel channel) { return channel == heif_channel_Cb || channel == heif_channel_Cr; }

OwnedImage image_of(const Coding& coding, const Numbers& numbers) {
    heif_image* made = nullptr;
    good(heif_image_create(coding.columns, coded_height, coding.colours,
                           coding.colours == heif_colorspace_monochrome ? heif_chroma_monochrome : coding.chroma,
                           &made));
    OwnedImage image(made);
    const auto channels = channels_of(coding);
    for (size_t c = 0; c < channels.size(); ++c) {
        const int step = coding.chroma == heif_chroma_420 && is_chroma(channels[c]) ? 2 : 1;
        good(heif_image_add_plane(made, channels[c], coding.columns / step, coded_height / step, coding.bits));
        int stride = 0;
        uint8_t* const plane = heif_image_get_plane(made, channels[c], &stride);
        for (int y = 0; y < coded_height / step; ++y)
            for (int x = 0; x < coding.columns / step; ++x)
                if (coding.bits > 8)
                    reinterpret_cast<uint16_t*>(plane + y * stride)[x] = uint16_t(numbers(int(c), x, y));
                else plane[y * stride + x] = uint8_t(numbers(int(c), x, y));
    }
    if (coding.premultiplied) heif_image_set_premultiplied_alpha(made, 1);
    return image;
}

// The bytes of a file; empty if there is no such encoder here.
std::string heif_of(const Coding& coding, const std::vector<Numbers>& pictures) {
    const Owned<heif_context, heif_context_free> context(heif_context_alloc());
    heif_encoder* found = nullptr;
    if (heif_context_get_encoder_for_format(context.get(), coding.format, &found).code != heif_error_Ok) return {};
    const Owned<heif_encoder, heif_encoder_release> encoder(found);
    good(heif_encoder_set_lossless(found, 1));
    good(heif_encoder_set_parameter_string(found, "chroma", coding.chroma == heif_chroma_420 ? "420" : "444"));
    const Owned<heif_color_profile_nclx, heif_nclx_color_profile_free> colour(heif_nclx_color_profile_alloc());
    colour->color_primaries = heif_color_primaries_ITU_R_BT_709_5;
    colour->transfer_characteristics = heif_transfer_characteristic_IEC_61966_2_1;
    colour->matrix_coefficients = coding.matrix;
    colour->full_range_flag = coding.full_range;
    const Owned<heif_encoding_options, heif_encoding_options_free> options(heif_encoding_options_alloc());
    options->output_nclx_profile = colour.get();
    options->macOS_compatibility_workaround_no_nclx_profile = 0;
    for (const Numbers& numbers : pictures) {
        const OwnedImage image = image_of(coding, numbers);
        good(heif_image_set_nclx_color_profile(image.get(), colour.get()));
        good(heif_context_encode_image(context.get(), image.get(), found, options.get(), nullptr));
    }
    std::string bytes;
    heif_writer writer{1, [](heif_context*, const void* data, size_t size, void* to) {
                           static_cast<std::string*>(to)->append(static_cast<const char*>(data), size);
                           return heif_error{heif_error_Ok, heif_suberror_Unspecified, ""};
                       }};
    good(heif_context_write(context.get(), &writer, &bytes));
    return bytes;
}

class HeifPictures : public testing::Test {
protected:
    // Writes a file; false if this kind cannot be written here.
    bool write(const Coding& coding, const std::vector<Numbers>& pictures) {
        const std::string bytes = heif_of(coding, pictures);
        path_ = folder_.write(coding.format == heif_compression_AV1 ? "a.avif" : "a.heic", bytes);
        return !bytes.empty();
    }
    std::string depth() const { return metadata_value(read_facts(path_).metadata, "Picture", "Depth"); }

    Folder folder_;
    std::filesystem::path path_;
};

constexpr double of_float = 6e-8;  // the rounding of a value in [0, 1]
constexpr heif_compression_format both_formats[] = {heif_compression_HEVC, heif_compression_AV1};

// Samples are round(v · 65535 / (2^bits − 1)), or the number itself for 8 bits.
TEST_F(HeifPictures, RgbOfEveryDepthIsReadWithoutLoss) {
    for (const int bits : {8, 10, 12}) {
        SCOPED_TRACE(bits);
        const int most = (1 << bits) - 1;
        const auto number = [most](int c, int x, int y) { return (x * 67 + y * 131 + c * 977) % (most + 1); };
        if (!write({.bits = bits}, {number})) GTEST_SKIP() << no_encoder;
        const Image image = read_image_in_process(path_);
        ASSERT_EQ(image.type(), bits > 8 ? SampleType::u16 : SampleType::u8);
        ASSERT_EQ(image.channels(), 3);
        int wrong = 0;
        for (int y = 0; y < coded_height; ++y)
            for (int x = 0; x < coded_width; ++x)
                for (int c = 0; c < 3; ++c) {
                    const double value = double(number(c, x, y)) / most;
                    wrong += bits > 8 ? image.row_as<uint16_t>(y)[3 * x + c] != std::lround(value * 65535)
                                      : image.row_as<uint8_t>(y)[3 * x + c] != number(c, x, y);
                }
        EXPECT_EQ(wrong, 0);
        EXPECT_EQ(depth(), bits > 8 ? fmt::format("{} bits, spread over 16", bits) : "");
    }
}

struct Matrix {
    heif_matrix_coefficients number;
    double red, blue;  // their shares in luminance
};
constexpr Matrix bt709{heif_matrix_coefficients_ITU_R_BT_709_5, 0.2126, 0.0722},
    bt601{heif_matrix_coefficients_ITU_R_BT_601_6, 0.299, 0.114},
    bt2020{heif_matrix_coefficients_ITU_R_BT_2020_2_non_constant_luminance, 0.2627, 0.0593};

// H.273: E'R = E'Y + 2(1 − K_R)·E'PR, E'B = E'Y + 2(1 − K_B)·E'PB, and G from E'Y = K_R·E'R + K_G·E'G + K_B·E'B.
std::array<double, 3> colours_of(const std::array<int, 3>& numbers, const Matrix& matrix, const Coding& coding) {
    const double scale = 1 << (coding.bits - 8), most = (1 << coding.bits) - 1;
    const auto chroma = [&](int number) { return (number - 128 * scale) / (coding.full_range ? most : 224 * scale); };
    const double y = coding.full_range ? numbers[0] / most : (numbers[0] - 16 * scale) / (219 * scale);
    const double r = y + 2 * (1 - matrix.red) * chroma(numbers[2]), b = y + 2 * (1 - matrix.blue) * chroma(numbers[1]);
    return {r, (y - matrix.red * r - matrix.blue * b) / (1 - matrix.red - matrix.blue), b};
}

TEST_F(HeifPictures, LuminanceAndChromaBecomeTheColoursOfTheirMatrixAndRange) {
    struct Case {
        heif_compression_format format;
        Matrix matrix;
        int bits;
        heif_chroma chroma;
    };
    for (const auto& [format, matrix, bits, chroma] : {Case{heif_compression_HEVC, bt709, 8, heif_chroma_444},
                                                       Case{heif_compression_HEVC, bt601, 8, heif_chroma_420},
                                                       Case{heif_compression_HEVC, bt2020, 10, heif_chroma_444},
                                                       Case{heif_compression_HEVC, bt709, 12, heif_chroma_420},
                                                       Case{heif_compression_AV1, bt709, 8, heif_chroma_420},
                                                       Case{heif_compression_AV1, bt2020, 12, heif_chroma_420}})
        for (const bool full : {true, false}) {
            SCOPED_TRACE(fmt::format("format {} matrix {} bits {} chroma {} full {}", int(format), int(matrix.number),
                                     bits, int(chroma), full));
            const Coding coding{format, bits, heif_colorspace_YCbCr, matrix.number, full, false, false, chroma};
            const int scale = 1 << (bits - 8);
            const auto number = [scale](int c, int x, int y) {
                return scale * (c == 0 ? 60 + x + y / 2 : c == 1 ? 110 + x % 32 : 140 - y % 16);
            };
            if (!write(coding, {number})) continue;
            const Image image = read_image_in_process(path_);
            ASSERT_EQ(image.channels(), 3);
            const int step = chroma == heif_chroma_420 ? 2 : 1;
            double largest = 0;
            for (int y = 0; y < coded_height; ++y)
                for (int x = 0; x < coded_width; ++x) {
                    const auto wanted =
                        colours_of({number(0, x, y), number(1, x / step, y / step), number(2, x / step, y / step)},
                                   matrix, coding);
                    for (int c = 0; c < 3; ++c)
                        largest = std::max(
                            largest, std::abs(double(image.value(x, y, c)) - std::clamp(wanted[size_t(c)], 0.0, 1.0)));
                }
            EXPECT_LE(largest, 0.5 / (bits > 8 ? 65535 : 255) + of_float);
        }
}

TEST_F(HeifPictures, GreyIsOneChannelOfItsRange) {
    for (const auto format : both_formats)
        for (const bool full : {true, false}) {
            SCOPED_TRACE(fmt::format("format {} full {}", int(format), full));
            const auto number = [](int, int x, int y) { return 16 + (3 * x + y) % 220; };
            if (!write({format, 8, heif_colorspace_monochrome, heif_matrix_coefficients_ITU_R_BT_601_6, full},
                       {number}))
                continue;
            const Image image = read_image(path_);
            ASSERT_EQ(image.channels(), 1);
            double largest = 0;
            for (int y = 0; y < coded_height; ++y)
                for (int x = 0; x < coded_width; ++x) {
                    const double wanted = full ? number(0, x, y) / 255.0 : (number(0, x, y) - 16) / 219.0;
                    largest = std::max(largest, std::abs(double(image.value(x, y, 0)) - wanted));
                }
            EXPECT_LE(largest, 0.5 / 255 + of_float);
        }
}

// libheif decodes cropped tiles to R, G and B, even if they are grey.
TEST_F(HeifPictures, GreyOfTilesIsOneChannel) {
    constexpr int columns = 65;
    for (const int bits : {8, 10}) {
        const auto number = [bits](int, int x, int y) { return (3 * x + y) % (1 << bits); };
        Coding coding{.bits = bits, .colours = heif_colorspace_monochrome, .columns = columns};
        coding.matrix = heif_matrix_coefficients_ITU_R_BT_601_6;
        if (!write(coding, {number})) GTEST_SKIP() << no_encoder;
        const Image image = read_image(path_);
        ASSERT_EQ(image.channels(), 1);
        ASSERT_EQ(image.width(), columns);
        int wrong = 0;
        for (int y = 0; y < coded_height; ++y)
            for (int x = 0; x < columns; ++x)
                wrong += bits > 8 ? image.row_as<uint16_t>(y)[x] != std::lround(number(0, x, y) * 65535.0 / 1023)
                                  : image.row_as<uint8_t>(y)[x] != number(0, x, y);
        EXPECT_EQ(wrong, 0) << bits;
    }
}

TEST_F(HeifPictures, AlphaIsOfTheKindThatTheFileSays) {
    for (const bool premultiplied : {false, true}) {
        const auto number = [](int c, int x, int y) { return c == 3 ? 255 - 3 * x : (x + 2 * y + 5 * c) % 60; };
        if (!write({heif_compression_HEVC, 8, heif_colorspace_RGB, heif_matrix_coefficients_RGB_GBR, true, true,
                    premultiplied},
                   {number}))
            GTEST_SKIP() << no_encoder;
        const Image image = read_image(path_);
        ASSERT_EQ(image.channels(), 4);
        EXPECT_EQ(image.alpha(), premultiplied ? Alpha::premultiplied : Alpha::straight);
        int wrong = 0;
        for (int y = 0; y < coded_height; ++y)
            for (int x = 0; x < coded_width; ++x)
                for (int c = 0; c < 4; ++c) wrong += image.row_as<uint8_t>(y)[4 * x + c] != number(c, x, y);
        EXPECT_EQ(wrong, 0);
        const Image chosen = read_image(path_, {.choice = {.channels = {"A", "G"}}});
        EXPECT_EQ(chosen.row_as<uint8_t>(3)[2 * 5], number(3, 5, 3));
        EXPECT_EQ(chosen.row_as<uint8_t>(3)[2 * 5 + 1], number(1, 5, 3));
    }
}

TEST_F(HeifPictures, SeveralPicturesAreParts) {
    const auto picture = [](int which) {
        return [which](int c, int x, int y) { return 40 * which + c + (x + y) % 30; };
    };
    if (!write({}, {picture(1), picture(2), picture(3)})) GTEST_SKIP() << no_encoder;
    EXPECT_EQ(read_facts(path_).parts.size(), 3u);
    for (const int which : {1, 2, 3}) {
        const Image image = read_image(path_, {.choice = {.part = std::to_string(which)}});
        EXPECT_EQ(image.row_as<uint8_t>(7)[3 * 9 + 2], picture(which)(2, 9, 7)) << which;
    }
    EXPECT_THAT(refusal([&] { read_image(path_, {.choice = {.part = "4"}}); }), HasSubstr("its parts are 1 to 3"));
}

TEST_F(HeifPictures, AMatrixOfConstantLuminanceIsRefused) {
    const auto number = [](int, int x, int y) { return 100 + (x + y) % 32; };
    if (!write({heif_compression_HEVC, 8, heif_colorspace_YCbCr,
                heif_matrix_coefficients_ITU_R_BT_2020_2_constant_luminance},
               {number}))
        GTEST_SKIP() << no_encoder;
    EXPECT_THAT(refusal([&] { read_image(path_); }), HasSubstr("matrix 10 of ITU-T H.273"));
}

TEST_F(HeifPictures, WhatIsCutOffOrDamagedIsOneSentenceOrAPicture) {
    if (!write({}, {[](int c, int x, int y) { return (c + x * y) % 256; }})) GTEST_SKIP() << no_encoder;
    const std::string whole = content_of(path_);
    for (size_t size = 16; size < whole.size(); size += std::max<size_t>(1, whole.size() / 40)) {
        const std::string problem = refusal([&] { read_image(folder_.write("cut.heic", whole.substr(0, size))); });
        EXPECT_THAT(problem, HasSubstr("cut.heic: ")) << size;
        EXPECT_EQ(problem.find('\n'), problem.npos);
    }
}

#endif

}  // namespace
}  // namespace texelscope::test
