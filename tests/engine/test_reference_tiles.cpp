// The tiles in which a float64 reference is computed: what they cover and take, and that nobody sees where they meet.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gpu/reference/reference.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"

namespace texelscope::test {
namespace {

constexpr size_t unlimited = std::numeric_limits<size_t>::max();

// The job that a backend makes of the request, without samples and output.
ReferenceJob job_of(const TexelArray& samples, const RenderRequest& request) {
    const ReadPlan reading = plan_reading(request, {samples.width, samples.height, samples.one_dimensional});
    EXPECT_EQ(reading.level, Level{});
    ReferenceJob job;
    job.job = ResampleJob(request);
    job.job.source = samples;
    job.job.source.address = request.spec.address;
    job.job.output.width = request.width;
    job.job.output.height = request.height;
    job.job.positions = reading.positions;
    job.weight.radius = request.spec.method->taps / 2.0;
    job.stretch_x = reading.stretch_x;
    job.stretch_y = reading.stretch_y;
    if (reading.prefiltered) set_prefilter(job, request.spec);
    return job;
}

TexelArray samples_of(int width, int height, int channels = 4) {
    TexelArray samples;
    samples.width = width;
    samples.height = height;
    samples.channels = channels;
    return samples;
}

size_t bytes_of(const ReferenceTile& tile, const TexelArray& source) {
    return (patch_size(tile.patch, source) + filtered_rows_size(tile.patch, source)) * sizeof(double);
}

// Each pixel is in exactly one tile.
void expect_cover(const std::vector<ReferenceTile>& tiles, int width, int height) {
    std::vector<char> covered(size_t(width) * size_t(height));
    for (const ReferenceTile& tile : tiles) {
        const PixelRange& p = tile.pixels;
        ASSERT_TRUE(p.x >= 0 && p.y >= 0 && p.x + p.width <= width && p.y + p.height <= height);
        for (int j = p.y; j < p.y + p.height; ++j)
            for (int i = p.x; i < p.x + p.width; ++i) ++covered[size_t(j) * size_t(width) + size_t(i)];
    }
    EXPECT_EQ(std::count(covered.begin(), covered.end(), 1), width * height);
}

std::vector<RenderRequest> views_of(int width, int height) {
    std::vector<RenderRequest> requests;
    const double fitted = std::max(width / 1280.0, height / 720.0);
    for (const char* text : {"bspline", "quintic", "bspline:address=wrap", "quintic:address=mirror/wrap"})
        for (const double scale : {fitted, fitted * 1.2, 1.0, 0.1})
            for (const double rotate : {0.0, 30.0, 90.0})
                for (const bool antialias : {true, false}) {
                    RenderRequest request = request_of(spec_of(text), 1280, 720);
                    request.view = {12.3, -4.5, antialias ? std::min(scale, 7.9) : scale, rotate};
                    request.antialias = antialias;
                    requests.push_back(request);
                }
    return requests;
}

TEST(ReferenceTiles, CoverEveryPixelOnceAndKeepToTheirMemory) {
    for (const auto& [width, height] : {std::pair{6000, 4000}, {12000, 9000}})
        for (const RenderRequest& request : views_of(width, height)) {
            const TexelArray samples = samples_of(width, height);
            const std::vector<ReferenceTile> tiles = reference_tiles(job_of(samples, request), tile_bytes_on_cpu);
            SCOPED_TRACE(to_string(request.spec) + " " + std::to_string(request.view.scale));
            expect_cover(tiles, 1280, 720);
            EXPECT_LE(largest_patch_bytes(tiles, samples), tile_bytes_on_cpu);
            EXPECT_GT(largest_patch_bytes(tiles, samples), 0u);
        }
}

TEST(ReferenceTiles, AreFewAndOneIfThatFits) {
    const TexelArray samples = samples_of(6000, 4000);
    RenderRequest request = request_of(spec_of("bspline"), 1280, 720);
    request.view.scale = 0.1;
    EXPECT_EQ(reference_tiles(job_of(samples, request), tile_bytes_on_cpu).size(), 1u);
    request.antialias = true;
    request.view.scale = 4000 / 720.0;  // 6000 × 4000 × 4 doubles, twice, in 32 MiB each
    const size_t tiles = reference_tiles(job_of(samples, request), tile_bytes_on_cpu).size();
    EXPECT_GE(tiles, 46u);
    EXPECT_LE(tiles, 128u);
}

// 108 megapixels of three channels, which take four.
TEST(ReferenceTiles, HaveRoomForAViewWhoseCoefficientsAllInAllHaveNone) {
    const TexelArray samples = samples_of(12000, 9000);
    RenderRequest request = request_of(spec_of("bspline"), 1280, 720);
    for (const double rotate : {0.0, 20.0}) {
        request.view = {0, 0, 9000 / 720.0, rotate};
        const ReferenceJob job = job_of(samples, request);
        EXPECT_THROW(reference_tiles(job, unlimited), OutOfMemory);
        EXPECT_NO_THROW(reference_tiles(job, tile_bytes_on_cpu));
    }
}

TEST(ReferenceTiles, ReadBothEndsAcrossTheSeamOfAnImageThatWrapsAround) {
    const TexelArray samples = samples_of(12000, 9000);
    RenderRequest request = request_of(spec_of("bspline:address=wrap"), 100, 80);
    request.view = {6000, 4500, 1, 0};
    const std::vector<ReferenceTile> tiles = reference_tiles(job_of(samples, request), unlimited);
    ASSERT_EQ(tiles.size(), 1u);
    const CoefficientPatch& patch = tiles[0].patch;
    EXPECT_LT(patch.x.count, 110);
    EXPECT_LT(patch.rows.count, 160);
    EXPECT_EQ((patch.x.stored(0) + patch.x.count - patch.x.stored(11999)) % patch.x.count, 1) << "neighbours";
}

// Tiles of a few repetitions each would filter the image again and again.
TEST(ReferenceTiles, AViewOfManyRepetitionsHasOne) {
    const TexelArray samples = samples_of(sizeof(size_t) == 8 ? 6000 : 3000, 4000);
    RenderRequest request = request_of(spec_of("bspline:address=wrap"), 1280, 720);
    request.view.scale = 100;
    EXPECT_EQ(reference_tiles(job_of(samples, request), tile_bytes_on_cpu).size(), 1u);
    request.spec.address = {};  // most of it is outside
    EXPECT_GT(reference_tiles(job_of(samples, request), tile_bytes_on_cpu).size(), 1u);
}

TEST(ReferenceTiles, PointsMayBeAnywhere) {
    TexelArray samples = samples_of(2000, 1000, 1);
    const double point = 3;
    ReferenceJob job = job_of(samples, request_of(spec_of("bspline"), 1, 1));
    job.job.points = PointsView::arrays(&point, &point, 1);
    const std::vector<ReferenceTile> tiles = reference_tiles(job, 1 << 20);
    ASSERT_EQ(tiles.size(), 1u);
    EXPECT_GE(bytes_of(tiles[0], samples), size_t(2000 * 1000) * 2 * sizeof(double));
    job.job.source.width = job.job.source.height = 40000;
    EXPECT_THROW(reference_tiles(job, 1 << 20), OutOfMemory);
}

TEST(ReferenceTiles, OneWithoutPositionsThatAreNumbers) {
    const TexelArray samples = samples_of(2000, 1000, 1);
    ReferenceJob job = job_of(samples, request_of(spec_of("bspline"), 1000, 1000));
    for (const double bad : {double(NAN), double(INFINITY)}) {
        job.job.positions.xx = bad;
        EXPECT_EQ(reference_tiles(job, 1 << 20).size(), 1u);
    }
}

class TiledReference : public MemoryTest {
protected:
    std::vector<double> values(SourceImage& source, const RenderRequest& request, size_t tile_bytes) {
        Resampling resampling = source.plan(request);
        resampling.tile_bytes = tile_bytes;
        const ResidentImage& samples = source.samples();
        std::vector<double> values(size_t(request.width) * size_t(request.height) * size_t(samples.channels()));
        const std::shared_ptr<void> memory = backend_->allocate(values.size() * sizeof(double));
        backend_->resample_reference(samples, resampling, static_cast<double*>(memory.get()));
        backend_->read_back(values.data(), memory.get(), values.size() * sizeof(double));
        return values;
    }

