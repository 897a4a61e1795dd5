// Panes: their figures, their words, their memory.

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "app/picture/pane_picture.h"
#include "app/picture/rendition.h"
#include "app/state/panes.h"
#include "gpu/core/colour.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Tells = Against::Tells;

// What the chips and the Compare panel say about a pane's figures.

Document document(const std::string& source, int width, int height) {
    Document document;
    document.source = source;
    document.image = std::make_shared<const Image>(width, height, 1, SampleType::u8);
    document.view.scale = 0.25;
    return document;
}

class PaneFigures : public testing::Test {
protected:
    void SetUp() override {
        for (const char* spec : {"nearest", "bspline", "bspline:path=hardware", "bspline:prefilter=fir7"})
            state_.scene.panes.push_back({parse_spec(spec)});
        state_.scene.documents = {document("/photos/small.png", 40, 30), document("/photos/large.png", 160, 120),
                                  document("/photos/other.png", 40, 30)};
        state_.scene.current = 0;
        state_.scene.arrangement = Arrangement::grid;
        state_.places.picture = {0, 0, 400, 300};
        measure_against({Reference::Kind::method, parse_spec("bspline"), {}});
        state_.report.findings.panes.resize(4);
        for (PaneReport& report : state_.report.findings.panes) {
            report.metrics = Metrics{.rmse = 2e-8, .max_abs = 0.5, .psnr = 31.06, .ssim = 0.98765, .pixels = 30000};
            report.render_ms = 0.0713;
            report.outdated = false;
        }
    }
    void measure_against(const Reference& reference) { state_.scene.reference = reference; }
    std::vector<std::string> lines(int pane) const { return chip_figures(state_, pane, Named::elsewhere); }

    AppState state_;
};

TEST_F(PaneFigures, NameTheReferenceWhereThereIsSpace) {
    EXPECT_THAT(lines(0), ElementsAre("against cubic B-spline: 31.1 dB", "against cubic B-spline: 31.1 dB", "31.1 dB"));
    state_.report.findings.panes[0].outdated = true;
    state_.scene.selection = Region{1, 1, 5, 5};
    EXPECT_EQ(reference_name(state_.scene, 0), "cubic B-spline") << "the difference names it too";
    EXPECT_THAT(lines(0), ElementsAre("… selection · against cubic B-spline: 31.1 dB",
                                      "… against cubic B-spline: 31.1 dB", "… 31.1 dB"));
}

TEST_F(PaneFigures, HaveDecimalsEnoughToTellPanesApart) {
    measure_against({Reference::Kind::method, parse_spec("quintic"), {}});
    const auto psnr = [&](size_t pane, double value) { state_.report.findings.panes[pane].metrics->psnr = value; };
    EXPECT_EQ(psnr_decimals(state_), 1) << "all are equal";
    psnr(0, 28.04), psnr(1, 28.31), psnr(2, 29.0), psnr(3, 30.0);
    EXPECT_EQ(short_figure(state_, 0), "28.0 dB");
    psnr(1, 28.01);
    EXPECT_EQ(short_figure(state_, 0), "28.04 dB");
    EXPECT_EQ(short_figure(state_, 1), "28.01 dB");
    EXPECT_EQ(short_figure(state_, 3), "30.00 dB") << "all have the same number of decimals";
    EXPECT_EQ(lines(1).front(), "against quintic B-spline: 28.01 dB");
    EXPECT_THAT(figures_explained(state_, 1), HasSubstr("PSNR 28.01 dB"));
    state_.scene.arrangement = Arrangement::single;  // the other is not in view
    EXPECT_EQ(short_figure(state_, 0), "28.0 dB");
    state_.scene.arrangement = Arrangement::grid;
    psnr(0, 26.1849), psnr(1, 26.1831), psnr(2, 26.1772), psnr(3, 26.1801);  // as of the best four of a photograph
    EXPECT_EQ(short_figure(state_, 0), "26.185 dB");
    EXPECT_EQ(short_figure(state_, 1), "26.183 dB");
    psnr(0, 26.18001), psnr(1, 26.18002), psnr(2, 26.18003), psnr(3, 26.18004);
    EXPECT_EQ(short_figure(state_, 0), "26.2 dB") << "they do not differ";
    psnr(0, 151), psnr(1, 144);  // only rounding is left
    EXPECT_EQ(short_figure(state_, 0), "> 120 dB");
    EXPECT_EQ(psnr_decimals(state_), 1);
}

