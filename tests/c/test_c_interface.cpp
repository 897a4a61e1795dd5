#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "gpu/backend/source_image.h"
#include "gpu/c/texelscope_c.h"
#include "gpu/core/image.h"

namespace texelscope {
namespace {

struct FreesC {
    void operator()(ts_backend* handle) const { ts_backend_free(handle); }
    void operator()(ts_image* handle) const { ts_image_free(handle); }
    void operator()(ts_method* handle) const { ts_method_free(handle); }
    void operator()(ts_tiled* handle) const { ts_tiled_free(handle); }
};
template <class Handle> using OwnedC = std::unique_ptr<Handle, FreesC>;

class CInterface : public testing::Test {
protected:
    CInterface() {
        ts_backend_options options{};
        options.size = sizeof options;
        options.kind = TS_CPU;
        ts_backend* made = nullptr;
        EXPECT_EQ(ts_backend_create(&options, &made), TS_OK) << ts_last_error();
        backend.reset(made);
    }

    OwnedC<ts_method> method(const char* spec) {
        ts_method* made = nullptr;
        EXPECT_EQ(ts_method_parse(spec, &made), TS_OK) << ts_last_error();
        return OwnedC<ts_method>(made);
    }
    OwnedC<ts_image> image(const ts_array& samples) {
        ts_image* made = nullptr;
        EXPECT_EQ(ts_image_create(backend.get(), &samples, nullptr, &made), TS_OK) << ts_last_error();
        return OwnedC<ts_image>(made);
    }

