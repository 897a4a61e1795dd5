// What files say about their colours, in files written byte by byte as their standards say.

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include "app/files/colour/icc_conversion.h"
#include "app/files/reading/image_files.h"
#include "gpu/core/image.h"
#include "tests/files/pixels.h"
#include "tests/support/encoded_files.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;

std::string profile_text(size_t bytes) {
    std::string text;
    for (size_t i = 0; i < bytes; ++i) text += char(i * 7 + i / 251);
    return text;
}

std::string big(uint64_t value, int bytes) {
    std::string text;
    for (int i = bytes - 1; i >= 0; --i) text += char(value >> (8 * i));
    return text;
}

std::string little(uint64_t value, int bytes) {
    std::string text = big(value, bytes);
    return {text.rbegin(), text.rend()};
}

ByteSpan span_over(const std::string& text) { return {reinterpret_cast<const std::byte*>(text.data()), text.size()}; }

std::string icc_in(const std::string& file) {
    const auto profile = colour_tags(span_over(file));
    if (!profile) return "none";
    return {reinterpret_cast<const char*>(profile->icc.data()), profile->icc.size()};
}

// ICC.1:2010, annex B.4: APP2 segments with a number and a count.
std::string jpeg_with(const std::vector<std::string>& pieces) {
    std::string file = "\xff\xd8\xff\xe0\0\x04zz"s;
    for (size_t i = 0; i < pieces.size(); ++i)
        file += "\xff\xe2" + big(2 + 14 + pieces[i].size(), 2) + "ICC_PROFILE\0"s + char(i + 1) + char(pieces.size()) +
                pieces[i];
    return file + "\xff\xda\0\x02";
}

std::string chunk_without_checksum(const std::string& type, const std::string& data) {
    return big(data.size(), 4) + type + data + "crc!";
}

std::string png_with(const std::string& chunks) {
    return "\x89PNG\r\n\x1a\n"s + chunk_without_checksum("IHDR", std::string(13, '\1')) + chunks +
           chunk_without_checksum("IDAT", "x");
}

std::string deflated(const std::string& text) {
    std::string result(compressBound(text.size()), '\0');
    uLongf size = result.size();
    compress(reinterpret_cast<Bytef*>(result.data()), &size, reinterpret_cast<const Bytef*>(text.data()), text.size());
    return result.substr(0, size);
}

std::string iccp(const std::string& profile) { return chunk_without_checksum("iCCP", "name\0\0"s + deflated(profile)); }

TEST(ColourTags, OfJpegAreItsPiecesInOrder) {
    const std::string profile = profile_text(100000);
    EXPECT_EQ(icc_in(jpeg_with({profile.substr(0, 65000), profile.substr(65000)})), profile);
    EXPECT_EQ(icc_in(jpeg_with({})), "none");
    EXPECT_EQ(icc_in("\xff\xd8\xff\xda\0\x02"s + jpeg_with({profile_text(20)})), "none") << "after the picture";
}

TEST(ColourTags, OfPngAreInflated) {
    const std::string profile = profile_text(200000);
    EXPECT_EQ(icc_in(png_with(iccp(profile))), profile);
    EXPECT_EQ(icc_in(png_with(chunk_without_checksum("gAMA", big(100000, 4)) + iccp(profile))), profile)
        << "iCCP comes first";
    EXPECT_NE(icc_in(png_with(chunk_without_checksum("iCCP", "name\0\0garbage"s))), "none") << "damaged is not absent";
}

TEST(ColourTags, OfPngAreAlsoGammaAndChromaticities) {
    const auto gamma = colour_tags(span_over(png_with(chunk_without_checksum("gAMA", big(50000, 4)))));
    ASSERT_TRUE(gamma);
    EXPECT_DOUBLE_EQ(gamma->exponent, 2);
    EXPECT_EQ(gamma->chromaticities, ColourProfile().chromaticities);
    std::string values;
    for (const int v : {31270, 32900, 64000, 33000, 21000, 71000, 15000, 6000}) values += big(uint64_t(v), 4);
    const auto both = colour_tags(
        span_over(png_with(chunk_without_checksum("gAMA", big(45455, 4)) + chunk_without_checksum("cHRM", values))));
    ASSERT_TRUE(both);
    EXPECT_EQ(both->exponent, 0) << "45455 means the curve of sRGB";
    EXPECT_EQ(both->chromaticities, (std::array<double, 8>{0.64, 0.33, 0.21, 0.71, 0.15, 0.06, 0.3127, 0.329}));
    const auto srgb = colour_tags(
        span_over(png_with(chunk_without_checksum("gAMA", big(50000, 4)) + chunk_without_checksum("sRGB", "\0"s))));
    ASSERT_TRUE(srgb);
    EXPECT_EQ(srgb->exponent, 0) << "sRGB overrules gAMA";
    EXPECT_EQ(icc_in(png_with("")), "none");
}

