// Profiles: samples at their stored positions, curves as each method makes them, tables that read back.

#include "app/picture/inspect/profile.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "app/picture/inspect/inspector.h"
#include "app/state/panes.h"
#include "gpu/backend/source_image.h"
#include "tests/support/backends.h"
#include "tests/support/images.h"
#include "tests/support/tolerances.h"

namespace texelscope::test {
namespace {

using Along = ProfileLine::Along;

ProfileReport profile_of(const std::shared_ptr<Backend>& backend, const Image& image, const ProfileLine& line,
                         const MethodSpec& spec, double from = -1e9, double to = 1e9, int columns = 200) {
    ProfileReport profile = profile_along(line, image);
    place_points(profile, image, from, to, columns);
    SourceImage source(backend, image);
    if (profile.channels > 0) add_curve(profile, 0, source, spec);
    return profile;
}

float curve_at(const ProfileReport& profile, double at, size_t channel = 0) {
    const auto found = std::lower_bound(profile.at.begin(), profile.at.end(), at);
    return found == profile.at.end() ? NAN : profile.curves[0].values[size_t(found - profile.at.begin())][channel];
}

class Profile : public OnBackend {};

TEST_P(Profile, RowsAndColumnsListTheirSamplesAndInterpolatorsPassThroughThem) {
    const Image image = noise(24, 17, 3, SampleType::u8, 431);
    for (const MethodInfo* method : every_method()) {
        if (!method->interpolating) continue;
        for (const Along along : {Along::row, Along::column}) {
            const ProfileReport p = profile_of(backend_, image, {along, true, {5.2, 8.7}, {}}, default_spec(*method));
            ASSERT_EQ(p.stored.size(), along == Along::row ? 24u : 17u);
            for (size_t k = 0; k < p.stored.size(); ++k)
                for (size_t c = 0; c < 3; ++c) {
                    const float stored =
                        along == Along::row ? image.value(int(k), 9, int(c)) : image.value(5, int(k), int(c));
                    EXPECT_EQ(p.stored[k].value[c], stored);
                    EXPECT_EQ(p.stored[k].at, double(k));
                    EXPECT_NEAR(curve_at(p, double(k), c), stored, tolerance::knot) << method->id;
                }
        }
    }
}

TEST_P(Profile, BilinearIsStraightBetweenSamplesAndNearestIsSteps) {
    const Image image = noise(9, 1, 1, SampleType::f32, 432);
    const auto sample = [&](double k) { return double(image.value(std::clamp(int(k), 0, 8), 0, 0)); };
    const ProfileReport linear = profile_of(backend_, image, {}, spec_of("bilinear")),
                        steps = profile_of(backend_, image, {}, spec_of("nearest"));
    for (size_t n = 0; n < linear.at.size(); ++n) {
        const double x = linear.at[n], left = std::floor(x), t = x - left;
        EXPECT_NEAR(double(linear.curves[0].values[n][0]), (1 - t) * sample(left) + t * sample(left + 1), 1e-6) << x;
        if (std::abs(t - 0.5) > 1e-6) {
            EXPECT_EQ(double(steps.curves[0].values[n][0]), sample(std::floor(x + 0.5))) << x;
        }
    }
}

// Keys 1981: beside a step from 0 to 1, only Catmull–Rom's outermost weight −t (1 − t)² / 2 counts; −2/27 at t = 1/3.
TEST_P(Profile, CatmullRomOvershootsAStepByTwo27ths) {
    const Image image = signal(16, [](int k) { return k >= 8; });
    const ProfileReport p = profile_of(backend_, image, {}, spec_of("catmull-rom"), 4, 12, 1200);
    double low = 0, high = 0;
    for (const auto& value : p.curves[0].values) {
        low = std::min(low, double(value[0]));
        high = std::max(high, double(value[0]));
    }
    EXPECT_NEAR(low, -2.0 / 27, 1e-5);
    EXPECT_NEAR(high, 1 + 2.0 / 27, 1e-5);
}

// Zoomed in to one interval there are enough points for every step of the texture unit's 8-bit fraction.
TEST_P(Profile, ShowsThe256StepsOfHardwareWeights) {
    const Image image = signal(2, [](int k) { return k; });
    const ProfileReport p = profile_of(backend_, image, {}, spec_of("bilinear:path=hardware"), 0, 1, 400);
    std::set<float> levels;
    for (const auto& value : p.curves[0].values) levels.insert(value[0]);
    EXPECT_GE(levels.size(), 256u);
    EXPECT_LE(levels.size(), 257u);
    const ProfileReport exact = profile_of(backend_, image, {}, spec_of("bilinear:path=global"), 0, 1, 400);
    std::set<float> all;
    for (const auto& value : exact.curves[0].values) all.insert(value[0]);
    EXPECT_GT(all.size(), 1500u);
}

TEST_P(Profile, ADrawnLineListsWhatLiesWithinHalfASample) {
    const Image image = noise(30, 20, 1, SampleType::f32, 433);
    const Point a{3.3, 2.1}, b{24.7, 15.4};
    const ProfileReport p = profile_of(backend_, image, {Along::line, true, a, b}, spec_of("bspline"));
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    EXPECT_NEAR(p.end(), length, 1e-12);
    std::vector<std::pair<double, float>> expected;  // every sample of the image is included
    for (int y = 0; y < 20; ++y)
        for (int x = 0; x < 30; ++x) {
            const double along = ((x - a.x) * (b.x - a.x) + (y - a.y) * (b.y - a.y)) / length,
                         beside = ((x - a.x) * (b.y - a.y) - (y - a.y) * (b.x - a.x)) / length;
            if (std::abs(beside) <= 0.5 && along >= 0 && along <= length)
                expected.push_back({along, image.value(x, y, 0)});
        }
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(p.stored.size(), expected.size());
    for (size_t k = 0; k < expected.size(); ++k) {
        EXPECT_NEAR(p.stored[k].at, expected[k].first, 1e-9);
        EXPECT_EQ(p.stored[k].value[0], expected[k].second);
    }
    SourceImage source(backend_, image);
    for (const double t : {0.0, 0.25, 1.0}) {
        const Point point{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
        EXPECT_NEAR(curve_at(p, p.at[size_t(t * double(p.at.size() - 1))]),
                    source.value_at(spec_of("bspline"), p.point(p.at[size_t(t * double(p.at.size() - 1))]))[0], 1e-6);
        EXPECT_NEAR(p.point(t * length).x, point.x, 1e-12);
        EXPECT_NEAR(p.point(t * length).y, point.y, 1e-12);
    }
}

TEST_P(Profile, TheAxisTellsTheEndsOfALineApart) {
    const Image image = noise(8, 8, 1, SampleType::u8, 435);
    const auto axis = [&](Point a, Point b) {
        return profile_of(backend_, image, {Along::line, true, a, b}, spec_of("bilinear")).axis;
    };
    EXPECT_EQ(axis({0.47, 0.5}, {0.53, 0.5}), "samples along (0.47, 0.50) – (0.53, 0.50)");
    EXPECT_EQ(axis({1.25, 2}, {5, 6}), "samples along (1.2, 2.0) – (5.0, 6.0)");
}

TEST_P(Profile, ALineWithoutLengthHasNoProfile) {
    const Image image = noise(8, 8, 1, SampleType::u8, 434);
    EXPECT_EQ(profile_of(backend_, image, {Along::line, true, {3, 3}, {3, 3}}, spec_of("bilinear")).channels, 0);
}

TEST_P(Profile, AlphaIsDividedOut) {
    Image image(4, 1, 2, SampleType::f32, Alpha::straight);
    for (int x = 0; x < 4; ++x) {
        image.row_as<float>(0)[2 * x] = 0.75f;
        image.row_as<float>(0)[2 * x + 1] = float(x) / 4;
    }
    const ProfileReport p = profile_of(backend_, image, {}, spec_of("bilinear"), 0.5, 3);
    for (const auto& value : p.curves[0].values) EXPECT_NEAR(value[0], 0.75f, 1e-6);
}

// Values are as everywhere else; only the plot leaves out what cannot be seen.
TEST_P(Profile, ThePlotHasAGapWhereAlphaRoundsToZero) {
    Image image(3, 1, 2, SampleType::f32, Alpha::straight);
    const float values[] = {0.75f, 0, 0.75f, -0.25f, 0.75f, 0.001f};
    std::copy_n(values, 6, image.row_as<float>(0));
    const ProfileReport p = profile_of(backend_, image, {}, spec_of("nearest"), 0, 2);
    EXPECT_EQ(curve_at(p, 0), 0);
    EXPECT_NEAR(curve_at(p, 1), 0.75f, 1e-6);
    EXPECT_NEAR(curve_at(p, 2), 0.75f, 1e-6);
    const Plot plot = profile_plot(p, 0), alpha = profile_plot(p, 1);
    const auto shown = [&](const Plot& in, double at) {
        const Series& curve = in.series[0];
        return curve.y[size_t(std::find(curve.x.begin(), curve.x.end(), at) - curve.x.begin())];
    };
    EXPECT_TRUE(std::isnan(shown(plot, 0)));
    EXPECT_NEAR(shown(plot, 1), 0.75, 1e-6);
    EXPECT_TRUE(std::isnan(shown(plot, 2)));
    EXPECT_TRUE(std::isnan(plot.series[1].y[0]) && plot.series[1].y[1] == 0.75);
    EXPECT_EQ(shown(alpha, 1), -0.25);
    const Plot levels = profile_plot(p, 1, {ValueUnit::levels, SampleType::u8});
    EXPECT_EQ(shown(levels, 1), -0.25 * 255);
    EXPECT_EQ(levels.y.label, "value (0–255)");
    EXPECT_EQ(alpha.y.label, "value");
}

std::vector<std::vector<std::string>> cells_of(const std::string& csv) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
        rows.emplace_back();
        std::istringstream cells(line + ",");
        for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
    }
    return rows;
}

TEST_P(Profile, TheTableReadsBackAsTheSameNumbers) {
    const Image image = noise(12, 9, 3, SampleType::u16, 435);
    for (const Along along : {Along::row, Along::line}) {
        const ProfileReport p = profile_of(backend_, image, {along, true, {2.5, 3}, {8, 7}},
                                           spec_of("bspline:prefilter=fir15,path=hardware"));
        const auto rows = cells_of(profile_as_csv(p, {"bspline:prefilter=fir15,path=hardware"}));
        ASSERT_EQ(rows.size(), p.at.size() + 1);
        const size_t before = along == Along::line ? 3 : 1;
        EXPECT_EQ(rows[0][0], along == Along::line ? "distance" : "x");
        EXPECT_EQ(rows[0][before], "stored v0");
        EXPECT_EQ(rows[0][before + 3], "A bspline:prefilter=fir15 path=hardware v0");
        size_t stored = 0;
        for (size_t k = 0; k < p.at.size(); ++k) {
            const auto& row = rows[k + 1];
            ASSERT_EQ(row.size(), before + 6);
            EXPECT_EQ(std::stod(row[0]), p.at[k]);
            for (size_t c = 0; c < 3; ++c) EXPECT_EQ(std::stof(row[before + 3 + c]), p.curves[0].values[k][c]);
            if (row[before].empty()) continue;
            EXPECT_EQ(std::stof(row[before]), p.stored[stored].value[0]);
            EXPECT_EQ(std::stod(row[0]), p.stored[stored].at);
            ++stored;
        }
        EXPECT_EQ(stored, p.stored.size());
    }
}

TEST_P(Profile, ThePlotHoldsAllValues) {
    const Image image = noise(12, 9, 1, SampleType::f32, 436);
    const ProfileReport p = profile_of(backend_, image, {}, spec_of("catmull-rom"));
    const Plot plot = profile_plot(p, -1);
    ASSERT_EQ(plot.series.size(), 2u);
    for (const Series& series : plot.series)
        for (const double y : series.y) {
            EXPECT_GE(y, plot.y.minimum);
            EXPECT_LE(y, plot.y.maximum);
        }
    EXPECT_EQ(plot.x.label, "x (samples), row 0");
}

ON_EVERY_BACKEND(Profile);

// Rec. ITU-R BT.709.
TEST(ProfileValue, LumaOfColoursElseTheFirstChannel) {
    EXPECT_NEAR(profile_value({1, 0, 0, 0}, 3, false, -1), 0.2126, 1e-9);
    EXPECT_NEAR(profile_value({0, 1, 0, 0.5f}, 4, true, -1), 0.7152, 1e-9);
    EXPECT_EQ(profile_value({0.25f, 1, 0, 0}, 2, false, -1), 0.25);
    EXPECT_EQ(profile_value({0.25f, 1, 0, 0}, 2, false, 1), 1);
}

AppState profiled_state(const std::shared_ptr<const Image>& image) {
    AppState state;
    Document document;
    document.source = "@noise";
    document.image = image;
    state.scene.documents = {document};
    state.scene.current = 0;
    state.scene.panes = {{spec_of("bilinear")}, {spec_of("bspline")}};
    state.scene.arrangement = Arrangement::columns;
    state.places.picture = {0, 0, 202, 100};
    state.ui.animate = false;
    return state;
}

TEST(Inspector, ThePlotShowsThePartOfTheRowThatIsInView) {
    AppState state = profiled_state(std::make_shared<const Image>(noise(64, 64, 1, SampleType::u8, 437)));
    state.scene.documents[0].view.scale = 0.1;
    const ProfileReport line = profile_along({Along::row, true, {0, 32}, {}}, *state.scene.documents[0].image);
    const PlotZoom part = visible_part(state, 0, line);
    const PixelRect pane = pane_rect(state, 0);
    EXPECT_NEAR(part.to - part.from, pane.width * 0.1, 1e-9);
    state.scene.documents[0].view.rotate = 90;  // the row is vertical, and is out of view
    state.scene.documents[0].view.translate_y = 30;
    EXPECT_EQ(visible_part(state, 0, line).from, -0.5);
    EXPECT_EQ(visible_part(state, 0, line).to, 63.5);
}

TEST(Inspector, FillsWhatIsShownAndComputesNothingTwice) {
    const auto image = std::make_shared<const Image>(noise(64, 48, 1, SampleType::u8, 438));
    AppState state = profiled_state(image);
    SourceCache sources(make_cpu_backend());
    Inspector inspector;
    inspector.fill(state, sources);
    EXPECT_EQ(state.report.findings.profile.channels, 0);

    state.ui.dock = Dock::profile;
    state.pointer.inside = true;
    state.pointer.x = 50;
    state.pointer.y = 40;
    inspector.fill(state, sources);
    const int row = int(std::round(shown_point(state, 50, 40, 0).y));
    ASSERT_EQ(state.report.findings.profile.curves.size(), 2u);
    EXPECT_EQ(state.report.findings.profile.a.y, row);
    const double* before = state.report.findings.profile.at.data();
    inspector.fill(state, sources);
    EXPECT_EQ(state.report.findings.profile.at.data(), before);
    state.scene.panes[1].spec = spec_of("nearest");
    inspector.fill(state, sources);
    EXPECT_NE(state.report.findings.profile.curves[1].values, state.report.findings.profile.curves[0].values);

    state.ui.taps = true;
    inspector.fill(state, sources);
    ASSERT_TRUE(state.report.findings.taps.has_value());
    EXPECT_EQ(state.report.findings.taps->pane, 0);
    state.pointer.inside = false;  // the list can be read
    inspector.fill(state, sources);
    EXPECT_TRUE(state.report.findings.taps.has_value());
    state.scene.current = -1;
    inspector.fill(state, sources);
    EXPECT_FALSE(state.report.findings.taps.has_value());
    EXPECT_EQ(state.report.findings.profile.channels, 0);
}

// A backend that cannot render.
class Refusing : public CountingBackend {
public:
    using CountingBackend::CountingBackend;
    void resample(const ResidentImage& source, const Resampling& request, const RenderTarget& target) override {
        if (refuses) throw OutOfMemory("no memory for this");
        CountingBackend::resample(source, request, target);
    }
    bool refuses = true;
};

TEST(Inspector, SaysWhyNothingIsThere) {
    AppState state = profiled_state(std::make_shared<const Image>(noise(64, 48, 1, SampleType::u8, 441)));
    const auto backend = std::make_shared<Refusing>(make_cpu_backend());
    SourceCache sources(backend);
    Inspector inspector;
    state.ui.taps = state.pointer.inside = true;
    const auto fill_all = [&] {
        for (const Dock dock : {Dock::profile, Dock::curves, Dock::histogram}) {
            state.ui.dock = dock;
            inspector.fill(state, sources);
            state.now += histogram_rest_seconds + 0.01;
            inspector.fill(state, sources);
        }
    };
    const Findings& report = state.report.findings;
    const std::string* const problems[] = {&report.no_taps, &report.no_profile, &report.no_curves,
                                           &report.no_histogram};
    fill_all();
    for (const std::string* problem : problems) EXPECT_EQ(*problem, "no memory for this") << problem - problems[0];
    EXPECT_FALSE(report.taps);
    backend->refuses = false;
    state.pointer.x = state.pointer.y = 20;
    for (Pane& pane : state.scene.panes) pane.spec = spec_of("catmull-rom");
    fill_all();
    for (const std::string* problem : problems) EXPECT_EQ(*problem, "") << problem - problems[0];
    EXPECT_TRUE(report.taps && report.profile.channels && !report.curves.methods.empty() && report.histogram.channels);
}

TEST(Inspector, FetchesAreThoseOfThePanesOnThePathHardware) {
    AppState state = profiled_state(std::make_shared<const Image>(noise(64, 48, 1, SampleType::u8, 440)));
    state.scene.panes = {
        {spec_of("bspline:path=lookup")}, {spec_of("nearest:path=hardware")}, {spec_of("quintic:path=hardware")}};
    state.ui.dock = Dock::curves;
    SourceCache sources(make_cpu_backend());
    Inspector inspector;
    inspector.fill(state, sources);
    const auto& methods = state.report.findings.curves.methods;
    ASSERT_EQ(methods.size(), 3u);
    EXPECT_FALSE(methods[0].hardware);
    EXPECT_TRUE(methods[0].fetches.empty());
    EXPECT_TRUE(methods[1].hardware);
    EXPECT_TRUE(methods[1].fetches.empty());
    EXPECT_TRUE(methods[2].hardware);
    ASSERT_EQ(methods[2].fetches.size(), 3u);
    EXPECT_EQ(methods[2].fetches[0].place.x.back(), 1);
    state.ui.inspect.curves[4] = {0.25, 0.5};
    inspector.fill(state, sources);
    EXPECT_EQ(methods[2].fetches[0].place.x.front(), 0.25);
    EXPECT_EQ(methods[2].fetches[0].place.x.back(), 0.5);
}

}  // namespace
}  // namespace texelscope::test
