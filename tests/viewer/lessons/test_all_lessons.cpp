// The lessons that are included with the program.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "app/files/reading/image_files.h"
#include "app/picture/inspect/inspector.h"
#include "app/picture/kept_pictures.h"
#include "app/picture/pane_picture.h"
#include "app/picture/rendition.h"
#include "app/picture/source_cache.h"
#include "app/state/panes.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/editing/view_edits.h"
#include "app/viewer/lessons/lesson.h"
#include "app/viewer/loop/documents.h"
#include "gpu/recipes/recipe.h"
#include "gpu/recipes/rule.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

// The lessons included with the program: each is read, and each of its states can be reached and rendered.

TEST(AllLessons, CanBeRead) {
    for (const std::string& problem : lesson_problems()) ADD_FAILURE() << problem;
    EXPECT_GE(all_lessons().size(), 2u);
    std::set<std::string> names;
    for (const Lesson& lesson : all_lessons()) {
        EXPECT_TRUE(names.insert(lesson.name).second) << lesson.name;
        EXPECT_FALSE(lesson.summary.empty()) << lesson.name;
        EXPECT_TRUE(lesson.steps[0].state) << lesson.name << ": its first step must set what is shown";
        EXPECT_EQ(find_lesson(lesson.name)->title, lesson.title);
    }
    EXPECT_THROW(find_lesson("no-such-lesson"), UsageError);
}

TEST(AllLessons, EachHasAHeadAndTwoCheckedQuestionsAndItsLinksLeadSomewhere) {
    for (const Lesson& lesson : all_lessons()) {
        EXPECT_FALSE(lesson.part.empty() || lesson.goal.empty() || lesson.minutes == 0 || lesson.sources.empty())
            << lesson.name;
        for (const std::string& name : lesson.after) EXPECT_NO_THROW(find_lesson(name)) << lesson.name;
        EXPECT_GE(std::ranges::count_if(lesson.steps, [](const LessonStep& step) { return !step.replies.empty(); }), 2)
            << lesson.name;
        for (const LessonStep& step : lesson.steps)
            for (const auto* blocks : {&step.text, &step.question, &step.answer})
                for (const TextBlock& block : *blocks)
                    for (const TextSpan& span : block.spans) {
                        if (span.style != TextSpan::Style::link) continue;
                        const LinkTarget place = parse_target(span.target);
                        if (place.method || place.term) continue;
                        const size_t steps =
                            place.lesson.empty() ? lesson.steps.size() : find_lesson(place.lesson)->steps.size();
                        EXPECT_LT(size_t(place.step), steps) << lesson.name << ": " << span.target;
                    }
    }
}

// Many steps show the same.
std::shared_ptr<const Image> image_named(const std::string& source) {
    static std::map<std::string, std::shared_ptr<const Image>> images;
    std::shared_ptr<const Image>& image = images[source];
    if (image) return image;
    if (!parse_turned_source(source)) return image = std::make_shared<const Image>(load_image(source));
    AppState state;
    Document document;
    document.source = source;
    load_into(state, document, [](const auto&) { return StillWanted(); });
    image = document.image;
    return image;
}

// As after entering the step in a window whose picture has this size.
AppState step_state(const Lesson& lesson, int step, Extent picture) {
    AppState state;
    state.scene.panes = {{parse_spec("nearest")}};
    state.places.picture = {0, 0, picture.width, picture.height};
    begin_lesson(state, std::make_shared<const Lesson>(lesson));
    EXPECT_TRUE(enter_step(state, step));
    for (Document& document : state.scene.documents) document.image = image_named(document.source);
    update_views(state);
    return state;
}

// Every pane that the step shows, as the program renders it.
void expect_pictures(AppState& state, SourceCache& sources) {
    update_views(state);
    const std::vector<int> panes = panes_in_view(state.scene);
    sources.hold(panes.size() + 1);
    for (const int pane : panes) {
        EXPECT_EQ(why_no_difference(state, pane), "") << "pane " << pane;
        const Image picture = saved_view(state, pane, {160, 120}, sources);
        EXPECT_EQ(picture.width(), 160) << "pane " << pane;
    }
}