    // In tiles of `bytes`, of which there are several, and in one.
    void expect_same(const Image& image, const RenderRequest& request, size_t bytes) {
        SCOPED_TRACE(describe_request(image, request));
        SourceImage source(backend_, image);
        TexelArray samples = samples_of(image.width(), image.height(), source.samples().channels());
        samples.one_dimensional = image.one_dimensional();
        ASSERT_GT(reference_tiles(job_of(samples, request), bytes).size(), 3u);
        const std::vector<double> tiled = values(source, request, bytes), whole = values(source, request, unlimited);
        double largest = 0;
        for (size_t k = 0; k < whole.size(); ++k) {
            ASSERT_EQ(std::isfinite(tiled[k]), std::isfinite(whole[k])) << k;
            if (std::isfinite(whole[k])) largest = std::max(largest, std::abs(tiled[k] - whole[k]));
        }
        EXPECT_LE(largest, 1e-14);
    }
};

TEST_P(TiledReference, NobodySeesWhereTilesMeet) {
    const Image image = noise(400, 300, 1, SampleType::u8, 1);
    for (const char* method : {"bspline", "quintic"})
        for (const AddressPair& address : all_address_pairs())
            for (const auto& [scale, rotate] : {std::pair{3.7, 0.0}, {3.7, 33.0}, {1.0, 0.0}, {1.0, 90.0}}) {
                if (method[0] == 'q' && address.x != address.y) continue;
                RenderRequest request = request_of(spec_of(method), int(400 / scale), int(300 / scale));
                request.spec.address = address;
                request.view = {43.7, -61.2, scale, rotate};
                request.antialias = true;
                expect_same(image, request, mebibyte / 2);
            }
}

TEST_P(TiledReference, ZoomedOutWithoutAntialiasing) {
    const Image image = noise(500, 400, 1, SampleType::f32, 2);
    for (const AddressMode mode : all_address_modes)
        for (const double rotate : {0.0, 10.0}) {
            RenderRequest request = request_of(spec_of("bspline"), 61, 53);
            request.spec.address = {mode, mode};
            request.view = {0.3, 0.2, 9.5, rotate};
            expect_same(image, request, mebibyte / 2);
        }
}

TEST_P(TiledReference, BackgroundAndNaNOutside) {
    const Image image = noise(500, 400, 4, SampleType::u16, 3, Alpha::straight);
    for (const Outside outside : {Outside::background, Outside::nan})
        for (const double rotate : {0.0, 10.0}) {
            RenderRequest request = request_of(spec_of("bspline"), 150, 120);
            request.view = {120, 90, 4, rotate};
            request.outside = outside;
            request.antialias = true;
            expect_same(image, request, mebibyte);
        }
}

TEST_P(TiledReference, HolesBesideTheirSeams) {
    Image image = noise(400, 300, 1, SampleType::f32, 4);
    Random random(5);
    for (int n = 0; n < 300; ++n)
        image.row_as<float>(random.integer(0, 299))[random.integer(0, 399)] = random.chance(0.5) ? NAN : INFINITY;
    for (const char* text : {"bspline", "bspline:address=wrap"})
        for (const double rotate : {0.0, 33.0}) {
            RenderRequest request = request_of(spec_of(text), 400, 300);
            request.view.rotate = rotate;
            request.view.translate_x = 100.4;
            expect_same(image, request, mebibyte / 2);
        }
}

TEST_P(TiledReference, Signals) {
    const Image image = signal(20000, [](int k) { return 0.5 + 0.4 * std::sin(k * 0.3 + k % 7); });
    for (const AddressMode mode : all_address_modes)
        for (const double scale : {4.0, 30.0}) {
            RenderRequest request = request_of(spec_of("bspline"), int(20000 / scale), 2);
            request.spec.address = {mode, AddressMode::clamp};
            request.view = {4321.1, 0, scale, 0};
            request.antialias = scale < 8;
            expect_same(image, request, 16 << 10);
        }
}

// A request's coefficients, all in all 120 MB here, are never there at the same time.
TEST_P(TiledReference, KeepsToItsMemory) {
    SourceImage source(backend_, noise(3000, 2500, 1, SampleType::u8, 6));
    RenderRequest request = request_of(spec_of("bspline"), 600, 500);
    request.view.scale = 5;
    request.antialias = true;
    const size_t output = size_t(600 * 500) * sizeof(double), before = memory().taken();
    values(source, request, tile_bytes_on_cpu);
    EXPECT_LE(memory().most_taken(), before + output + tile_bytes_on_cpu + mebibyte);
    EXPECT_GT(memory().most_taken(), before + output + tile_bytes_on_cpu / 4) << "it was measured";
}

ON_EVERY_BACKEND(TiledReference);

}  // namespace
}  // namespace texelscope::test
