// Numbers on panes, those that float32 cannot hold, and the legend of false colours.

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "app/picture/first_look.h"
#include "app/picture/numbers.h"
#include "gpu/core/tile_source.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// What the numbers on a pane mean.

class Numbers : public testing::Test {
protected:
    void SetUp() override {
        state_.scene.panes = {{parse_spec("quintic")}, {parse_spec("bilinear")}};
        Document document;
        document.source = "/photos/house.png";
        document.image = std::make_shared<const Image>(40, 30, 1, SampleType::u8);
        state_.scene.documents = {document};
        state_.scene.current = 0;
        state_.scene.arrangement = Arrangement::columns;
        state_.scene.reference = {Reference::Kind::method, parse_spec("quintic"), {}};
        state_.places.picture = {0, 0, 400, 300};
        state_.report.findings.panes.resize(2);
        for (PaneReport& report : state_.report.findings.panes) {
            report.metrics = Metrics{
                .rmse = 0.1, .max_abs = 0.4, .psnr = 20, .ssim = 0.9, .pixels = 1200, .worst_x = 12, .worst_y = 8};
            report.render_ms = 0.0713;
            report.cost = {16, true, false};
        }
    }
    NumberMeaning line(int pane, const std::string& name) const {
        for (const NumberMeaning& each : numbers_explained(state_, pane))
            if (each.name == name) return each;
        return {};
    }

    AppState state_;
};

TEST_F(Numbers, StartWithTheOnesOfThePane) {
    EXPECT_EQ(numbers_in_short(state_, 1),
              "Pane B shows bilinear. Against quintic B-spline it reaches 20.0 dB: its values differ from that by 25.5 "
              "of 255 (root mean square).");
    EXPECT_THAT(numbers_in_short(state_, 0),
                AllOf(HasSubstr("Pane A shows quintic B-spline. It is the reference"), Not(HasSubstr(" dB"))));
    state_.scene.reference = {};
    EXPECT_THAT(numbers_in_short(state_, 1), AllOf(HasSubstr("arithmetic error of 26 of 255"), Not(HasSubstr(" dB"))));
    state_.report.findings.panes[1].metrics.reset();
    state_.report.findings.no_metrics = "there is too little memory.";
    EXPECT_THAT(numbers_in_short(state_, 1), HasSubstr("no figures: there is too little memory."));
}

TEST_F(Numbers, OfWhatIsShownNameOnlyWhatIsThere) {
    EXPECT_THAT(line(0, "Value under the cursor").words,
                AllOf(HasSubstr("the status bar shows the position in samples, the interpolated value and"),
                      Not(HasSubstr("arrow"))));
}

TEST_F(Numbers, ZoomedOutSayThatTheyRankNothing) {
    EXPECT_THAT(numbers_in_short(state_, 1), Not(HasSubstr("not which is best")));
    state_.scene.documents[0].view.scale = 3;
    EXPECT_THAT(numbers_in_short(state_, 1), HasSubstr("how much alike they are, not which is best"));
}

TEST_F(Numbers, ShowHowDecibelsFollowFromTheError) {
    EXPECT_EQ(line(1, "PSNR").figure, "20.0 dB");
    EXPECT_THAT(line(1, "PSNR").words, HasSubstr("20 log₁₀ (255 / 25.5) = 20.0."));
    state_.ui.value_unit = ValueUnit::fraction;
    EXPECT_THAT(line(1, "PSNR").words, HasSubstr("20 log₁₀ (1 / 0.1) = 20.0."));
    EXPECT_EQ(line(1, "RMSE").figure, "0.100");
    EXPECT_EQ(line(0, "PSNR").figure, "") << "the reference has none";
}