TEST_F(PaneFigures, LabelsSayWhatMatters) {
    const auto labels = [&] {
        std::vector<std::string> all;
        for (int pane = 0; pane < int(state_.scene.panes.size()); ++pane) all.push_back(pane_label(state_, pane));
        return all;
    };
    const auto show = [&](const std::vector<std::string>& specs) {
        state_.scene.panes.clear();
        for (const std::string& spec : specs) state_.scene.panes.push_back({parse_spec(spec)});
    };
    show({"nearest", "bilinear", "catmull-rom", "bspline"});
    EXPECT_THAT(labels(), ElementsAre("Nearest neighbour", "Bilinear", "Catmull–Rom", "Cubic B-spline"));
    show({"bspline"});
    EXPECT_THAT(labels(), ElementsAre("Cubic B-spline"));
    show({"bspline:path=hardware"});
    EXPECT_THAT(labels(), ElementsAre("Cubic B-spline · hardware")) << "not the default";
    show({"bspline", "bspline:path=hardware"});
    EXPECT_THAT(labels(), ElementsAre("Cubic B-spline · auto", "Cubic B-spline · hardware")) << "in which they differ";
    show({"bspline", "bspline:prefilter=fir7", "bspline:prefilter=none"});
    EXPECT_THAT(labels(), ElementsAre("Cubic B-spline · exact prefilter", "Cubic B-spline · prefilter of 7 taps",
                                      "Cubic B-spline · no prefilter"));
    show({"bicubic", "bicubic:a=-0.61", "bc:b=0,c=1"});
    EXPECT_THAT(labels(), ElementsAre("Bicubic (Keys)", "Bicubic (Keys) · a = −0.61", "(B, C) cubic · B = 0 · C = 1"));
    // One without a prefilter tells nothing of the others'.
    show({"nearest", "bspline"});
    EXPECT_THAT(labels(), ElementsAre("Nearest neighbour", "Cubic B-spline"));
    state_.scene.documents[0].view.scale = 4;
    EXPECT_THAT(labels(), Each(Not(HasSubstr("antialiased")))) << "all are";
    state_.scene.panes[0].antialias = false;
    EXPECT_EQ(pane_label(state_, 1), "Cubic B-spline · antialiased") << "the other is not";
    state_.scene.light = Light::linear;
    EXPECT_EQ(pane_label(state_, 1), "Cubic B-spline · antialiased · linear light");
    EXPECT_EQ(shown_words(state_, 1), "Cubic B-spline · exact prefilter · antialiased · linear light") << "in full";
    state_.scene.panes[1].label = "mine";
    EXPECT_EQ(pane_label(state_, 1), "mine");
}

TEST_F(PaneFigures, APaneThatIsTheReferenceSaysSoInsteadOfDecibels) {
    EXPECT_EQ(lines(1).front(), "is the reference");
    EXPECT_EQ(lines(1).back(), "reference");
    EXPECT_EQ(against_of(state_, 2).tells, Tells::difference) << "the texture unit's weights differ";
    EXPECT_EQ(against_of(state_, 3).tells, Tells::difference) << "so does a prefilter that is cut off";
    state_.scene.panes[1].spec = parse_spec("bc:b=0.5");
    measure_against({Reference::Kind::method, parse_spec("bc:b=0.25"), {}});
    EXPECT_EQ(against_of(state_, 1).tells, Tells::difference) << "other parameters";
    // Zoomed out and antialiased, weights come from a table, whatever the path.
    measure_against({Reference::Kind::method, parse_spec("bspline"), {}});
    state_.scene.documents[0].view.scale = 3;
    EXPECT_EQ(against_of(state_, 2).tells, Tells::nothing);
}

TEST_F(PaneFigures, AgainstThemselvesMethodsHaveNeitherDecibelsNorSsim) {
    measure_against({});
    for (int pane = 0; pane < 4; ++pane) {
        EXPECT_THAT(lines(pane),
                    ElementsAre("arithmetic error 5.1e-6 of 255", "arithmetic error 5.1e-6 of 255", "error 5.1e-6"));
        EXPECT_THAT(figures_explained(state_, pane),
                    AllOf(Not(HasSubstr("dB")), Not(HasSubstr("SSIM")), HasSubstr("RMSE 5.10e-06 of 255"),
                          HasSubstr("largest error 127.5 of 255")));
    }
}