// Beside "an RMS error of 20 grey levels", a pane must not say 142 dB: figures are shown only against a reference that the
// step names, and arithmetic errors only if the step shows them as differences.
TEST(AllLessons, FiguresAreAgainstWhatTheStepSpeaksOf) {
    int with_truth = 0;
    for (const Lesson& lesson : all_lessons())
        for (size_t i = 0; i < lesson.steps.size(); ++i) {
            if (!lesson.steps[i].state) continue;
            const Session& session = *lesson.steps[i].state;
            const auto& panes = session.scene.panes;
            with_truth += session.scene.reference.kind == Reference::Kind::truth;
            const bool differences = std::any_of(panes.begin(), panes.end(), [](const Pane& pane) {
                return pane.difference && pane.against == Pane::reference_pane;
            });
            EXPECT_EQ(session.appearance.figures, differences) << lesson.name << "#" << i + 1;
        }
    EXPECT_GE(with_truth, 5);
}

// Below 100 %, an antialiased picture has its weights from a table, whatever path and prefilter: panes that are to show
// these, and differ in nothing else, would all show the same.
TEST(AllLessons, PathsAndPrefiltersCountInASmallWindow) {
    const auto without_path = [](MethodSpec spec) {
        spec.path = FetchPath::automatic;
        spec.prefilter = {};
        return spec;
    };
    int about_paths = 0;
    for (const Lesson& lesson : all_lessons())
        for (size_t i = 0; i < lesson.steps.size(); ++i) {
            if (!lesson.steps[i].state) continue;
            const auto& panes = lesson.steps[i].state->scene.panes;
            const bool counts = std::any_of(panes.begin(), panes.end(), [&](const Pane& one) {
                const auto only_path_differs = [&](const Pane& other) {
                    return one.spec != other.spec && without_path(one.spec) == without_path(other.spec);
                };
                return one.spec.path == FetchPath::hardware ||
                       std::any_of(panes.begin(), panes.end(), only_path_differs);
            });
            if (!counts) continue;
            ++about_paths;
            AppState state = step_state(lesson, int(i), {600, 300});
            for (const int pane : panes_in_view(state.scene))
                EXPECT_FALSE(shown_reading(state, pane).widened()) << lesson.name << "#" << i + 1 << " pane " << pane;
        }
    EXPECT_GE(about_paths, 15);
}

// What tells panes apart must be on the screen.
TEST(AllLessons, PanesOfAStepHaveDifferentLabels) {
    for (const Lesson& lesson : all_lessons())
        for (size_t i = 0; i < lesson.steps.size(); ++i) {
            if (!lesson.steps[i].state || lesson.steps[i].state->scene.panes.size() < 2) continue;
            const AppState state = step_state(lesson, int(i), {600, 300});
            std::set<std::pair<std::string, bool>> labels;
            for (const int pane : panes_in_view(state.scene))
                EXPECT_TRUE(labels.insert({pane_label(state, pane), shows_difference(state, pane)}).second)
                    << lesson.name << "#" << i + 1 << ": " << pane_label(state, pane);
        }
}

TEST(AllLessons, EveryStateIsReachedAndRendered) {
    SourceCache sources(make_cpu_backend());
    for (const Lesson& lesson : all_lessons())
        for (size_t i = 0; i < lesson.steps.size(); ++i) {
            SCOPED_TRACE(lesson.name + "#" + std::to_string(i + 1));
            AppState state = step_state(lesson, int(i), {800, 600});
            if (state.scene.documents.empty()) continue;  // the default picture
            for (const Document& document : state.scene.documents) EXPECT_FALSE(document.is_file()) << document.source;
            note_shown(state, {});
            EXPECT_FALSE(has_left_step(state));
            expect_pictures(state, sources);
        }
}

// What the lessons say, against formulas.

double mean_of(const Image& image) {
    double sum = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width() * image.channels(); ++x) sum += double(image.row_as<float>(y)[x]);
    return sum / (double(image.width()) * image.height() * image.channels());
}