    OwnedC<ts_backend> backend;
};

ts_array packed_array(void* data, int32_t type, int64_t height, int64_t width, int64_t channels) {
    return {.size = sizeof(ts_array),
            .data = data,
            .type = type,
            .device = TS_HOST,
            .count = 1,
            .height = height,
            .width = width,
            .channels = channels,
            .stride_count = 0,
            .stride_y = 0,
            .stride_x = 0,
            .stride_channel = 0};
}

ts_request request_by(const ts_method* method) {
    ts_request request{};
    request.size = sizeof request;
    request.method = method;
    return request;
}

std::vector<float> noise_of(size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> values(-1, 1);
    std::vector<float> all(count);
    for (float& value : all) value = values(random);
    return all;
}

TEST_F(CInterface, GivesThePicturesOfTheEngine) {
    constexpr int height = 23, width = 31, channels = 3;
    std::vector<float> samples = noise_of(height * width * channels, 1);
    const auto lanczos = method("lanczos3:address=mirror");
    Image same(width, height, channels, SampleType::f32);
    std::copy(samples.begin(), samples.end(), same.row_as<float>(0));
    SourceImage source(make_cpu_backend(), same);
    const Image expected =
        source.render_to_image(resize_request(source.samples(), parse_spec("lanczos3:address=mirror"), 17, 12));

    // Interleaved, planar, and backwards with room between the numbers.
    struct Placed {
        int64_t y, x, channel, offset;
    };
    for (const auto [y, x, channel, offset] :
         {Placed{width * channels, channels, 1, 0}, Placed{width, 1, width * height, 0},
          Placed{-2 * width * channels, -2 * channels, 2, 2 * height * width * channels - 2 * channels}}) {
        std::vector<float> memory(2 * samples.size());
        for (int j = 0; j < height; ++j)
            for (int i = 0; i < width; ++i)
                for (int c = 0; c < channels; ++c)
                    memory[size_t(offset + j * y + i * x + c * channel)] =
                        samples[size_t((j * width + i) * channels + c)];
        ts_array in = packed_array(memory.data() + offset, TS_F32, height, width, channels);
        in.stride_y = 4 * y, in.stride_x = 4 * x, in.stride_channel = 4 * channel;
        const auto of = image(in);
        EXPECT_EQ(ts_image_is_in_place(of.get()), y > 0);
        std::vector<float> result(17 * 12 * channels);
        const ts_array out = packed_array(result.data(), TS_F32, 12, 17, channels);
        ts_request request = request_by(lanczos.get());
        request.antialias = 1;
        ASSERT_EQ(ts_render(of.get(), &request, &out), TS_OK) << ts_last_error();
        for (size_t k = 0; k < result.size(); ++k) ASSERT_NEAR(result[k], expected.row_as<float>(0)[k], 2e-6);
    }
}

// Whether a backend writes bytes itself or floats that are rounded afterwards; only the bytes of the picture are written.
TEST_F(CInterface, BytesAreTheFloatsRounded) {
    constexpr int height = 23, width = 31, rows = 12, columns = 17;
    std::mt19937 random(3);
    for (const int channels : {1, 2, 3, 4, 5})
        for (const char* spec :
             {"catmull-rom", "bilinear:address=border,border=0.7", "nearest", "like:pillow/bicubic"}) {
            std::vector<uint8_t> samples(size_t(height * width * channels));
            for (uint8_t& sample : samples) sample = uint8_t(random());
            const auto of = image(packed_array(samples.data(), TS_U8, height, width, channels));
            const auto by = method(spec);
            ts_request request = request_by(by.get());
            request.antialias = !std::strchr(spec, ':');
            std::vector<float> exact(size_t(rows * columns * channels));
            const ts_array floats = packed_array(exact.data(), TS_F32, rows, columns, channels);
            ASSERT_EQ(ts_render(of.get(), &request, &floats), TS_OK) << ts_last_error();
            struct Placed {
                int64_t y, x, channel;
            };
            for (const auto [y, x, channel] :
                 {Placed{columns * channels, channels, 1}, Placed{columns * channels + 3, channels, 1},
                  Placed{columns, 1, rows * columns}, Placed{2 * columns * channels, 2 * channels, 2}}) {
                std::vector<uint8_t> memory(2 * exact.size() + 3 * rows, 77), expected = memory;
                for (int j = 0; j < rows; ++j)
                    for (int i = 0; i < columns; ++i)
                        for (int c = 0; c < channels; ++c) {
                            const float level = exact[size_t((j * columns + i) * channels + c)];
                            expected[size_t(j * y + i * x + c * channel)] =
                                uint8_t(std::floor(std::min(std::max(level, 0.0f), 255.0f) + 0.5f));
                        }
                ts_array out = packed_array(memory.data(), TS_U8, rows, columns, channels);
                out.stride_y = y, out.stride_x = x, out.stride_channel = channel;
                ASSERT_EQ(ts_render(of.get(), &request, &out), TS_OK) << ts_last_error();
                EXPECT_EQ(memory, expected) << spec << ", " << channels << " channels, rows " << y << " apart";
            }
        }
}

TEST_F(CInterface, RefusesWhatIsInvalidAndRemainsUsable) {
    std::vector<float> samples(100), result(100);
    const ts_array in = packed_array(samples.data(), TS_F32, 10, 10, 1);
    const auto of = image(in);
    const auto bilinear = method("bilinear");
    const auto fails = [&](ts_array out, ts_request request, const char* words) {
        EXPECT_EQ(ts_render(of.get(), &request, &out), TS_INVALID);
        EXPECT_NE(std::string(ts_last_error()).find(words), std::string::npos) << ts_last_error();
    };
    const ts_array good = packed_array(result.data(), TS_F32, 10, 10, 1);
    const ts_request request = request_by(bilinear.get());
    ts_array out = good;
    out.data = nullptr;
    fails(out, request, "the output");
    (out = good).type = 99;
    fails(out, request, "choose 0 to 10");
    (out = good).height = 0;
    fails(out, request, "height");
    (out = good).channels = 2;
    fails(out, request, "it must have 1 of 1");
    (out = good).device = 0;
    fails(out, request, "CUDA device 0");
    (out = good).size = 3;
    fails(out, request, "sizeof");
    (out = good).stride_y = INT64_MAX;
    fails(out, request, "reach farther");
    ts_request wrong = request;
    wrong.mapping = 17;
    fails(good, wrong, "mapping");
    (wrong = request).mapping = TS_AFFINE;
    wrong.affine[0] = NAN;
    fails(good, wrong, "finite");
    (wrong = request).size = sizeof wrong + 8;
    fails(good, wrong, "sizeof");
    EXPECT_EQ(ts_render(nullptr, &request, &good), TS_INVALID);
    EXPECT_EQ(ts_render(of.get(), nullptr, &good), TS_INVALID);
    ts_method* none = nullptr;
    EXPECT_EQ(ts_method_parse("bicubik", &none), TS_INVALID);
    EXPECT_EQ(ts_method_parse(nullptr, &none), TS_INVALID);
    EXPECT_EQ(ts_method_parse("custom:file=/nowhere", &none), TS_FILE_ERROR);
    EXPECT_EQ(none, nullptr);
    EXPECT_EQ(ts_method_id(-1), nullptr);
    EXPECT_EQ(ts_method_id(100000), nullptr);
    EXPECT_EQ(ts_render(of.get(), &request, &good), TS_OK);
    ts_backend_free(nullptr), ts_image_free(nullptr), ts_method_free(nullptr), ts_tiled_free(nullptr);
}

// The map's own mean, and the same figures without an array for it.
TEST_F(CInterface, AMapOfErrorsHasItsFigures) {
    constexpr int height = 40, width = 50;
    std::vector<float> a = noise_of(height * width * 3, 1), r = noise_of(height * width * 3, 2), map(height * width);
    const auto shown = image(packed_array(a.data(), TS_F32, height, width, 3)),
               right = image(packed_array(r.data(), TS_F32, height, width, 3));
    const ts_request request = request_by(nullptr);
    ts_difference_options options{};
    options.size = sizeof options;
    options.kind = TS_SSIM;
    const ts_array out = packed_array(map.data(), TS_F32, height, width, 1);
    ts_map_figures with{}, alone{};
    with.size = alone.size = sizeof with;
    const auto differ = [&](const ts_array* to, ts_map_figures* figures) {
        return ts_difference(shown.get(), &request, right.get(), &options, to, figures);
    };
    ASSERT_EQ(differ(&out, &with), TS_OK) << ts_last_error();
    ASSERT_EQ(differ(nullptr, &alone), TS_OK) << ts_last_error();
    double sum = 0;
    int numbers = 0;
    for (const float value : map)
        if (!std::isnan(value)) sum += double(value), ++numbers;
    EXPECT_EQ(numbers, (height - 10) * (width - 10));
    EXPECT_EQ(with.pixels, numbers);
    EXPECT_NEAR(with.mean, sum / numbers, 1e-6);
    EXPECT_EQ(alone.mean, with.mean);
    EXPECT_EQ(alone.worst_x, with.worst_x);
    EXPECT_EQ(map[size_t(with.worst_y * width + with.worst_x)], float(with.largest));
    EXPECT_EQ(differ(nullptr, nullptr), TS_INVALID);
    options.kind = TS_FLIP;
    options.pixels_per_degree = 3;
    EXPECT_EQ(differ(&out, nullptr), TS_INVALID);
    options.kind = TS_SQUARED;
    EXPECT_EQ(differ(&out, &with), TS_INVALID) << "values have no figures";
}

TEST_F(CInterface, AFunctionIsTheMethodOfItsFormula) {
    ts_function_options options{};
    options.size = sizeof options;
    options.radius = 2;
    const ts_weight_function keys = [](void* a, double x) {
        const double k = *static_cast<double*>(a);
        x = std::abs(x);
        return x < 1 ? ((k + 2) * x - (k + 3)) * x * x + 1 : ((k * x - 5 * k) * x + 8 * k) * x - 4 * k;
    };
    double parameter = -0.5;
    ts_method* made = nullptr;
    ASSERT_EQ(ts_method_from_function(keys, &parameter, &options, &made), TS_OK) << ts_last_error();
    const OwnedC<ts_method> own(made);
    parameter = 7;  // is not asked any more
    const auto catmull_rom = method("catmull-rom");
    const double x[] = {-1.75, -1, -0.25, 0, 0.5, 1.25, 1.999, 2, 3};
    double weights[std::size(x)], expected[std::size(x)], gains[std::size(x)], expected_gains[std::size(x)];
    ASSERT_EQ(ts_method_weights(own.get(), x, weights, std::size(x)), TS_OK);
    ASSERT_EQ(ts_method_weights(catmull_rom.get(), x, expected, std::size(x)), TS_OK);
    ASSERT_EQ(ts_method_gains(own.get(), x, gains, std::size(x)), TS_OK);
    ASSERT_EQ(ts_method_gains(catmull_rom.get(), x, expected_gains, std::size(x)), TS_OK);
    for (size_t k = 0; k < std::size(x); ++k) {
        EXPECT_NEAR(weights[k], expected[k], 1e-12);
        EXPECT_NEAR(gains[k], expected_gains[k], 1e-11);
    }
    ts_method_info info{};
    info.size = sizeof info;
    ASSERT_EQ(ts_method_get_info(own.get(), &info), TS_OK);
    EXPECT_EQ(info.interpolating, 1);
    EXPECT_EQ(info.order, 3);
    options.radius = 9;
    EXPECT_EQ(ts_method_from_function(keys, &parameter, &options, &made), TS_INVALID);
}

TEST_F(CInterface, SettingsAreThoseOfSpecs) {
    const auto of = method("bc"), same = method("bc:b=0.25,address=mirror/wrap");
    EXPECT_EQ(ts_method_set(of.get(), "b", "0.25"), TS_OK);
    EXPECT_EQ(ts_method_set(of.get(), "address", "mirror/wrap"), TS_OK);
    EXPECT_EQ(ts_method_set(of.get(), "b", "x"), TS_INVALID);
    EXPECT_EQ(ts_method_set(of.get(), "border", "1"), TS_INVALID);  // neither axis has one
    ts_method_info info{}, of_same{};
    info.size = of_same.size = sizeof info;
    ASSERT_EQ(ts_method_get_info(of.get(), &info), TS_OK);
    ASSERT_EQ(ts_method_get_info(same.get(), &of_same), TS_OK);
    EXPECT_STREQ(info.spec, of_same.spec);
    EXPECT_EQ(ts_method_set(method("like:pillow/bicubic").get(), "address", "wrap"), TS_INVALID);
}

TEST_F(CInterface, MessagesAreOfTheirThread) {
    ts_method* none = nullptr;
    EXPECT_EQ(ts_method_parse("first", &none), TS_INVALID);
    std::thread([&] { EXPECT_EQ(ts_method_parse("second", &none), TS_INVALID); }).join();
    EXPECT_NE(std::string(ts_last_error()).find("'first'"), std::string::npos);
}

TEST_F(CInterface, AnOlderCallersStructsAreRead) {
    std::vector<float> samples(4, 2), result(4);
    const auto of = image(packed_array(samples.data(), TS_F32, 2, 2, 1));
    struct Older {
        size_t size;
        const ts_method* method;
        int32_t mapping, antialias;
    } older{sizeof older, nullptr, TS_CENTERS, 0};
    const ts_array out = packed_array(result.data(), TS_F32, 2, 2, 1);
    EXPECT_EQ(ts_render(of.get(), reinterpret_cast<const ts_request*>(&older), &out), TS_OK) << ts_last_error();
    EXPECT_EQ(result, samples);
}

TEST_F(CInterface, ProgressCancels) {
    constexpr int side = 600;
    std::vector<float> samples(side * side), result(20 * side * side);
    ts_array in = packed_array(samples.data(), TS_F32, side, side, 1);
    in.count = 20, in.stride_count = 0, in.stride_y = 4 * side, in.stride_x = in.stride_channel = 4;
    const auto of = image(in);
    const auto lanczos = method("lanczos4");
    ts_request request = request_by(lanczos.get());
    int calls = 0;
    request.float64 = 1;
    request.progress_context = &calls;
    request.progress = [](void* context, double part) {
        EXPECT_LE(part, 1);
        return int(++*static_cast<int*>(context) >= 2);
    };
    ts_array out = packed_array(result.data(), TS_F32, side, side, 1);
    out.count = 20;
    EXPECT_EQ(ts_render(of.get(), &request, &out), TS_CANCELLED);
    EXPECT_GE(calls, 2);
    request.progress = nullptr;
    request.float64 = 0;
    EXPECT_EQ(ts_render(of.get(), &request, &out), TS_OK) << ts_last_error();
}

TEST_F(CInterface, ImagesAreFreedByOtherThreadsAndAfterTheirBackend) {
    std::vector<float> samples = noise_of(400, 3), result(400);
    auto of = image(packed_array(samples.data(), TS_F32, 20, 20, 1));
    backend.reset();
    const ts_array out = packed_array(result.data(), TS_F32, 20, 20, 1);
    const ts_request request = request_by(nullptr);
    EXPECT_EQ(ts_render(of.get(), &request, &out), TS_OK) << ts_last_error();
    std::thread([&] { of.reset(); }).join();
    EXPECT_EQ(result, samples);
}

TEST_F(CInterface, TilesThatCannotBeReadAreNamed) {
    struct Calls {
        int reads = 0, releases = 0;
    } calls;
    ts_tile_source source{};
    source.size = sizeof source;
    source.width = source.height = 100;
    source.channels = 1;
    source.context = &calls;
    source.read = [](void*, int64_t, int64_t, int32_t, int32_t, void*, size_t) {
        ts_set_error("the disk is gone");
        return 1;
    };
    source.release = [](void* context) { ++static_cast<Calls*>(context)->releases; };
    ts_tiled* made = nullptr;
    ASSERT_EQ(ts_tiled_create(backend.get(), &source, &made), TS_OK) << ts_last_error();
    OwnedC<ts_tiled> tiled(made);
    const ts_request request = request_by(nullptr);
    const auto ignore = [](void*, const ts_array*, int64_t) { return 0; };
    EXPECT_EQ(ts_tiled_render(tiled.get(), &request, 10, 10, ignore, nullptr), TS_INVALID);
    EXPECT_NE(std::string(ts_last_error()).find("the disk is gone"), std::string::npos) << ts_last_error();
    tiled.reset();
    EXPECT_EQ(calls.releases, 1);
    source.channels = 9;
    EXPECT_EQ(ts_tiled_create(backend.get(), &source, &made), TS_INVALID);
    EXPECT_EQ(calls.releases, 2);
}

}  // namespace
}  // namespace texelscope