TEST_F(PaneFigures, HaveTheUnitThatWasChosen) {
    measure_against({});
    state_.ui.value_unit = ValueUnit::fraction;
    EXPECT_EQ(lines(0)[1], "arithmetic error 2e-8");
    EXPECT_THAT(figures_explained(state_, 0), HasSubstr("largest error 0.500 at"));
    state_.ui.value_unit = ValueUnit::levels;
    state_.scene.documents[0].image = std::make_shared<const Image>(40, 30, 1, SampleType::f32);
    EXPECT_EQ(lines(0)[1], "arithmetic error 2e-8") << "floats have no range";
}

TEST_F(PaneFigures, WithoutAPeakTheErrorIsSaidInsteadOfDecibels) {
    state_.report.findings.panes[0].metrics->psnr = state_.report.findings.panes[0].metrics->ssim = NAN;
    state_.report.findings.no_psnr = "the samples are still being read";
    EXPECT_THAT(lines(0), ElementsAre("against cubic B-spline: RMSE 5.10e-06 of 255",
                                      "against cubic B-spline: RMSE 5.10e-06 of 255", "RMSE 5.10e-06 of 255"));
    EXPECT_THAT(figures_explained(state_, 0), HasSubstr("PSNR – dB\nSSIM –\nRMSE 5.10e-06 of 255"));
    EXPECT_THAT(figures_explained(state_, 0), HasSubstr("the samples are still being read."));
}

TEST_F(PaneFigures, ALargerImageIsTheOriginal) {
    measure_against({Reference::Kind::image, {}, "/photos/large.png"});
    EXPECT_EQ(lines(0)[0], "against the original: 31.1 dB");
    EXPECT_THAT(figures_explained(state_, 0),
                HasSubstr("Against the original, large.png, over the same field, read by the cubic B-spline"));
    measure_against({Reference::Kind::image, {}, "/photos/other.png"});
    EXPECT_EQ(lines(0)[0], "against other.png: 31.1 dB");
    measure_against({Reference::Kind::image, {}, "/photos/small.png"});
    EXPECT_EQ(against_of(state_, 1).tells, Tells::nothing);
    EXPECT_EQ(against_of(state_, 2).tells, Tells::arithmetic);
}

TEST_F(PaneFigures, AreExplained) {
    const std::string text = figures_explained(state_, 0);
    for (const char* part : {"Nearest neighbour", "Against cubic B-spline, exact, in float64",
                             "all of the image that this pane shows", "30000 pixels", "PSNR 31.1 dB", "SSIM 0.9877",
                             "RMSE 5.10e-06 of 255", "largest error 127.5 of 255", "71.3 µs"})
        EXPECT_THAT(text, HasSubstr(part));
    state_.scene.selection = Region{1, 1, 5, 5};
    EXPECT_THAT(figures_explained(state_, 0), HasSubstr("the selected region: 30000 pixels"));
    EXPECT_THAT(figures_explained(state_, 1), AllOf(HasSubstr("This pane is the reference"), Not(HasSubstr("dB"))));
}

TEST_F(PaneFigures, AreMissingUntilSomethingIsKnown) {
    state_.report.findings.panes[0].metrics.reset();
    EXPECT_TRUE(lines(0).empty());
    state_.report.findings.panes.clear();
    EXPECT_TRUE(lines(0).empty());
}

// Added methods leave the default reference as it is: figures of different versions and pictures can be compared.
TEST(DefaultReference, IsTheQuinticBSpline) {
    const Reference reference = default_reference();
    EXPECT_EQ(reference.kind, Reference::Kind::method);
    EXPECT_EQ(reference.spec.method->id, "quintic");
    EXPECT_TRUE(reference.spec.method->interpolating);
}

// A verdict on the whole image may be known: the figures of a part of it differ.
TEST_F(PaneFigures, AgainstAnOriginalTheySayThatTheyAreOfTheVisiblePart) {
    measure_against({Reference::Kind::image, {}, "/photos/large.png"});
    EXPECT_EQ(lines(0).front(), "against the original: 31.1 dB");
    EXPECT_EQ(comparison_words(state_, false, true).front(), "dB against the original");
    state_.scene.documents[0].view.scale = 0.1;
    EXPECT_EQ(lines(0).front(), "visible part · against the original: 31.1 dB");
    EXPECT_EQ(lines(0).back(), "31.1 dB") << "where there is no space for it";
    EXPECT_EQ(comparison_words(state_, false, true).front(), "dB of the visible part against the original");
    state_.scene.selection = Region{1, 1, 5, 5};
    EXPECT_EQ(lines(0).front(), "selection · against the original: 31.1 dB");
    state_.scene.selection.reset();
    measure_against({Reference::Kind::method, parse_spec("bspline"), {}});
    EXPECT_EQ(lines(0).front(), "against cubic B-spline: 31.1 dB");
}

