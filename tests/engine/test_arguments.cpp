// Invalid arguments are refused in one sentence, before anything is computed; the backend keeps working.

#include <gtest/gtest.h>

#include <array>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "gpu/backend/arguments.h"
#include "gpu/backend/source_image.h"
#include "gpu/compare/metrics.h"
#include "gpu/display/display.h"
#include "gpu/method/method_info.h"
#include "gpu/prefilter/prefilter.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/reference.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
constexpr int side = 8;  // of images and outputs

class Arguments : public OnBackend {
protected:
    void SetUp() override {
        OnBackend::SetUp();
        if (!backend_) return;
        image_ = noise(side, side, 2, SampleType::f32, 1);
        source_ = std::make_unique<SourceImage>(backend_, image_);
        pixels_ = backend_->allocate(bytes);
        backend_->write(pixels_.get(), std::vector<std::byte>(bytes).data(), bytes);
    }

    // No refusal leaves a broken context, or an error that the caller's own calls would find.
    void TearDown() override {
        if (!source_) return;
        if (GetParam() == BackendKind::cuda) {
            EXPECT_EQ(pending_cuda_error(), "");
        }
        const Image again =
            SourceImage(backend_, image_).render_to_image(beyond_borders(spec_of("bilinear"), side, side, 0));
        EXPECT_EQ(between(again, image_).error, 0);
    }

    static constexpr size_t bytes = size_t(side) * side * 4 * sizeof(double);

    RenderRequest request(const char* spec = "bilinear") const { return request_of(spec_of(spec), side, side); }
    Resampling resampling(const char* spec = "bilinear") { return source_->plan(request(spec)); }
    RenderTarget floats() const {
        return {pixels_.get(), side * 2 * sizeof(float), RenderTarget::Format::floats, no_timer};
    }
    RenderTarget screen() const { return {pixels_.get(), side * 4, RenderTarget::Format::rgba8, no_timer}; }
    double* doubles() const { return static_cast<double*>(pixels_.get()); }
    const ResidentImage& samples() const { return source_->samples(); }

    static WarpedGrid grid(int width, int height, const Affine& positions = {}) {
        WarpedGrid grid;
        grid.width = width;
        grid.height = height;
        grid.positions = positions;
        return grid;
    }

    // A position in memory of the backend that is not aligned to this many bytes.
    void* askew(size_t by) const { return static_cast<char*>(pixels_.get()) + by; }

    Image image_;
    std::unique_ptr<SourceImage> source_;
    std::shared_ptr<void> pixels_;
};

TEST_P(Arguments, ANullMethodIsRefusedEverywhere) {
    RenderRequest none;
    none.width = none.height = side;
    SampleRequest sample;
    Resampling resampling;
    const float xy[] = {1, 2};
    EXPECT_REFUSED(source_->prepare(none), "no method");
    EXPECT_REFUSED(source_->plan(none), "no method");
    EXPECT_REFUSED(source_->render(none, floats()), "no method");
    EXPECT_REFUSED(source_->render_reference(none, doubles()), "no method");
    EXPECT_REFUSED(source_->render_to_image(none), "no method");
    EXPECT_REFUSED(source_->render_to_rgba8(none), "no method");
    EXPECT_REFUSED(source_->texels(none, 0, 0, 1, 1), "no method");
    EXPECT_REFUSED(source_->sample(sample, PointsView::pairs(doubles(), 1), static_cast<float*>(pixels_.get())),
                   "no method");
    EXPECT_REFUSED(source_->sample_to_host(sample, PointsView::pairs(xy, 1)), "no method");
    EXPECT_REFUSED(source_->value_at(MethodSpec{}, {1, 2}), "no method");
    EXPECT_REFUSED(source_->prepared_for(MethodSpec{}), "no method");
    EXPECT_REFUSED(backend_->prefilter(samples(), MethodSpec{}), "no method");
    EXPECT_REFUSED(backend_->resample(samples(), resampling, floats()), "no method");
    EXPECT_REFUSED(backend_->resample_reference(samples(), resampling, doubles()), "no method");
}