TEST_F(Numbers, ExplainEveryFigureOfThePane) {
    for (const auto& [name, figure] : {std::pair<std::string, std::string>{"Label", "Bilinear"},
                                       {"Reference", "quintic B-spline"},
                                       {"Measured over", "1200 pixels"},
                                       {"SSIM", "0.9000"},
                                       {"RMSE", "25.5 of 255"},
                                       {"Largest error", "102 of 255"},
                                       {"Time", "71.3 µs"},
                                       {"Taps", "16 taps"},
                                       {"Value under the cursor", "–"}}) {
        EXPECT_EQ(line(1, name).figure, figure) << name;
        EXPECT_TRUE(line(1, name).words.ends_with('.')) << name;
    }
    // In the middle of a pane of 400×300 pixels is the middle of the picture, 40×30; a pixel shows a tenth of a sample.
    state_.scene.arrangement = Arrangement::single;
    state_.scene.active = 1;
    state_.scene.documents[0].view.scale = 0.1;
    EXPECT_THAT(line(1, "Largest error").words, HasSubstr("at 0.75, 0.35 of the picture"));  // 19.5 + (12 − 199.5) / 10
    state_.scene.documents[0].view.scale = 1;
    state_.scene.arrangement = Arrangement::columns;
    Readout readout;
    readout.position = {1.5, 2.25};
    readout.on_image = true;
    readout.channels = 1;
    readout.stored[0] = 1;
    readout.interpolated[0] = 0.5f;
    state_.report.findings.panes[1].readout = readout;
    EXPECT_EQ(line(1, "Value under the cursor").figure, "[127.50]");
    EXPECT_THAT(line(1, "Value under the cursor").words, AllOf(HasSubstr("1.50, 2.25"), HasSubstr("is [255]")));
}

TEST_F(Numbers, OfTheBackgroundAreNoValues) {
    Readout readout;
    readout.position = {-31, 250};
    readout.channels = 1;
    state_.report.findings.panes[1].readout = readout;
    EXPECT_EQ(line(1, "Value under the cursor").figure, "outside");
    EXPECT_THAT(line(1, "Value under the cursor").words, AllOf(HasSubstr("background"), Not(HasSubstr("stored"))));
    state_.scene.outside = Outside::extend;
    EXPECT_THAT(line(1, "Value under the cursor").words, HasSubstr("-31.00, 250.00"));
}

// The pane has 200×300 pixels, of which 40×30 are on the image: the others are not left out, they are the background.
TEST_F(Numbers, SayWhichPixelsOfTheImageAreLeftOut) {
    Metrics& metrics = *state_.report.findings.panes[1].metrics;
    state_.report.findings.panes[1].outdated = false;
    state_.scene.documents[0].image = std::make_shared<const Image>(40, 30, 1, SampleType::f32);
    metrics.left_out = 200 * 300 - 1200;
    EXPECT_THAT(line(1, "Measured over").words, Not(HasSubstr("Not measured")));
    metrics.pixels -= 100;
    metrics.left_out += 100;
    EXPECT_THAT(line(1, "Measured over").words, HasSubstr("Not measured: 100 pixels whose value, here or in the"));
    EXPECT_THAT(line(1, "Measured over").words, HasSubstr("infinite or not a number"));
    state_.scene.selection = Region{0, 0, 40, 29};
    EXPECT_THAT(line(1, "Measured over").words, HasSubstr("Not measured: 60 pixels")) << "29 rows of 40, less 1100";
    state_.scene.selection.reset();
    state_.scene.documents[0].image = std::make_shared<const Image>(40, 30, 1, SampleType::u8);
    EXPECT_THAT(line(1, "Measured over").words, Not(HasSubstr("Not measured"))) << "integers are finite";
    state_.scene.reference = {Reference::Kind::truth, {}, {}};
    EXPECT_THAT(line(1, "Measured over").words, HasSubstr("above Nyquist"));
}

// Numbers that float32 cannot hold, through nearest: each pixel has all bits of the sample that it reads.

constexpr SampleType large_types[] = {SampleType::i32, SampleType::u32, SampleType::i64, SampleType::u64,
                                      SampleType::f64};