// Zoomed out, the reference is widened as well: it is no truth that decibels against it could rank by.
TEST_F(PaneFigures, ZoomedOutTheyTellLikenessNotQuality) {
    EXPECT_EQ(comparison_words(state_, false, true).front(), "dB against cubic B-spline");
    state_.scene.documents[0].view.scale = 3;
    EXPECT_EQ(lines(0).front(), "likeness to cubic B-spline: 31.1 dB");
    EXPECT_THAT(comparison_words(state_, false, true),
                ElementsAre("dB against cubic B-spline: likeness, not quality", "likeness to cubic B-spline"));
    EXPECT_THAT(comparison_words(state_, true, true),
                ElementsAre("absolute difference and dB against cubic B-spline: likeness, not quality",
                            "difference, likeness to cubic B-spline", "against cubic B-spline"))
        << "however short, it does not call the colours of differences likeness";
    state_.scene.panes[0].difference = true;
    EXPECT_EQ(comparison_words(state_, true, false).front(), "absolute difference against cubic B-spline");
    EXPECT_THAT(figures_explained(state_, 0), HasSubstr("not which is best"));
    state_.scene.antialias = false;
    EXPECT_EQ(lines(0).front(), "against cubic B-spline: 31.1 dB");
    state_.scene.antialias = true;
    measure_against({Reference::Kind::image, {}, "/photos/large.png"});
    EXPECT_EQ(lines(0).front(), "against the original: 31.1 dB") << "the original is a truth at any zoom";
}

// Panes in words.

TEST(PaneWords, TheShortLabelTellsPanesApart) {
    AppState state;
    state.scene.panes = {{default_spec(*find_method("bilinear"))}, {default_spec(*find_method("bspline"))}};
    Document& document = state.scene.documents.emplace_back();
    document.source = "@constant";
    document.image = std::make_shared<const Image>(64, 64, 1, SampleType::u8);
    state.scene.current = 0;
    state.scene.arrangement = Arrangement::columns;
    state.places.picture = {0, 0, 200, 100};
    EXPECT_EQ(short_label(state, 0), "Bilinear");
    state.scene.panes[0].difference = true;
    EXPECT_EQ(short_label(state, 0), "difference · Bilinear");
    state.scene.panes[1].label = "smooth";
    EXPECT_EQ(short_label(state, 1), "smooth");
    state.pointer.inside = state.pointer.reference = true;
    state.pointer.pane = 1;
    EXPECT_EQ(short_label(state, 1), "reference · Cubic B-spline, exact") << "not the label of the pane itself";
    EXPECT_EQ(short_label(state, 0), "difference · Bilinear");
}

// What panes keep in the backend's memory.

class PaneMemory : public MemoryTest {
protected:
    static Rendition rendition(const std::shared_ptr<const Image>& image, const char* spec, int width, int height) {
        return {image, Light::stored, request_of(spec_of(spec), width, height)};
    }
};

std::shared_ptr<const Image> rgb(int side, uint64_t seed) {
    return std::make_shared<const Image>(noise(side, side, 3, SampleType::u8, seed));
}

// Every backend has a premultiplied copy of it, in floats.
std::shared_ptr<const Image> translucent(int side, uint64_t seed) {
    return std::make_shared<const Image>(noise(side, side, 4, SampleType::u8, seed, Alpha::straight));
}