TEST_P(Arguments, ParametersOutsideTheirRangeOrNotNumbersAreRefused) {
    int parameters = 0;
    for (const MethodInfo* method : all_methods())
        for (size_t n = 0; n < method->parameters.size(); ++n) {
            ++parameters;
            const ParameterInfo& parameter = method->parameters[n];
            RenderRequest wrong = request_of(default_spec(*method), side, side);
            for (const double value : {parameter.minimum - 0.01, parameter.maximum + 0.01, nan, infinity, -infinity}) {
                wrong.spec.parameters.value[n] = value;
                EXPECT_REFUSED(source_->render(wrong, floats()),
                               std::string(parameter.id) + " of " + std::string(method->id));
                EXPECT_REFUSED(source_->prepared_for(wrong.spec), "must be a number");
            }
            for (const double value : {parameter.minimum, parameter.maximum}) {
                wrong.spec.parameters.value[n] = value;
                EXPECT_EQ(refusal([&] { source_->render(wrong, floats()); }), "") << method->id;
            }
        }
    EXPECT_GT(parameters, 3);
}

TEST_P(Arguments, TapsThatNoFilterHasAreRefused) {
    RenderRequest wrong = request("bspline");
    for (const int taps : {33, 63, 1'000'001, 16, 2, 1, 0, -1, INT_MAX, INT_MIN}) {
        wrong.spec.prefilter = fir(taps);
        EXPECT_REFUSED(source_->render(wrong, floats()), "odd number from 3 to 31");
        EXPECT_REFUSED(backend_->prefilter(samples(), wrong.spec), "odd number from 3 to 31");
    }
    EXPECT_REFUSED(backend_->prefilter(samples(), spec_of("bspline:prefilter=none")), "prefilter");
    EXPECT_REFUSED(backend_->prefilter(samples(), spec_of("bilinear")), "prefilter");
}

TEST_P(Arguments, NullMemoryIsRefused) {
    const RenderTarget nowhere{nullptr, side * 2 * sizeof(float), RenderTarget::Format::floats};
    EXPECT_REFUSED(source_->render(request(), nowhere), "null");
    EXPECT_REFUSED(source_->render_reference(request(), nullptr), "null");
    EXPECT_REFUSED(source_->sample({.spec = spec_of("nearest")}, PointsView::pairs(doubles(), 1), nullptr), "null");
    EXPECT_REFUSED(source_->sample({.spec = spec_of("nearest")}, PointsView{nullptr, nullptr, 1},
                                   static_cast<float*>(pixels_.get())),
                   "both coordinates");
    int number = 0;
    EXPECT_REFUSED(backend_->write(nullptr, &number, sizeof number), "null");
    EXPECT_REFUSED(backend_->write(pixels_.get(), nullptr, sizeof number), "null");
    EXPECT_REFUSED(backend_->read_back(&number, nullptr, sizeof number), "null");
    EXPECT_REFUSED(backend_->read_back(nullptr, pixels_.get(), sizeof number), "null");
    EXPECT_REFUSED(backend_->copy(nullptr, pixels_.get(), sizeof number), "null");
    EXPECT_REFUSED(backend_->copy(pixels_.get(), nullptr, sizeof number), "null");
    EXPECT_REFUSED(backend_->write_warped_points(grid(2, 2), nullptr), "null");
    EXPECT_REFUSED(SourceImage(nullptr, image_), "backend");
    EXPECT_REFUSED(SourceImage(nullptr, view_of(image_)), "backend");
    EXPECT_REFUSED(SourceImage(backend_, Image()), "image");
    EXPECT_REFUSED(backend_->upload(Image()), "empty");
}

// An empty task needs no memory.
TEST_P(Arguments, NoWorkNeedsNoMemory) {
    EXPECT_EQ(refusal([&] {
                  source_->sample({.spec = spec_of("nearest")}, PointsView{}, nullptr);
                  EXPECT_TRUE(source_->sample_to_host({.spec = spec_of("nearest")}, PointsView{}).empty());
                  backend_->write(nullptr, nullptr, 0);
                  backend_->read_back(nullptr, nullptr, 0);
                  backend_->copy(nullptr, nullptr, 0);
              }),
              "");
}