TEST(ColourTags, OfTiffInBothByteOrdersAndSizes) {
    const std::string profile = profile_text(3000);
    EXPECT_EQ(icc_in("II*\0"s + little(8, 4) + little(1, 2) + little(34675, 2) + little(7, 2) +
                     little(profile.size(), 4) + little(26, 4) + little(0, 4) + profile),
              profile);
    EXPECT_EQ(icc_in("MM\0*"s + big(8, 4) + big(1, 2) + big(34675, 2) + big(7, 2) + big(profile.size(), 4) +
                     big(26, 4) + big(0, 4) + profile),
              profile);
    EXPECT_EQ(icc_in("II+\0"s + little(8, 2) + little(0, 2) + little(16, 8) + little(1, 8) + little(34675, 2) +
                     little(7, 2) + little(profile.size(), 8) + little(44, 8) + profile),
              profile);
}

TEST(ColourTags, OfWebpAndHeif) {
    const std::string profile = profile_text(501);
    EXPECT_EQ(
        icc_in("RIFF\0\0\0\0WEBPVP8X"s + little(10, 4) + std::string(10, 'v') + "ICCP" + little(501, 4) + profile),
        profile);
    const auto box = [](const std::string& type, const std::string& data) {
        return big(8 + data.size(), 4) + type + data;
    };
    const std::string properties =
        box("ipco", box("ispe", "12345678") + box("colr", "nclx1234567") + box("colr", "prof" + profile));
    EXPECT_EQ(icc_in(box("ftyp", "heic") + box("free", "") +
                     box("meta", "\0\0\0\0"s + box("hdlr", "x") + box("iprp", properties))),
              profile);
}

TEST(ColourTags, OfOpenExrAreChromaticities) {
    const float values[8] = {0.7347f, 0.2653f, 0, 1, 0.0001f, -0.077f, 0.32168f, 0.33767f};  // ACES AP0
    std::string data(32, '\0');
    std::memcpy(data.data(), values, 32);
    const std::string head = "\x76\x2f\x31\x01\2\0\0\0"s, other = "compression\0compression\0"s + little(1, 4) + "\3";
    const auto profile =
        colour_tags(span_over(head + other + "chromaticities\0chromaticities\0"s + little(32, 4) + data + "\0"s));
    ASSERT_TRUE(profile);
    EXPECT_TRUE(profile->linear_light);
    for (size_t i = 0; i < 8; ++i) EXPECT_EQ(profile->chromaticities[i], double(values[i]));
    const auto plain = colour_tags(span_over(head + other + "\0"s));
    ASSERT_TRUE(plain) << "linear light by its specification";
    EXPECT_TRUE(plain->linear_light);
    EXPECT_EQ(plain->chromaticities, ColourProfile().chromaticities);
}

TEST(ColourTags, OfRadianceHdrAreLinearLightAndItsPrimaries) {
    const std::string head = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n", picture = "\n-Y 1 +X 1\nabcd";
    const auto given =
        colour_tags(span_over(head + "PRIMARIES= 0.640 0.330 0.290 0.600\t0.150 0.060 0.333 0.333\n" + picture));
    ASSERT_TRUE(given);
    EXPECT_TRUE(given->linear_light);
    EXPECT_EQ(given->chromaticities, (std::array<double, 8>{0.64, 0.33, 0.29, 0.6, 0.15, 0.06, 0.333, 0.333}));
    for (const std::string& file : {head + picture, head + "PRIMARIES= 0.64 0.33\n" + picture,
                                    head + "\nPRIMARIES= 1 2 3 4 5 6 7 8\n", "#?RGBE\n" + picture, head}) {
        const auto plain = colour_tags(span_over(file));
        ASSERT_TRUE(plain);
        EXPECT_TRUE(plain->linear_light);
        EXPECT_EQ(plain->chromaticities, ColourProfile().chromaticities);
    }
    EXPECT_FALSE(colour_tags(span_over("PF\n1 1\n-1.0\n............"s))) << "PFM holds data";
}