// Samples of random bits, among them NaN with any payload.
std::shared_ptr<const Image> random_bits(int width, int height, int channels, SampleType type) {
    Random random(7);
    Image image(width, height, channels, type);
    for (size_t i = 0; i < image.size_bytes(); ++i) image.data()[i] = std::byte(random.integer(0, 255));
    return std::make_shared<const Image>(std::move(image));
}

// Samples that are their own numbers, which float32 holds: a picture of them tells which sample each pixel reads.
Image numbers_of_samples(int width, int height) {
    Image numbers(width, height, 1, SampleType::f32);
    for (int k = 0; k < width * height; ++k) numbers.row_as<float>(k / width)[k % width] = float(k);
    return numbers;
}

std::vector<RenderRequest> requests() {
    std::vector<RenderRequest> all;
    for (const char* spec : {"nearest:address=clamp", "nearest:address=mirror/wrap", "nearest:path=lookup",
                             "nearest:path=hardware", "nearest:path=global"}) {
        RenderRequest request = beyond_borders(parse_spec(spec), 31, 17, 3);
        request.view = {0.37, -0.21, 0.4, 20};
        all.push_back(request);
        request.view = {0.37, -0.21, 1.7, 0};
        all.push_back(request);
    }
    return all;
}

// All bits must be those of the samples with these numbers.
void expect_samples(const Image& got, const Image& image, const Image& which) {
    ASSERT_EQ(got.type(), image.type());
    ASSERT_EQ(got.channels(), image.channels());
    const size_t pixel = size_t(image.channels()) * size_t(bytes_per_sample(image.type()));
    for (int y = 0; y < got.height(); ++y)
        for (int x = 0; x < got.width(); ++x) {
            const int k = int(which.value(x, y, 0));
            ASSERT_EQ(std::memcmp(got.row(y) + size_t(x) * pixel,
                                  image.row(k / image.width()) + size_t(k % image.width()) * pixel, pixel),
                      0)
                << x << ", " << y << " of " << describe(image);
        }
}

class MovedNumbersOn : public OnBackend {
protected:
    Image rendered(const std::shared_ptr<const Image>& image, const RenderRequest& request, SampleType written) {
        return moved_numbers(image, request, Light::stored, written,
                             [&](const std::shared_ptr<const Image>& samples, const RenderRequest& of_samples) {
                                 return SourceImage(backend_, samples).render_to_image(of_samples);
                             });
    }
};

TEST_P(MovedNumbersOn, EveryBitOfEveryTypeArrives) {
    SourceImage which(backend_, numbers_of_samples(31, 17));
    for (const SampleType type : large_types)
        for (int channels = 1; channels <= 4; ++channels) {
            const auto image = random_bits(31, 17, channels, type);
            for (const RenderRequest& request : requests())
                expect_samples(rendered(image, request, type), *image, which.render_to_image(request));
        }
}

TEST_P(MovedNumbersOn, ByRegionsToo) {
    for (const SampleType type : {SampleType::i32, SampleType::u64, SampleType::f64})
        for (const int channels : {1, 3}) {
            const auto image = random_bits(300, 200, channels, type);
            RenderRequest request = beyond_borders(parse_spec("nearest"), 300, 200, 2);
            request.view = {0.37, -0.21, 0.9, 20};
            const Image expected = SourceImage(backend_, numbers_of_samples(300, 200)).render_to_image(request);
            double done = 0;
            MovedRows rows(backend_, std::make_shared<ImageTiles>(image, 64), request, least_tiled_memory,
                           [&](double part) { done = part; });
            expect_samples(whole_of(rows.source()), *image, expected);
            EXPECT_EQ(done, 1);
        }
}

TEST_P(MovedNumbersOn, BeyondABorderIsItsNumber) {
    const auto image = random_bits(3, 3, 2, SampleType::i64);
    RenderRequest request = beyond_borders(parse_spec("nearest:address=border,border=-5:16777216"), 3, 3, 1);
    const Image got = rendered(image, request, SampleType::i64);
    EXPECT_EQ(std::get<int64_t>(got.number(0, 0, 0)), -5);
    EXPECT_EQ(std::get<int64_t>(got.number(0, 0, 1)), 16777216);
    EXPECT_EQ(got.number(1, 1, 1), image->number(0, 0, 1));
}