TEST_P(Arguments, RowsThatOverlapOrAreNotAlignedAreRefused) {
    for (const size_t row_bytes : {size_t(0), size_t(60), size_t(66), size_t(67), size_t(1), SIZE_MAX, SIZE_MAX - 3}) {
        RenderTarget target = floats();
        target.row_bytes = row_bytes;  // a row is 64
        EXPECT_REFUSED(source_->render(request(), target), "rows");
    }
    for (const size_t row_bytes : {size_t(0), size_t(28), size_t(33), size_t(34), SIZE_MAX - 3}) {
        RenderTarget target = screen();
        target.row_bytes = row_bytes;  // a row is 32
        EXPECT_REFUSED(source_->render(request(), target), "rows");
    }
    for (const size_t by : {1, 2, 3}) {
        RenderTarget target = floats();
        target.pixels = askew(by);
        EXPECT_REFUSED(source_->render(request(), target), "aligned to 4 bytes");
        target = screen();
        target.pixels = askew(by);
        EXPECT_REFUSED(source_->render(request(), target), "aligned to 4 bytes");
    }
    EXPECT_REFUSED(source_->render_reference(request(), static_cast<double*>(askew(4))), "aligned to 8 bytes");
    // Rows may be any number of bytes apart, and for a single row the spacing does not matter.
    RenderTarget target = floats();
    target.row_bytes = 68;
    EXPECT_EQ(refusal([&] { source_->render(request(), target); }), "");
    RenderRequest row = request();
    row.height = 1;
    target.row_bytes = 0;
    EXPECT_EQ(refusal([&] { source_->render(row, target); }), "");
}

TEST_P(Arguments, ImpossibleSizesOfOutputsAreRefused) {
    for (const auto& size : {std::pair{0, 8},
                             {8, 0},
                             {-1, 8},
                             {8, -1},
                             {INT_MIN, INT_MIN},
                             {INT_MAX, 1},
                             {max_side + 1, 1},
                             {1, INT_MAX},
                             {INT_MAX, INT_MAX}}) {
        const int width = size.first, height = size.second;
        RenderRequest wrong = request();
        wrong.width = width;
        wrong.height = height;
        RenderTarget target = floats();
        target.row_bytes = size_t(1) << (sizeof(size_t) == 8 ? 40 : 30);
        EXPECT_REFUSED(source_->render(wrong, target), std::to_string(width) + "×" + std::to_string(height));
        EXPECT_REFUSED(source_->render_reference(wrong, doubles()), "impossible");
        EXPECT_REFUSED(source_->texels(request(), 0, 0, width, height), "impossible");
        Resampling low = resampling();
        low.width = width;
        low.height = height;
        EXPECT_REFUSED(backend_->resample(samples(), low, target), "impossible");
        EXPECT_REFUSED(backend_->write_warped_points(grid(width, height), doubles()), "impossible");
    }
    EXPECT_REFUSED(source_->texels(request(), 0, 0, max_side, max_side), "no memory");
}

TEST_P(Arguments, ViewsThatAreNoNumbersAreRefused) {
    for (const double wrong : {nan, infinity, -infinity}) {
        RenderRequest view = request();
        view.view.translate_x = wrong;
        EXPECT_REFUSED(source_->render(view, floats()), "finite");
        view = request();
        view.positions = Affine{1, 0, 0, 0, wrong, 0};
        EXPECT_REFUSED(source_->render(view, floats()), "finite");
        view = request();
        view.warp = {Warp::Kind::swirl, wrong};
        EXPECT_REFUSED(source_->render(view, floats()), "strength");
        EXPECT_REFUSED(backend_->write_warped_points(grid(2, 2, {wrong, 0, 0, 0, 1, 0}), doubles()), "finite");
    }
    for (const double stretch : {0.5, 0.0, -1.0, nan, infinity, 8.5}) {
        Resampling wide = resampling();
        wide.reading.stretch_x = stretch;
        EXPECT_REFUSED(backend_->resample(samples(), wide, floats()), "stretch_x");
        EXPECT_REFUSED(backend_->resample_reference(samples(), wide, doubles()), "stretch_x");
    }
}

// A method without a slope has no table of it.
TEST_P(Arguments, DerivativesThatThereAreNotAreRefused) {
    Resampling request = resampling("nearest");
    request.derivative = Derivative::x;
    EXPECT_REFUSED(backend_->resample(samples(), request, floats()), "no continuous derivative");
    EXPECT_REFUSED(backend_->resample_reference(samples(), request, doubles()), "derivative");
}