// Cut off anywhere, with any byte changed.
TEST(ColourTags, OfDamagedFilesDoNoHarm) {
    const std::string profile = profile_text(300);
    std::mt19937 random(3);
    for (const std::string& file : {jpeg_with({profile, profile}), png_with(iccp(profile)),
                                    "II*\0"s + little(8, 4) + little(1, 2) + little(34675, 2) + little(7, 2) +
                                        little(300, 4) + little(26, 4) + profile})
        for (size_t i = 0; i < file.size(); ++i) {
            colour_tags(span_over(file.substr(0, i)));
            std::string changed = file;
            changed[i] = char(random());
            colour_tags(span_over(changed));
        }
}

// The picture and its profile come together, whoever decodes the picture.
TEST(ColourTags, OfBmpOfVersion5) {
    const auto bmp = [](const std::string& kind, int header) {
        return "BM"s + std::string(12, '\0') + little(uint64_t(header), 4) + std::string(52, '\0') + kind +
               std::string(size_t(header) - 72, '\0') + little(uint64_t(header), 4) + little(200, 4) + little(0, 4) +
               profile_text(200);
    };
    EXPECT_EQ(icc_in(bmp("DEBM", 124)), profile_text(200));  // "MBED" as a number, the low byte first
    EXPECT_EQ(icc_in(bmp("BGRs", 124)), "");                 // sRGB
    EXPECT_EQ(icc_in(bmp("\0\0\0\0"s, 124)), "none");
}

TEST(ColourTags, OfPsdAreAResource) {
    const auto psd = [](int mode, const std::string& resources) {
        return "8BPS"s + std::string(20, '\0') + big(uint64_t(mode), 2) + big(3, 4) + "abc" + big(resources.size(), 4) +
               resources;
    };
    const auto resource = [](int id, const std::string& name, const std::string& data) {
        return "8BIM" + big(uint64_t(id), 2) + name + big(data.size(), 4) + data + (data.size() % 2 ? "\0"s : ""s);
    };
    const std::string others = resource(1005, "\0\0"s, "abc") + resource(1006, "\3abc"s, "abcd");
    EXPECT_EQ(icc_in(psd(3, others + resource(1039, "\0\0"s, profile_text(300)))), profile_text(300));
    EXPECT_EQ(icc_in(psd(3, others)), "none");
    EXPECT_EQ(icc_in(psd(9, others)), "");  // CIELab becomes sRGB
    const std::string inks = std::string(16, 'x') + "CMYK" + profile_text(100);
    EXPECT_TRUE(colour_tags(span_over(psd(4, resource(1039, "\0\0"s, inks))))->applied);
    EXPECT_FALSE(colour_tags(span_over(psd(3, resource(1039, "\0\0"s, inks))))->applied);
}

TEST(ColourTags, ComeWithThePicture) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("texelscope-tags-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    const std::filesystem::path plain = folder / "plain.png", tagged = folder / "tagged.png";
    write_image(Image(3, 2, 3, SampleType::u8), plain);
    std::ifstream in(plain, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), {});
    constexpr size_t after_header = 8 + 25;
    const std::string profile = profile_text(5000), type_and_data = "iCCP" + ("name\0\0"s + deflated(profile));
    const uint32_t crc =
        uint32_t(crc32(0, reinterpret_cast<const Bytef*>(type_and_data.data()), uInt(type_and_data.size())));
    bytes.insert(after_header, big(type_and_data.size() - 4, 4) + type_and_data + big(crc, 4));
    std::ofstream(tagged, std::ios::binary) << bytes;
    const Image image = read_image(tagged);
    std::filesystem::remove_all(folder);
    ASSERT_TRUE(image.profile());
    EXPECT_EQ(image.profile()->icc.size(), profile.size());
    EXPECT_EQ(image.width(), 3);
}

}  // namespace

// TIFF in other colours than RGB, against the specification's formulas and known colours.