TEST(AllLessons, BlackAndWhiteHaveTwoMeans) {
    SourceCache sources(make_cpu_backend());
    const AppState state = step_state(*find_lesson("zooming-out"), 4, {600, 300});
    const double half_the_light = 1.055 * std::pow(0.5, 1 / 2.4) - 0.055;
    EXPECT_EQ(std::lround(255 * half_the_light), 188);
    const double expected[] = {0.5, half_the_light};
    for (int pane = 0; pane < 2; ++pane) {
        const Image picture = saved_view(state, pane, {100, 100}, sources);
        ASSERT_EQ(picture.type(), SampleType::f32);
        EXPECT_NEAR(mean_of(picture), expected[pane], 2 / 255.0) << pane_label(state, pane);
    }
}

TEST(AllLessons, HalfASampleOutweighsTheMethod) {
    SourceCache sources(make_cpu_backend());
    AppState state = step_state(*find_lesson("half-texel"), 5, {750, 750});
    state.scene.document()->region.reset();
    for (Pane& pane : state.scene.panes) pane.difference = false;
    update_views(state);
    std::vector<Image> pictures;
    for (int pane = 0; pane < 3; ++pane) pictures.push_back(saved_view(state, pane, {740, 740}, sources));
    const auto rms = [&](int pane) {
        double sum = 0;
        int count = 0;
        for (int y = 8; y < 732; ++y)  // without the edges, where the shifted one shows the background
            for (int x = 8; x < 732 * 3; ++x, ++count) {
                const double d =
                    double(pictures[size_t(pane)].row_as<float>(y)[x]) - double(pictures[0].row_as<float>(y)[x]);
                sum += d * d;
            }
        return 255 * std::sqrt(sum / count);
    };
    EXPECT_NEAR(rms(1), 21, 0.6);
    EXPECT_NEAR(rms(2), 12, 0.6);
}

TEST(AllLessons, ConventionsAreThoseOfTheLibraries) {
    constexpr int n = 8, pixels = 32;
    const struct {
        std::string position;
        std::vector<const char*> recipes;
        double (*at)(double i);
    } rows[] = {{"(i + ½)·n/N − ½",
                 {"like:pillow/bilinear", "like:opencv/linear", "like:torch/bilinear", "like:torch/bicubic"},
                 [](double i) { return (i + 0.5) * n / pixels - 0.5; }},
                {"i·(n − 1)/(N − 1)",
                 {"like:torch/bilinear:align_corners=true", "like:scipy/zoom"},
                 [](double i) { return i * (n - 1) / (pixels - 1); }},
                {"i·n/N", {"like:opencv/nearest", "like:torch/nearest"}, [](double i) { return i * n / pixels; }}};
    const int step = 4;
    const auto lesson = find_lesson("half-texel");
    const auto& text = lesson->steps.at(step).text;
    const AppState state = step_state(*lesson, step, {600, 300});
    const View first = pane_view(state, 0);
    for (size_t k = 0; k < std::size(rows); ++k) {
        EXPECT_EQ(plain_text(std::span(text).subspan(1 + 2 * (k + 1) + 1, 1)), rows[k].position);
        const ResizedAxis axis{n, pixels, 0, pixels};
        for (const char* recipe : rows[k].recipes) {
            const Rule rule = parse_recipe(recipe).rule(RecipeType::f32, 1, false, axis, axis).x;
            for (const int i : {0, 1, 13, 31}) EXPECT_NEAR(position_of(rule, axis, i), rows[k].at(i), 1e-5) << recipe;
        }
        // The pane's view differs from the first one's as the positions do.
        const View view = pane_view(state, int(k));
        EXPECT_NEAR(view.scale / first.scale, (rows[k].at(31) - rows[k].at(0)) / (rows[0].at(31) - rows[0].at(0)),
                    1e-9);
        EXPECT_NEAR(view.translate_x - first.translate_x, rows[k].at(15.5) - rows[0].at(15.5), 1e-9);
    }
}