TEST_P(MovedNumbersOn, PointsHaveThemToo) {
    const auto image = random_bits(5, 4, 3, SampleType::u64);
    SampleRequest request;
    request.spec = parse_spec("nearest");
    request.outside = Outside::nan;
    const double points[] = {3.2, 1.9, 0, 0, 9, 9};
    const auto values = MovedValues(backend_, *image, request).at(PointsView::pairs(points, 3));
    ASSERT_EQ(values.size(), 9u);
    for (int c = 0; c < 3; ++c) {
        EXPECT_EQ(values[size_t(c)], image->number(3, 2, c));
        EXPECT_EQ(values[size_t(3 + c)], image->number(0, 0, c));
        EXPECT_EQ(text_of(values[size_t(6 + c)]), "nan");
    }
}

ON_EVERY_BACKEND(MovedNumbersOn);

// Renderings that compute cannot keep such numbers, and numbers that float32 holds need not be cut.
TEST(MovedNumbers, OnlyWhereSamplesAreMovedAndNeedIt) {
    RenderRequest request = beyond_borders(parse_spec("nearest"), 8, 8, 0);
    const auto moves = [](const RenderRequest& of, SampleType type, SampleType written, Light light = Light::stored) {
        return moves_numbers(of, {.width = 8, .height = 8, .channels = 1, .type = type}, light, written);
    };
    EXPECT_TRUE(moves(request, SampleType::i32, SampleType::i32));
    EXPECT_TRUE(moves(request, SampleType::u32, SampleType::f64));
    EXPECT_FALSE(moves(request, SampleType::i32, SampleType::f32));
    EXPECT_FALSE(moves(request, SampleType::i16, SampleType::i16));
    EXPECT_FALSE(moves(request, SampleType::i32, SampleType::i32, Light::linear));
    RenderRequest shrunk = request;
    shrunk.view.scale = 3;
    EXPECT_TRUE(moves(shrunk, SampleType::i32, SampleType::i32));
    shrunk.antialias = true;
    EXPECT_FALSE(moves(shrunk, SampleType::i32, SampleType::i32));
    RenderRequest smooth = request;
    smooth.spec = parse_spec("bilinear");
    EXPECT_FALSE(moves(smooth, SampleType::i32, SampleType::i32));
    RenderRequest cut = request;
    cut.outside = Outside::background;
    EXPECT_FALSE(moves(cut, SampleType::i32, SampleType::i32));
}

// The legend of false colours.

// What tests/engine/test_display.cpp holds the backends to, in float64.
double shown_at(const DisplaySettings& s, double value) {
    double v = (value - double(s.black)) / (double(s.white) - double(s.black)) * std::exp2(double(s.exposure));
    if (s.curve == ToneCurve::reinhard) v = v / (1 + v);
    if (s.curve == ToneCurve::aces) v = v * (2.51 * v + 0.03) / (v * (2.43 * v + 0.59) + 0.14);
    v = std::pow(v, 1 / double(s.gamma));
    return s.invert ? 1 - v : v;
}

TEST(FalseColour, TheLegendNamesTheValueThatHasTheColour) {
    for (const ToneCurve curve : all_tone_curves)
        for (const bool invert : {false, true})
            for (const double part : {0.0, 0.25, 0.5, 0.9}) {
                const DisplaySettings s{
                    .exposure = -1, .gamma = 1.8f, .black = -2, .white = 5, .curve = curve, .invert = invert};
                if (invert && part == 0 && curve == ToneCurve::reinhard) continue;
                EXPECT_NEAR(shown_at(s, value_shown_at(s, part)), part, 1e-9) << name_of(curve) << " " << part;
            }
    EXPECT_TRUE(std::isinf(value_shown_at({.curve = ToneCurve::reinhard}, 1)));
    EXPECT_NEAR(value_shown_at({.curve = ToneCurve::aces}, 1), 7.24, 0.01);
}

