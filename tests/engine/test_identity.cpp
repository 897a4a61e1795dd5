// At scale 1, no rotation, no translation and equal sizes the result is the image.

#include <gtest/gtest.h>

#include <cstring>
#include <utility>

#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/compare.h"
#include "tests/support/exact_tolerance.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

class Identity : public OnMethod {
protected:
    void SetUp() override {
        OnMethod::SetUp();
        if (IsSkipped()) return;
        if (!method().interpolating) GTEST_SKIP() << method().id << " does not pass through the samples";
        if (method().has_prefilter() && path() == FetchPath::hardware)
            GTEST_SKIP() << "the texture unit's 8-bit weights do not pass through the samples exactly";
    }

    Image rendered(const Image& image, const AddressPair& address = {}) {
        RenderRequest request = beyond_borders(spec(), image.width(), image.height(), 0);
        request.spec.address = address;
        return SourceImage(backend_, image).render_to_image(request);
    }
};

constexpr std::pair<int, int> sizes[] = {{61, 47}, {1, 1}, {1, 33}, {33, 1}, {2, 2}, {64, 64}};

TEST_P(Identity, EightAndSixteenBitImagesComeBackBitForBit) {
    for (const SampleType type : {SampleType::u8, SampleType::u16})
        for (int channels = 1; channels <= 4; ++channels)
            for (const auto& [width, height] : sizes)
                for (const AddressMode mode : all_address_modes) {
                    const Image image = noise(width, height, channels, type, 7);
                    const Image back = converted(rendered(image, {mode, mode}), type);
                    ASSERT_EQ(0, std::memcmp(back.data(), image.data(), image.size_bytes()))
                        << describe(image) << " " << name_of(mode);
                }
}

TEST_P(Identity, FloatImagesComeBackExactlyAndPrefilteredOnesTo2e6) {
    const double allowed = method().has_prefilter() ? exact_tolerance(spec()) : 0;
    for (const SampleType type : {SampleType::f16, SampleType::f32})
        for (int channels = 1; channels <= 4; ++channels)
            for (const auto& [width, height] : sizes) {
                const Image image = noise(width, height, channels, type, 8);
                EXPECT_LE(between(rendered(image), image).error, allowed) << describe(image);
            }
}

// The integers' float values are exact as well: value / max, rounded once.
TEST_P(Identity, IntegersAreReadAsTheirShareOfTheMaximum) {
    if (method().has_prefilter()) return;
    Image bytes(256, 1, 1, SampleType::u8), words(256, 256, 1, SampleType::u16);
    for (int v = 0; v < 256; ++v) bytes.row_as<uint8_t>(0)[v] = uint8_t(v);
    for (int v = 0; v < 65536; ++v) words.row_as<uint16_t>(v / 256)[v % 256] = uint16_t(v);
    EXPECT_LE(between(rendered(bytes), bytes).error, 0x1p-24);
    EXPECT_LE(between(rendered(words), words).error, 0x1p-24);
}

// Values that no integer image has: far above 1, negative, huge, tiny.
TEST_P(Identity, FloatValuesOfAnySizeComeBack) {
    if (method().has_prefilter()) return;
    Image image(5, 4, 1, SampleType::f32);
    const float smallest =
        path() == FetchPath::hardware ? 1.2e-38f : 1e-38f;  // the texture unit flushes subnormal numbers
    const float values[] = {1e30f, -1e30f, 0.0f, 1e-30f, -3.5f, 65504.0f, 1.0f, smallest, 3e38f, 255.0f};
    for (int n = 0; n < 20; ++n) image.row_as<float>(n / 5)[n % 5] = values[n % 10];
    EXPECT_EQ(between(rendered(image), image).error, 0);
}

TEST_P(Identity, QuarterTurnsPermuteTheSamples) {
    const Image image = noise(61, 61, 3, SampleType::u8, 9);
    SourceImage source(backend_, image);
    for (int turns = -4; turns <= 4; ++turns) {
        RenderRequest request = beyond_borders(spec(), 61, 61, 0);
        request.view.rotate = 90 * turns;
        const Image back = converted(source.render_to_image(request), SampleType::u8);
        for (int y = 0; y < 61; ++y)
            for (int x = 0; x < 61; ++x) {
                int u = x - 30, v = y - 30;
                for (int t = 0; t < (turns + 4) % 4; ++t) u = std::exchange(v, u) * -1;
                ASSERT_EQ(back.value(x, y, 1), image.value(u + 30, v + 30, 1)) << turns << " at " << x << ", " << y;
            }
    }
}

ON_EVERY_BACKEND_AND_METHOD(Identity, every_path());

}  // namespace
}  // namespace texelscope::test