// A cursor of a step is a position, wherever the middles of pixels are: what is computed by hand is what the panel lists.
TEST(AllLessons, TapsAreThoseOfTheStepsCursor) {
    SourceCache sources(make_cpu_backend());
    for (const Extent picture : {Extent{611, 347}, Extent{480, 502}}) {
        AppState state = step_state(*find_lesson("nearest-and-linear"), 2, picture);
        ASSERT_TRUE(state.ui.cursor.has_value());
        const Point pixel = apply_inverse(current_affine(state, 0), *state.ui.cursor);
        state.pointer = {};
        state.pointer.inside = true;
        state.pointer.x = int(std::lround(pixel.x));
        state.pointer.y = int(std::lround(pixel.y));
        Inspector().fill(state, sources);
        const auto& taps = state.report.findings.taps;
        ASSERT_TRUE(taps.has_value()) << state.report.findings.no_taps;
        EXPECT_NEAR(taps->position.x, 1.25, 1e-6);
        EXPECT_NEAR(taps->position.y, 1.5, 1e-6);
        // By hand, of 83, 211, 255 and 87.
        EXPECT_NEAR(255 * taps->sum[0], 0.375 * 83 + 0.125 * 211 + 0.375 * 255 + 0.125 * 87, 1e-3);
    }
}

TEST(AllLessons, NumbersOfFiltersAreThoseOfTheirFormulas) {
    const double pi = std::acos(-1.0), z = std::sqrt(3.0) - 2;
    const auto answer = [](const char* lesson, int step) {
        return find_lesson(lesson)->steps.at(size_t(step)).replies.at(0).value;
    };
    EXPECT_NEAR(answer("prefilter", 4), 1 / (2.0 / 3 + std::cos(pi) / 3), 1e-3);
    double gain = 0;
    for (int k = -40; k <= 40; ++k) gain += 3 * std::pow(z, 2 * std::abs(k));  // of the variance
    EXPECT_EQ(fmt::format("{:.2f}", std::sqrt(gain)), "1.86");
    EXPECT_NE(plain_text(find_lesson("prefilter")->steps.at(4).text).find("1.86 times"), std::string::npos);
    EXPECT_NEAR(answer("sampling-and-aliasing", 3), 100 * std::cos(pi / 4), 0.1);
    EXPECT_EQ(fmt::format("{:.2f}", std::pow(std::sin(pi / 4) / (pi / 4), 2)), "0.81");
    EXPECT_NEAR(answer("zooming-out", 4), 100 * std::pow((0.25 + 0.055) / 1.055, 2.4), 0.2);
    EXPECT_NEAR(find_lesson("zooming-out")->steps.at(4).replies.at(2).value,
                100 * (1.055 * std::pow(0.25, 1 / 2.4) - 0.055), 0.6);
    EXPECT_NEAR(answer("order", 4), 1 - std::cos(pi / 32), 1e-4);
    EXPECT_EQ(fmt::format("{:.3f}", 1 - std::cos(pi / 8)), "0.076");
    EXPECT_NEAR(answer("transparency-and-light", 0), 100 * (0.5 * 0.5 + (1 - 0.5)), 0.1);
    EXPECT_NEAR(answer("transparency-and-light", 2), 255 * (1.055 * std::pow(0.5, 1 / 2.4) - 0.055), 0.6);
    EXPECT_EQ(std::lround(100 * std::pow((128 / 255.0 + 0.055) / 1.055, 2.4)), 22);
    EXPECT_NEAR(answer("your-own-kernel", 3), 1e9 / 500e6, 1e-9);
}

// Over white, red is 1 for orange and for white, and α·α + 1 − α if the colour is interpolated by itself: 0.75 at least.
TEST(AllLessons, ColoursThatAreNotWeightedByAlphaMakeADarkRim) {
    SourceCache sources(make_cpu_backend());
    const AppState state = step_state(*find_lesson("transparency-and-light"), 0, {600, 300});
    for (const int pane : {0, 1}) {
        const Image picture = saved_view(state, pane, {300, 300}, sources);
        float least = 1;
        for (int k = 0; k < 300 * 300; ++k) least = std::min(least, picture.value(k % 300, k / 300, 0));
        EXPECT_NEAR(least, pane == 0 ? 0.75 : 1, 0.01);
    }
}

// The numbers of the lesson "What a figure does not see", computed as its panes are.

struct Figures {
    Metrics metrics;
    MapFigures map;
};