TEST(FalseColour, TheBarHasTheColoursThatItsValuesHaveInThePicture) {
    for (const ToneCurve curve : all_tone_curves)
        for (const bool invert : {false, true})
            for (const double value : {-3.0, -2.0, -1.5, 0.0, 1.0, 4.5, 9.0}) {
                const DisplaySettings s{
                    .exposure = 0.5f, .gamma = 1.8f, .black = -2, .white = 5, .curve = curve, .invert = invert};
                const double low = shown_at(s, std::max(value, -2.0));
                EXPECT_NEAR(shown_part(s, value), std::clamp(low, 0.0, 1.0), 1e-5) << name_of(curve) << " " << value;
            }
    EXPECT_EQ(shown_part({.exposure = 3, .channel = ChannelView::alpha}, 0.25), 0.25) << "opacity is not toned";
}

// Exposure changes the colours of the bar, not what its numbers say.
TEST(FalseColour, TheEndsOfTheBarStayWithTheLevels) {
    for (const float exposure : {-2.0f, 0.0f, 1.0f, 3.0f}) {
        const ColourBar bytes = colour_bar({.exposure = exposure}, SampleType::u8);
        EXPECT_EQ(bytes.low, 0);
        EXPECT_EQ(bytes.high, 1) << exposure;
        EXPECT_FALSE(bytes.below || bytes.above) << "there is nothing beyond";
        const DisplaySettings s{.exposure = exposure, .black = -1, .white = 3};
        const ColourBar floats = colour_bar(s, SampleType::f32);
        EXPECT_EQ(floats.low, -1);
        EXPECT_NEAR(floats.high, exposure < 0 ? 15 : 3, 1e-9) << "as far as there are other colours";
        EXPECT_NEAR(shown_part(s, floats.high), 1, 1e-6);
        EXPECT_TRUE(floats.below && floats.above);
    }
    const ColourBar part = colour_bar({.exposure = -3, .black = 0.25, .white = 0.5}, SampleType::u16);
    EXPECT_EQ(part.high, 1) << "16 bits hold no more";
    EXPECT_TRUE(part.below);
    EXPECT_FALSE(part.above);
    const ColourBar endless = colour_bar({.curve = ToneCurve::reinhard}, SampleType::f32);
    EXPECT_NEAR(endless.high, 7, 1e-6);
    EXPECT_FALSE(endless.above) << "larger values have other colours";
    const ColourBar inverted = colour_bar({.exposure = -1, .invert = true}, SampleType::f32);
    EXPECT_NEAR(inverted.high, 2, 1e-9);
    EXPECT_NEAR(shown_part({.exposure = -1, .invert = true}, inverted.high), 0, 1e-6);
}

TEST(FalseColour, IsShownWhereThereIsOneChannel) {
    AppState state;
    state.scene.panes = {{default_spec(*find_method("bilinear"))}};
    Document document;
    document.source = "@x";
    document.image = std::make_shared<const Image>(4, 4, 3, SampleType::u8);
    state.scene.documents = {document};
    state.scene.current = 0;
    EXPECT_FALSE(shows_false_colour(state, 0));
    state.scene.display.map = ColourMap::ember;
    EXPECT_FALSE(shows_false_colour(state, 0)) << "three channels are colours";
    state.scene.display.channel = ChannelView::luma;
    EXPECT_TRUE(shows_false_colour(state, 0));
    state.scene.display.channel = ChannelView::all;
    state.scene.documents[0].image = std::make_shared<const Image>(4, 4, 2, SampleType::u8, Alpha::straight);
    EXPECT_TRUE(shows_false_colour(state, 0)) << "grey with alpha";
    state.scene.documents[0].image = std::make_shared<const Image>(4, 4, 2, SampleType::f32);
    EXPECT_FALSE(shows_false_colour(state, 0));
    state.scene.display.complex = ComplexView::magnitude;
    EXPECT_TRUE(shows_false_colour(state, 0));
}

}  // namespace
}  // namespace texelscope::test
