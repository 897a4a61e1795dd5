// TIFF in other colours than RGB, against the specification's formulas and known colours.

#include <array>

#include <gmock/gmock.h>

#include "gpu/core/image.h"
#include "tests/files/tiff_reading.h"
#include "tests/support/icc_profiles.h"

namespace texelscope::test {
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