namespace {

using testing::Each;
using testing::ElementsAre;
using enum TiffText::Type;

class TiffColours : public TiffReading {
protected:
    static void expect_near(const Image& image, const std::vector<float>& expected, float tolerance) {
        const std::vector<float> values = values_of(image);
        ASSERT_EQ(values.size(), expected.size());
        for (size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], tolerance) << i;
    }
};

// The red, green and blue of sRGB in Lab relative to D50, by Bradford's adaptation (Lindbloom's tables).
constexpr float primaries[3][3] = {{54.29f, 80.81f, 69.89f}, {87.82f, -79.27f, 80.99f}, {29.57f, 68.30f, -112.03f}};

TEST_F(TiffColours, CielabBecomesSrgb) {
    TiffText eight(3, 1);
    eight.set(258, {8, 8, 8}).set(262, {8}).set(277, {3});
    const Image greys = read(eight.file(std::string("\xff\0\0\x89\0\0\0\0\0", 9)));
    EXPECT_EQ(greys.type(), SampleType::u16);
    expect_near(greys, {1, 1, 1, 0.502f, 0.502f, 0.502f, 0, 0, 0}, 0.003f);
    EXPECT_EQ(samples<uint16_t>(greys)[0], 65535);
    EXPECT_EQ(samples<uint16_t>(greys)[1], 65535);
    EXPECT_EQ(samples<uint16_t>(greys)[2], 65535);

    for (const bool icc : {false, true}) {
        TiffText sixteen(3, 1);
        sixteen.set(258, {16, 16, 16}).set(262, {icc ? 9u : 8u}).set(277, {3});
        std::vector<uint64_t> numbers;
        for (const auto& [l, a, b] : primaries) {
            numbers.push_back(uint64_t(l / 100 * (icc ? 65280 : 65535)));
            for (const float chroma : {a, b})
                numbers.push_back(uint64_t(int64_t(chroma * 256) + (icc ? 32768 : 0)) & 65535);
        }
        expect_near(read(sixteen.file(each(sixteen, numbers, 2))), {1, 0, 0, 0, 1, 0, 0, 0, 1}, 0.02f);
    }
    TiffText icc8(1, 1);
    icc8.set(258, {8, 8, 8}).set(262, {9}).set(277, {3});
    expect_near(read(icc8.file("\xff\x80\x80")), {1, 1, 1}, 1e-5f);
}

TEST_F(TiffColours, CielabAsFloatsIsTheSame) {
    TiffText text(1, 1);
    text.set(258, {32, 32, 32}).set(262, {8}).set(277, {3}).set(339, {3, 3, 3});
    std::vector<uint64_t> bits;
    for (const float value : primaries[0]) bits.push_back(std::bit_cast<uint32_t>(value));
    expect_near(read(text.file(each(text, bits, 4))), {1, 0, 0}, 0.01f);
}

TEST_F(TiffColours, CielabOfLightnessAloneIsGrey) {
    TiffText text(2, 1);
    text.set(258, {8}).set(262, {8});
    const Image image = read(text.file(std::string("\xff\0", 2)));
    EXPECT_EQ(image.channels(), 1);
    EXPECT_THAT(samples<uint16_t>(image), ElementsAre(65535, 0));
}

TEST_F(TiffColours, InksBecomeRgb) {
    TiffText eight(2, 1);
    eight.set(258, {8, 8, 8, 8}).set(262, {5}).set(277, {4});
    EXPECT_THAT(samples<uint8_t>(read(eight.file(std::string("\0\0\0\0\xff\x33\0\x66", 8)))),
                ElementsAre(255, 255, 255, 0, 122, 153));  // (1 − ink) · (1 − black)
    TiffText sixteen(1, 1);
    sixteen.set(258, {16, 16, 16, 16}).set(262, {5}).set(277, {4});
    EXPECT_THAT(samples<uint16_t>(read(sixteen.file(each(sixteen, {0, 65535, 0x3333, 0x3333}, 2)))),
                ElementsAre(52428, 0, 41942));
    TiffText five(1, 1);
    five.set(258, {8, 8, 8, 8, 8}).set(262, {5}).set(277, {5}).set(338, {2});
    const Image with_alpha = read(five.file(std::string("\0\0\0\0\x80", 5)));
    EXPECT_EQ(with_alpha.alpha(), Alpha::straight);
    EXPECT_THAT(samples<uint8_t>(with_alpha), ElementsAre(255, 255, 255, 128));
}