TEST_P(Arguments, PointsThatCannotBeReadAreRefused) {
    const SampleRequest request{.spec = spec_of("bilinear")};
    auto* values = static_cast<float*>(pixels_.get());
    const auto refused = [&](const PointsView& points, const char* word) {
        EXPECT_REFUSED(source_->sample(request, points, values), word);
    };
    refused({doubles(), nullptr, 1, 1, true}, "both coordinates");
    refused({nullptr, doubles(), 1, 1, true}, "both coordinates");
    refused({askew(4), doubles(), 1, 1, true}, "aligned to 8 bytes");
    refused({doubles(), askew(4), 1, 1, true}, "aligned to 8 bytes");
    refused({askew(2), doubles(), 1, 1, false}, "aligned to 4 bytes");
    refused({doubles(), doubles(), SIZE_MAX, 1, true}, "memory");
    refused({doubles(), doubles(), SIZE_MAX / 8, 8, true}, "memory");
    refused({doubles(), doubles(), 2, SIZE_MAX, true}, "memory");
    Resampling few = resampling();
    few.points = PointsView::pairs(doubles(), side * side - 1);
    EXPECT_REFUSED(backend_->resample(samples(), few, floats()), "63 points are too few for 64 pixels");
    EXPECT_REFUSED(backend_->resample_reference(samples(), few, doubles()), "too few");
    const double xy[] = {1, 2};
    EXPECT_REFUSED(source_->sample_to_host(request, {xy, xy + 1, SIZE_MAX, 2, true}), "memory");
}

TEST_P(Arguments, TimersThatThereAreNotAreRefused) {
    for (const int timer : {-2, timer_count, INT_MAX, INT_MIN}) {
        RenderTarget target = floats();
        target.timer = timer;
        EXPECT_REFUSED(source_->render(request(), target), "timer");
        EXPECT_REFUSED(backend_->timed(timer, [] {}), "timer");
        EXPECT_REFUSED(static_cast<void>(backend_->last_render_ms(timer)), "timer");
    }
}

// Textures, scratch memory and the order of work belong to the backend that made the image.
TEST_P(Arguments, ImagesOfAnotherBackendAreRefused) {
    const auto choice = GetParam() == BackendKind::cpu ? BackendChoice::cpu : BackendChoice::cuda;
    std::vector<std::shared_ptr<Backend>> others = {make_backend(choice)};
    const BackendKind other_kind = GetParam() == BackendKind::cpu ? BackendKind::cuda : BackendKind::cpu;
    if (const auto other = shared_backend(other_kind)) others.push_back(other);
    for (const auto& other : others) {
        const auto stranger = other->upload(image_);
        const Resampling request = resampling();
        EXPECT_REFUSED(backend_->resample(*stranger, request, floats()), "another backend");
        EXPECT_REFUSED(backend_->resample_reference(*stranger, request, doubles()), "another backend");
        EXPECT_REFUSED(backend_->prefilter(*stranger, spec_of("bspline")), "another backend");
        EXPECT_REFUSED(backend_->reduce(*stranger, {}, {true, true}), "another backend");
    }
}

TEST_P(Arguments, CoefficientsWhereSamplesAreNeededAreRefused) {
    const MethodSpec spline = spec_of("bspline:address=mirror");
    const auto coefficients = backend_->prefilter(samples(), spline);
    EXPECT_REFUSED(backend_->prefilter(*coefficients, spline), "samples are needed");
    EXPECT_REFUSED(backend_->reduce(*coefficients, spline.address, {true, false}), "samples are needed");
    EXPECT_REFUSED(backend_->resample_reference(*coefficients, resampling(), doubles()), "samples are needed");
    EXPECT_EQ(refusal([&] { backend_->resample(*coefficients, resampling("bspline:address=mirror"), floats()); }), "");
    EXPECT_REFUSED(backend_->resample(*coefficients, resampling("bspline:address=clamp"), floats()),
                   "other address modes");
}

