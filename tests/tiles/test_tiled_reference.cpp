// The float64 reference through regions: what the whole image, resident, gives.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "gpu/backend/memory_budget.h"
#include "gpu/backend/source_image.h"
#include "gpu/core/tile_source.h"
#include "gpu/tiles/tiled_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/tiles/live_views.h"

namespace texelscope::test {
namespace {

// The error of adding up equal terms in another order: 65 × 65 products of samples in [0, 1] with weights and
// coefficients whose magnitudes add up to some tens. Prefilters are cut off where |z|^k < 1e-17 or 1e-17 of a margin.
constexpr double reordered = 1e-12;
// Minus a value beyond a border, samples of a region are rounded to float32, and half a step of 2⁻²⁴ is weighed like them.
constexpr double minus_border = 4 * 0x1p-24;
// Samples of a level are float32, and a CPU makes those of a view without rotation in another order (gpu/backend/interfaces.h).
constexpr double of_level = 4 * 0x1p-22;

std::vector<double> windowed(TiledImage& image, const RenderRequest& request, int rows) {
    const PlannedRequest planned = image.plan(request);
    const size_t row = size_t(request.width) * size_t(image.info().channels);
    std::vector<double> values(row * size_t(request.height));
    TiledReference reference(image);
    for (int first = 0; first < request.height; first += rows)
        reference.rows(planned, first, std::min(rows, request.height - first), values.data() + size_t(first) * row);
    return values;
}

// The largest difference; infinite if NaN is in other places.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size()) return INFINITY;
    double largest = 0;
    for (size_t k = 0; k < a.size(); ++k) {
        if (std::isnan(a[k]) && std::isnan(b[k])) continue;
        const double d = std::abs(a[k] - b[k]);
        largest = std::max(largest, std::isnan(d) ? INFINITY : d);
    }
    return largest;
}

class ReferenceRegions : public OnMethod {
protected:
    void expect_same(const std::shared_ptr<const Image>& image, const RenderRequest& request, int tile, int rows,
                     Light light = Light::stored) {
        SourceImage resident(backend_, image, light);
        TiledImage tiled(backend_, std::make_shared<ImageTiles>(image, tile), {least_tiled_memory, light});
        const bool level = tiled.plan(request).reading.level != Level{};
        const bool border = request.spec.address.has_border() && request.spec.address.border != BorderValue{};
        const double exact = level ? of_level : border ? minus_border : reordered;
        ASSERT_LE(difference(windowed(tiled, request, rows), reference_values(resident, request)),
                  light == Light::linear ? 12.92 * exact : exact)
            << describe_request(*image, request) << " tiles of " << tile << ", rows by " << rows;
    }
};

constexpr std::array reference_tile_sides = {16, 37, 64, 256};

TEST_P(ReferenceRegions, AnyViewIsThatOfTheResidentImage) {
    Random random(70 + uint64_t(method().rank));
    for (int k = 0; k < 12; ++k) {
        const int width = random.integer(2, 420), height = random.integer(2, 340), channels = random.integer(1, 4);
        const Alpha alpha = channels % 2 == 0 && random.chance(0.4) ? Alpha::straight : Alpha::none;
        const SampleType type =
            random.pick(std::array{SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32});
        const auto image =
            std::make_shared<const Image>(noise(width, height, channels, type, 700 + uint64_t(k), alpha));
        RenderRequest request = request_of(spec(), random.integer(1, 110), random.integer(1, 70));
        request.spec.address = random.pick(all_address_pairs());
        if (request.spec.address.has_border() && random.chance(0.5))
            request.spec.address.border = {{0.7f, 0.2f, 0.4f}, 3};
        request.view = random_view(random, width, height);
        if (random.chance(0.4)) request.view.rotate = 0;
        request.outside = random.pick(std::array{Outside::extend, Outside::extend, Outside::background, Outside::nan});
        request.antialias = random.chance(0.5);
        expect_same(image, request, random.pick(reference_tile_sides), random.pick(std::array{1, 7, 512}),
                    random.chance(0.2) ? Light::linear : Light::stored);
        if (HasFatalFailure()) return;
    }
}

// The corners, so closely that regions are small, with and without rotation.
TEST_P(ReferenceRegions, CornersAreThoseOfTheResidentImage) {
    const auto image = std::make_shared<const Image>(noise(331, 293, 1, SampleType::u8, 9));
    int k = 0;
    for (const AddressPair& address : all_address_pairs())
        for (const auto& [x, y] : {std::pair(-0.5, -0.5), std::pair(330.5, 292.5)}) {
            RenderRequest request = request_of(spec(), 41, 37);
            request.spec.address = address;
            const double turn = k % 2;
            request.positions = Affine{0.37, 0.11 * turn, x - 8.3, -0.09 * turn, 0.41, y - 7.1};
            expect_same(image, request, reference_tile_sides[size_t(k++ % 4)], 20);
            if (HasFatalFailure()) return;
        }
}

TEST_P(ReferenceRegions, WarpsAreThoseOfTheResidentImage) {
    Random random(90 + uint64_t(method().rank));
    for (const Warp& warp : {Warp{Warp::Kind::swirl, 200}, Warp{Warp::Kind::ripple, 5}})
        for (const bool antialias : {false, true}) {
            const auto image = std::make_shared<const Image>(noise(217, 189, 1, SampleType::u8, 11));
            RenderRequest request = request_of(spec(), 50, 40);
            request.spec.address = random.pick(all_address_pairs());
            request.view.scale = antialias ? random.between(2, 6) : random.between(0.1, 2);
            request.view.rotate = random.between(0, 360);
            request.warp = warp;
            request.antialias = antialias;
            // A backend computes the points of a warp by functions of its own, to some units of the last place.
            SourceImage resident(backend_, image);
            TiledImage tiled(backend_, std::make_shared<ImageTiles>(image, 64), {least_tiled_memory});
            const auto got = windowed(tiled, request, 17), expected = reference_values(resident, request);
            const bool jumps = method().smoothness < 0;
            size_t different = 0;
            for (size_t i = 0; i < got.size(); ++i) different += !(std::abs(got[i] - expected[i]) < 1e-8);
            ASSERT_LE(different, jumps ? got.size() / 500 : 0) << describe_request(*image, request);
        }
}

ON_EVERY_BACKEND_AND_KIND(ReferenceRegions, auto_path());

class TiledReferences : public OnBackend {};

// An image of 200 000² that is never stored, against the tests' own float64 of a cut from it.
TEST_P(TiledReferences, AHugeImageIsItsFormulaInterpolated) {
    constexpr int64_t side = 200000, first = 51000;
    const auto plate = std::make_shared<FormulaTiles>(
        int(side), int(side), [](int64_t x, int64_t y) { return zone_plate(side, x, y); }, 256);
    constexpr int cut_side = 200;
    Image cut(cut_side, cut_side, 1, SampleType::f32);
    for (int y = 0; y < cut_side; ++y)
        for (int x = 0; x < cut_side; ++x) cut.row_as<float>(y)[x] = zone_plate(side, first + x, first + y);
    TiledImage tiled(backend_, plate, {.memory = least_tiled_memory});
    for (const char* spec : {"bspline", "quintic", "lanczos3", "catmull-rom"}) {
        RenderRequest request = request_of(spec_of(spec), 30, 20);
        constexpr double at = 91.3;
        request.positions = Affine{0.31, 0.02, first + at, -0.03, 0.29, first + at};
        const reference::Interpolant interpolant(cut, request.spec);
        const std::vector<double> got = windowed(tiled, request, 20);
        for (int j = 0; j < 20; ++j)
            for (int i = 0; i < 30; ++i) {
                const auto expected = interpolant.at({at + 0.31 * i + 0.02 * j, at - 0.03 * i + 0.29 * j})[0];
                // A double near 51 000 steps by 7e-12, times a slope of up to 3 per sample.
                ASSERT_NEAR(got[size_t(j * 30 + i)], expected, 1e-10) << spec << " " << i << ", " << j;
            }
    }
}

TEST_P(TiledReferences, StayWithinTheMemoryOfTheImage) {
    if (!counts_allocations()) GTEST_SKIP() << "a sanitizer's allocator is not counted";
    constexpr size_t memory = size_t(64) << 20;
    constexpr int side = 4000;
    for (const char* spec : {"quintic", "bspline:address=wrap", "lanczos4"})
        for (const double scale : {0.9, 3.0, 12.0}) {
            const auto source = std::make_shared<FormulaTiles>(
                side, side, [](int64_t x, int64_t y) { return float((x * 7 + y * 13) % side) / float(side); }, 256);
            RenderRequest request = request_of(spec_of(spec), 700, 300);
            request.view = {100, -300, scale, 30};
            request.antialias = true;
            std::vector<double> values(700 * 300);
            const size_t before = allocated(), device_before = backend_->memory().taken();
            forget_most_allocated();
            TiledImage tiled(backend_, source, {.memory = memory});
            TiledReference(tiled).rows(tiled.plan(request), 0, 300, values.data());
            const bool on_cuda = GetParam() == BackendKind::cuda;
            EXPECT_LE(most_allocated() - before + (on_cuda ? backend_->memory().taken() - device_before : 0), memory)
                << spec << " " << scale;
        }
}

TEST_P(TiledReferences, EndWhenTheyAreStopped) {
    TiledImage tiled(
        backend_, std::make_shared<ImageTiles>(std::make_shared<const Image>(noise(60, 50, 1, SampleType::u8, 3)), 16));
    const RenderRequest request = request_of(spec_of("bspline"), 60, 50);
    std::vector<double> values(60 * 50);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(TiledReference(tiled).rows(tiled.plan(request), 0, 50, values.data(), stop.get_token()), Cancelled);
    TiledReference(tiled).rows(tiled.plan(request), 0, 50, values.data());
    EXPECT_GT(values.back(), 0);
}

ON_EVERY_BACKEND(TiledReferences);

}  // namespace
}  // namespace texelscope::test