// A user explores: panes are added, removed, show differences, other exposures, references and figures, of 1024².
TEST_P(PaneMemory, DoesNotPileUpWhateverIsShown) {
    const std::array<std::shared_ptr<const Image>, 3> images = {rgb(1024, 1), rgb(1024, 2), rgb(700, 3)};
    const std::vector<AddressPair> addresses = all_address_pairs();
    Random random(4);
    const auto any = [&](int width, int height) {
        Rendition r{random.pick(images), random.chance(0.2) ? Light::linear : Light::stored, {}, random.chance(0.1)};
        MethodSpec spec =
            random.chance(0.7) ? spec_of("bspline") : default_spec(*random.pick(all_methods()));  // a set each time
        spec.path = random.pick(all_fetch_paths);
        spec.address = random.pick(addresses);
        const std::vector<Prefilter> prefilters = all_prefilters(*spec.method);
        spec.prefilter = random.pick(prefilters);
        r.request = request_of(spec, width, height);
        r.request.view = random_view(random, r.image->width(), r.image->height());
        r.request.antialias = random.chance(0.5);
        return r;
    };
    SourceCache sources(backend_);
    PaneRenderer panes(sources);
    std::vector<uint32_t> pixels(200 * 150);
    const auto shown = backend_->allocate(pixels.size() * 4);
    constexpr size_t frame_bytes = 200 * mebibyte;  // sets, levels, textures, float64 coefficients of two frames
    memory().set_limit(128 * mebibyte);
    for (int frame = 0; frame < 100; ++frame) {
        if (frame == 30) memory().set_limit(MemoryBudget::unlimited);
        sources.hold(size_t(random.integer(1, 3)));
        for (int pane = random.integer(1, 3); pane > 0; --pane) {
            const int width = random.integer(1, 200), height = random.integer(1, 150);
            PanePicture picture;
            picture.shown = any(width, height);
            if (random.chance(0.3)) picture.against = any(width, height);
            if (random.chance(0.3)) picture.display.exposure = 1;
            panes.prepare(picture);
            panes.render(picture, shown.get(), size_t(width) * 4);
            if (random.chance(0.3)) panes.measure(picture.shown, any(width, height), {});
        }
        memory().next_frame();
        const size_t limit = frame < 30 ? 128 * mebibyte : MemoryBudget::idle_bytes;
        ASSERT_LE(memory().kept(), frame < 30 ? limit : limit + frame_bytes) << frame;
        ASSERT_LE(memory().taken(), limit + frame_bytes) << frame;
    }
}

TEST_P(PaneMemory, AnImageThatIsNotShownMakesRoomAndComesBack) {
    const auto a = translucent(512, 5), b = translucent(512, 6), c = translucent(512, 7);
    SourceCache sources(backend_);
    PaneRenderer panes(sources);
    const Image before = panes.render_to_rgba8({rendition(a, "bilinear", 40, 30), {}, {}, {}});
    sources.at(b);
    const size_t image = 512 * 512 * 16;
    memory().set_capacity(memory().taken() + image / 2);
    EXPECT_NO_THROW(sources.at(c));  // replaces a, not b, which was requested last
    EXPECT_EQ(counts().uploads, 3);
    EXPECT_NO_THROW(sources.at(c));
    EXPECT_NO_THROW(sources.at(b));
    EXPECT_EQ(counts().uploads, 3);
    const Image after = panes.render_to_rgba8({rendition(a, "bilinear", 40, 30), {}, {}, {}});
    EXPECT_EQ(counts().uploads, 4);
    EXPECT_EQ(0, std::memcmp(before.data(), after.data(), before.size_bytes()));
}

// An image that does not fit leaves the one on the screen unchanged.
TEST_P(PaneMemory, AnImageThatIsRefusedCostsNothing) {
    const auto a = translucent(512, 8), large = translucent(1200, 9);
    SourceCache sources(backend_);
    sources.at(a);
    memory().set_capacity(memory().taken() + mebibyte);
    EXPECT_THROW(sources.at(large), OutOfMemory);
    sources.at(a);
    EXPECT_EQ(counts().uploads, 2);
}

// Both sides of a difference are in memory at the same time, however little there is.
TEST_P(PaneMemory, DifferencesAndFiguresAreRightWithNothingKept) {
    const auto a = rgb(200, 10), b = rgb(200, 11);
    PanePicture picture{rendition(a, "bspline", 180, 160), rendition(b, "quintic:address=wrap", 180, 160), {}, {}};
    picture.against->float64 = true;
    SourceCache rich(shared_backend(GetParam())), poor(backend_);
    PaneRenderer from_rich(rich), from_poor(poor);
    memory().set_limit(0);
    const Image expected = from_rich.render_to_rgba8(picture), got = from_poor.render_to_rgba8(picture);
    EXPECT_EQ(0, std::memcmp(expected.data(), got.data(), got.size_bytes()));
    const Metrics one = from_rich.measure(picture.shown, *picture.against, {});
    const Metrics other = from_poor.measure(picture.shown, *picture.against, {});
    EXPECT_EQ(one.rmse, other.rmse);
    EXPECT_EQ(one.ssim, other.ssim);
    EXPECT_EQ(one.pixels, other.pixels);
}

ON_EVERY_BACKEND(PaneMemory);

}  // namespace
}  // namespace texelscope::test