// Extents that no memory can hold: refused before a sample is read.
TEST_P(Arguments, ImagesBeyondTheIntegersOfTheKernelsAreRefused) {
    const ImageView good = view_of(image_);
    const auto refused = [&](auto change, const char* word) {
        ImageView view = good;
        view.samples = pixels_.get();
        change(view);
        EXPECT_REFUSED(backend_->adopt(view), word);
    };
    // A mirrored signal repeats after 2n, and is read up to twice that far.
    refused([](ImageView& v) { v.channels = 1, v.width = 1 << 29, v.height = 1; }, "536870912×1");
    refused([](ImageView& v) { v.channels = 1, v.width = 1, v.height = 1 << 29; }, "1×536870912");
    refused([](ImageView& v) { v.channels = 1, v.width = INT_MAX, v.height = 1, v.type = SampleType::u8; },
            "impossible");
    // Numbers in a row: 4 · 2²⁹ does not fit a 32-bit integer.
    refused([](ImageView& v) { v.channels = 4, v.width = 1 << 29, v.height = 1, v.type = SampleType::u8; },
            "impossible");
    refused([](ImageView& v) { v.channels = 4, v.width = max_side + 1, v.height = 1; }, "impossible");
    refused([](ImageView& v) { v.row_bytes = SIZE_MAX / 8 * 8; }, "memory");
    refused([](ImageView& v) { v.width = max_side, v.height = max_side, v.row_bytes = SIZE_MAX / 4 + 1; }, "memory");
    refused([](ImageView& v) { v.width = -1; }, "sides");
    refused([](ImageView& v) { v.height = INT_MIN; }, "sides");
    refused([](ImageView& v) { v.channels = 3; }, "3 channels");
}

TEST_P(Arguments, PicturesThatCannotBeShownAreRefused) {
    DisplayJob good;
    good.shown = {pixels_.get(), false};
    good.width = good.height = 4;
    good.channels = 2;
    good.pixels = static_cast<uint32_t*>(askew(1024));
    good.row_bytes = 16;
    EXPECT_EQ(refusal([&] { backend_->display(good); }), "");
    const auto refused = [&](auto change, const char* word) {
        DisplayJob job = good;
        change(job);
        EXPECT_REFUSED(backend_->display(job), word);
    };
    refused([](DisplayJob& j) { j.shown.values = nullptr; }, "null");
    refused([](DisplayJob& j) { j.pixels = nullptr; }, "null");
    refused([](DisplayJob& j) { j.conversion.kind = ColourConversion::Kind::matrix; }, "null");
    refused([&](DisplayJob& j) { j.shown.values = askew(2); }, "aligned to 4");
    refused([&](DisplayJob& j) { j.shown = {askew(4), true}; }, "aligned to 8");
    refused([&](DisplayJob& j) { j.against = {askew(4), true}; }, "aligned to 8");
    refused([&](DisplayJob& j) { j.pixels = static_cast<uint32_t*>(askew(2)); }, "aligned to 4");
    refused([](DisplayJob& j) { j.row_bytes = 12; }, "rows");
    refused([](DisplayJob& j) { j.row_bytes = 18; }, "rows");
    refused([](DisplayJob& j) { j.channels = 0; }, "0 channels");
    refused([](DisplayJob& j) { j.channels = 5; }, "5 channels");
    refused([](DisplayJob& j) { j.width = 0; }, "impossible");
    refused([](DisplayJob& j) { j.height = INT_MAX; }, "impossible");
    refused([](DisplayJob& j) { j.placement = {{nan, 0, 0, 0, 1, 0}, 4, 4}; }, "finite");
}

TEST_P(Arguments, ComparisonsThatCannotBeMadeAreRefused) {
    MeasureJob good;
    good.values = {pixels_.get(), false};
    good.reference = {pixels_.get(), true};
    good.width = good.height = 4;
    good.channels = 2;
    EXPECT_EQ(refusal([&] { backend_->measure(good); }), "");
    const auto refused = [&](auto change, const char* word) {
        MeasureJob job = good;
        change(job);
        EXPECT_REFUSED(backend_->measure(job), word);
    };
    refused([](MeasureJob& j) { j.values.values = nullptr; }, "null");
    refused([](MeasureJob& j) { j.reference.values = nullptr; }, "null");
    refused([&](MeasureJob& j) { j.values.values = askew(2); }, "aligned to 4");
    refused([&](MeasureJob& j) { j.reference.values = askew(4); }, "aligned to 8");
    refused([](MeasureJob& j) { j.channels = 5; }, "5 channels");
    refused([](MeasureJob& j) { j.width = -1; }, "impossible");
    refused([](MeasureJob& j) { j.width = j.height = INT_MAX; }, "impossible");
    EXPECT_REFUSED(backend_->compare(good, nullptr), "null");
}

ON_EVERY_BACKEND(Arguments);

}  // namespace
}  // namespace texelscope::test