class Pitfalls : public ::testing::Test {
protected:
    // The figures of a pane of a step, the picture being shown at this size.
    Figures figures(int step, int pane, int side, std::optional<Region> part = {}) {
        return figures_of(step_state(*find_lesson("pitfalls"), step, {side, side}), pane, part);
    }
    Figures figures_of(AppState state, int pane, std::optional<Region> part = {}) {
        state.scene.arrangement = Arrangement::single;
        state.scene.active = pane;
        if (part) state.scene.selection = part;
        update_views(state);
        Rendition shown = pane_rendition(state, pane), reference = *reference_rendition(state, pane);
        WantedMap map{.settings = state.scene.difference};
        const bool has_map = is_map(map.settings.kind);
        const Metrics metrics = PaneRenderer(sources_).measure(shown, reference, measured_selection(state, pane), {},
                                                               has_map ? &map : nullptr);
        return {metrics, map.figures};
    }

    static void expect_said(int step, const std::string& words) {
        EXPECT_NE(plain_text(find_lesson("pitfalls")->steps[size_t(step)].text).find(words), std::string::npos)
            << words;
    }
    static std::string decibels(double psnr) { return fmt::format("{:.1f} dB", double(std::lround(10 * psnr)) / 10); }

    SourceCache sources_{make_cpu_backend()};
};

TEST_F(Pitfalls, ThePoleOfYourOwnPrefilterIsThatOfTheSpline) {
    const double best = find_lesson("fir-or-iir")->steps.at(5).replies.at(0).value;
    const auto psnr = [&](double z) {
        AppState state = step_state(*find_lesson("fir-or-iir"), 5, {300, 300});
        state.scene.panes[1].spec.parameters.value[0] = z;
        return figures_of(std::move(state), 1).metrics.psnr;
    };
    EXPECT_NEAR(best, std::sqrt(3.0) - 2, 1e-3);
    EXPECT_GT(psnr(best), std::max(psnr(best - 0.02), psnr(best + 0.02)) + 1);
}

TEST_F(Pitfalls, EqualPsnrOfBlocksAndFog) {
    const Figures blocks = figures(0, 0, 512), fog = figures(0, 1, 512);
    EXPECT_NEAR(blocks.metrics.psnr, fog.metrics.psnr, 0.11);
    expect_said(0, decibels(blocks.metrics.psnr));
    expect_said(0, decibels(fog.metrics.psnr));
    const Figures seen_blocks = figures(1, 0, 512), seen_fog = figures(1, 1, 512);
    EXPECT_GT(std::abs(seen_blocks.map.mean / seen_fog.map.mean - 1), 0.1)
        << seen_blocks.map.mean << ", " << seen_fog.map.mean;
}

TEST_F(Pitfalls, AMovedPictureLosesAgainstABlurredOne) {
    const Figures moved = figures(2, 1, 512), blurred = figures(2, 2, 512);
    EXPECT_NEAR(moved.metrics.ssim, 0.78, 0.01);
    EXPECT_NEAR(blurred.metrics.ssim, 0.97, 0.01);
    EXPECT_NEAR(moved.metrics.psnr, 24.6, 0.1);
    EXPECT_NEAR(blurred.metrics.psnr, 34.9, 0.1);
    for (const char* words : {"0.78", "24.6 dB", "0.97", "34.9 dB"}) expect_said(2, words);
}

TEST_F(Pitfalls, ABorderDecides) {
    const Figures all[] = {figures(3, 0, 384), figures(3, 1, 384)}, inside[] = {figures(4, 0, 384), figures(4, 1, 384)};
    EXPECT_LT(all[0].metrics.psnr, all[1].metrics.psnr);
    EXPECT_GT(inside[0].metrics.psnr, inside[1].metrics.psnr + 10);
    for (const Figures& each : all) expect_said(3, decibels(each.metrics.psnr));
    for (const Figures& each : inside) expect_said(4, decibels(each.metrics.psnr));
}

TEST_F(Pitfalls, AFlatSkyPays) {
    const Figures all = figures(5, 1, 512);
    EXPECT_NEAR(all.metrics.psnr, 42.0, 0.1);
    expect_said(5, "42.0 dB");
    EXPECT_NEAR(figures(5, 1, 512, Region{58, 40, 70, 88}).metrics.psnr, 32.0, 0.1);
    expect_said(5, "32.0 dB");
    EXPECT_GT(all.map.weighted_median, 5 * all.map.mean) << "the edge, not the sky";
}

}  // namespace
}  // namespace texelscope::test