TEST_F(TiffColours, InksBecomeSrgbByTheirProfile) {
    const Bytes icc = bytes_of(inks_profile().get());
    const std::array<uint8_t, 4> inks = {40, 200, 90, 30};
    TiffText text(1, 1);
    text.set(258, {8, 8, 8, 8}).set(262, {5}).set(277, {4});
    text.set(34675,
             std::vector<uint32_t>(reinterpret_cast<const uint8_t*>(icc.data()),
                                   reinterpret_cast<const uint8_t*>(icc.data()) + icc.size()),
             byte_type);
    const Image image = read_image(write(text.file(std::string(inks.begin(), inks.end()))));
    ASSERT_TRUE(image.profile());
    EXPECT_TRUE(image.profile()->applied);
    cmsHPROFILE from = cmsOpenProfileFromMem(icc.data(), cmsUInt32Number(icc.size())), to = cmsCreate_sRGBProfile();
    cmsHTRANSFORM transform = cmsCreateTransform(from, TYPE_CMYK_8, to, TYPE_RGB_8, 0, cmsFLAGS_NOOPTIMIZE);
    std::array<uint8_t, 3> rgb{};
    cmsDoTransform(transform, inks.data(), rgb.data(), 1);
    cmsDeleteTransform(transform);
    cmsCloseProfile(from);
    cmsCloseProfile(to);
    for (size_t c = 0; c < 3; ++c) EXPECT_NEAR(samples<uint8_t>(image)[c], rgb[c], 1);
}

TEST_F(TiffColours, OtherInksKeepTheirValues) {
    TiffText text(1, 1);
    text.set(258, {8, 8}).set(262, {5}).set(277, {2}).set(332, {2}).set(334, {2});
    const Image image = read(text.file("ab"));
    EXPECT_THAT(samples<uint8_t>(image), ElementsAre('a', 'b'));
}

// Section 21 gives the formulas, with the coefficients 0.299, 0.587, 0.114.
TEST_F(TiffColours, SubsampledYcbcrBecomesRgb) {
    const auto expected = [](double y, double cb, double cr) {
        cb = (cb - 128), cr = (cr - 128);
        const double r = cr * (2 - 2 * 0.299) + y, b = cb * (2 - 2 * 0.114) + y;
        const double g = (y - 0.114 * b - 0.299 * r) / 0.587;
        std::vector<float> rgb;
        for (const double value : {r, g, b}) rgb.push_back(float(std::clamp(value, 0.0, 255.0) / 255));
        return rgb;
    };
    // 3×2 samples in blocks of 2×2; the second block reaches beyond the picture.
    TiffText text(3, 2);
    text.set(258, {8, 8, 8}).set(262, {6}).set(277, {3}).set(530, {2, 2});
    const auto block = [](std::initializer_list<int> numbers) { return std::string(numbers.begin(), numbers.end()); };
    const Image image = read(text.file(block({10, 60, 110, 160, 100, 200}) + block({200, 0, 250, 0, 128, 90})));
    std::vector<float> all;
    for (const auto& [y, cb, cr] :
         {std::array{10, 100, 200}, {60, 100, 200}, {200, 128, 90}, {110, 100, 200}, {160, 100, 200}, {250, 128, 90}})
        for (const float value : expected(y, cb, cr)) all.push_back(value);
    expect_near(image, all, 0.5f / 255 + 1e-4f);

    TiffText full(1, 1);
    full.set(258, {8, 8, 8}).set(262, {6}).set(277, {3}).set(530, {1, 1});
    expect_near(read(full.file(block({60, 100, 200}))), expected(60, 100, 200), 0.5f / 255 + 1e-4f);
    // The tag sets black to 16 and white to 235, as in video.
    full.set(532, {16, 1, 235, 1, 128, 1, 240, 1, 128, 1, 240, 1}, TiffText::rational_type);
    expect_near(read(full.file(block({235, 128, 128, 0}))), {1, 1, 1}, 1e-4f);
}

}  // namespace
}  // namespace texelscope::test
