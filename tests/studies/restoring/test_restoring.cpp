// Restoring: facts that hold whatever the picture, and the order of methods on pictures of several kinds.
// tests/scipy/check_restoring.py compares the figures with an independent model.

#include <gmock/gmock.h>

#include <cmath>

#include <fmt/format.h>

#include "app/files/reading/image_files.h"
#include "app/studies/restoring/restoring.h"
#include "tests/support/images.h"

namespace texelscope::test {
namespace {

std::vector<RestoredMethod> restored(
    Image image, std::string_view how, const std::vector<std::string>& ids,
    const RestoringProgress& progress = [](size_t, size_t) {}) {
    RestoringPlan plan;
    plan.image = std::make_shared<const Image>(std::move(image));
    plan.restoration = parse_restoration("--restore", how);
    const MethodSpec defaults = restoring_defaults(plan.restoration);
    for (const std::string& id : ids) plan.specs.push_back(parse_spec(id, &defaults));
    return restore_by_each(plan, make_cpu_backend(), progress).methods;
}

std::vector<std::string> all_ids() {
    std::vector<std::string> ids;
    for (const MethodInfo* method : all_methods()) ids.emplace_back(method->id);
    return ids;
}

const RestoredMethod& of(const std::vector<RestoredMethod>& methods, std::string_view id) {
    for (const RestoredMethod& method : methods)
        if (method.spec.method->id == id) return method;
    throw Error("not restored by " + std::string(id));
}

Image filled(int width, int height, const std::function<double(int x, int y)>& value) {
    Image image(width, height, 1, SampleType::f32);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) image.row_as<float>(y)[x] = float(value(x, y));
    return image;
}

TEST(Restoring, APartHasTheSamplesOfItsPlace) {
    for (const auto& [channels, type] : {std::pair{1, SampleType::f32}, {3, SampleType::u8}, {4, SampleType::u16}}) {
        const Image image = noise(31, 23, channels, type, 5);
        const Image part = part_of(image, {7, 3, 20, 11});
        ASSERT_EQ(part.width(), 20);
        ASSERT_EQ(part.height(), 11);
        EXPECT_EQ(part.type(), type);
        for (int y = 0; y < part.height(); ++y)
            for (int x = 0; x < part.width(); ++x)
                for (int c = 0; c < channels; ++c) ASSERT_EQ(part.value(x, y, c), image.value(x + 7, y + 3, c));
    }
}

TEST(Restoring, TheBestSoFarIsNamed) {
    RestoringPlan plan;
    plan.image = std::make_shared<const Image>(load_image("@basilica:96"));
    plan.restoration = parse_restoration("--restore", "2");
    const MethodSpec defaults = restoring_defaults(plan.restoration);
    for (const char* id : {"nearest", "quintic", "bilinear"}) plan.specs.push_back(parse_spec(id, &defaults));
    std::vector<std::string> said;
    restore_by_each(
        plan, make_cpu_backend(), [](size_t, size_t) {},
        [&](const RestoringResult& now) { said.push_back(best_so_far(now)); });
    ASSERT_EQ(said.size(), 3u);
    EXPECT_THAT(said[0], testing::MatchesRegex("Nearest neighbour is the best so far, [0-9.]+ dB"));
    EXPECT_THAT(said[1], testing::MatchesRegex("Quintic B-spline is the best so far, [0-9.]+ dB"));
    EXPECT_EQ(said[2], said[1]);
    EXPECT_EQ(best_so_far(RestoringResult{}), "");
}

TEST(Restoring, LeavesConstantPicturesAsTheyAre) {
    for (const char* how : {"4", "rotate:5x72", "shift:0.5x2"}) {
        for (const RestoredMethod& method : restored(load_image("@constant:96"), how, all_ids()))
            EXPECT_LT(method.all.metrics.max_abs, 1e-6) << method.spec.method->id << " " << how;
        for (const RestoredMethod& method : restored(Image(96, 96, 3, SampleType::u8), how, all_ids())) {
            EXPECT_EQ(method.all.metrics.psnr, INFINITY) << method.spec.method->id << " " << how;
            EXPECT_EQ(method.inside.colours->mean, 0);
            EXPECT_EQ(method.inside.colours->percentile_95, 0);
        }
    }
}

// A wrong alignment would shift the slope. Symmetric filters of order 2 and more leave it as it is, whatever the size.
TEST(Restoring, AlignsPicturesOfAnySize) {
    const auto slope = [](int x, int y) { return 0.1 + 0.003 * x + 0.002 * y; };
    for (const auto& [width, height] : {Extent{128, 96}, {131, 97}, {118, 142}})
        for (const char* factor : {"1", "2.5", "3.7", "4"})
            for (const RestoredMethod& method : restored(filled(width, height, slope), factor, all_ids())) {
                if (method.spec.method->order < 2) continue;
                EXPECT_LT(method.inside.metrics.max_abs, 2e-5)
                    << method.spec.method->id << ", " << width << "×" << height << " by " << factor;
            }
}

// Every picture of waves that the small one can hold is its own ideal reduction; sharp methods come close to it.
TEST(Restoring, ComparesReductionsWithTheIdealOne) {
    const auto waves = [](int x, int y) {
        return 0.5 + 0.2 * std::cos(M_PI * 20 * (x + 0.5) / 150) + 0.2 * std::cos(M_PI * 14 * (y + 0.5) / 130);
    };
    const auto methods = restored(filled(150, 130, waves), "shrink:2.5", all_ids());
    EXPECT_EQ(methods[0].inside.metrics.pixels, (60 - 16) * (52 - 16));
    EXPECT_EQ(methods[0].all.metrics.pixels, 60 * 52);
    EXPECT_GT(of(methods, "lanczos4").inside.metrics.psnr, 38);
    EXPECT_GT(of(methods, "lanczos3").inside.metrics.psnr, of(methods, "catmull-rom").inside.metrics.psnr);
    EXPECT_GT(of(methods, "catmull-rom").inside.metrics.psnr, of(methods, "bilinear").inside.metrics.psnr);
    EXPECT_GT(of(methods, "lanczos4").fetches, 60) << "widened";
    for (const RestoredMethod& method : restored(load_image("@constant:96"), "shrink:2", all_ids()))
        EXPECT_LT(method.all.metrics.max_abs, 1e-6) << method.spec.method->id;
}

TEST(Restoring, MeasuresTheInteriorAndAll) {
    const auto methods = restored(load_image("@natural:128x112"), "4", {"nearest", "bspline", "bilinear"});
    ASSERT_EQ(methods.size(), 3u);
    for (const RestoredMethod& method : methods) {
        EXPECT_EQ(method.inside.metrics.pixels, (128 - 72) * (112 - 72));
        EXPECT_EQ(method.all.metrics.pixels, 128 * 112);
        EXPECT_GE(method.all.metrics.max_abs, method.inside.metrics.max_abs);
        EXPECT_GT(method.milliseconds, 0);
        EXPECT_FALSE(method.inside.colours);
    }
    EXPECT_EQ(of(methods, "bspline").fetches, 16);
    for (size_t k = 1; k < methods.size(); ++k)
        EXPECT_GE(methods[k - 1].inside.metrics.psnr, methods[k].inside.metrics.psnr);
}

TEST(Restoring, TurnsThatPutSamplesOnSamplesLoseNothing) {
    for (const RestoredMethod& method :
         restored(noise(40, 40, 1, SampleType::u8, 3), "rotate:3x90", {"nearest", "bilinear", "catmull-rom"}))
        EXPECT_EQ(method.all.metrics.psnr, INFINITY) << method.spec.method->id;
    for (const RestoredMethod& method : restored(noise(64, 56, 1, SampleType::u8, 3), "shift:3x2", {"bilinear"})) {
        EXPECT_EQ(method.inside.metrics.psnr, INFINITY);
        EXPECT_LT(method.all.metrics.psnr, 60) << "what was shifted out is lost";
    }
}

// Whole circles and turns that one more turn makes upright.
TEST(Restoring, ComparesUprightPictures) {
    for (const char* how : {"rotate:12x30", "rotate:7x30", "rotate:2x-17.5"}) {
        const auto methods = restored(load_image("@natural:128"), how, {"nearest", "quintic"});
        EXPECT_EQ(methods[0].spec.method->id, "quintic");
        EXPECT_GT(methods[0].inside.metrics.psnr, 25) << how;
        EXPECT_NEAR(double(methods[0].inside.metrics.pixels), M_PI * std::pow(0.45 * 128, 2), 100);
    }
}

TEST(Restoring, SignalsAreShrunkAndShiftedButNotRotated) {
    const Image wave = signal(400, [](int k) { return 0.5 + 0.4 * std::sin(k * 0.11); });
    for (const char* how : {"4", "shift:0.5x4"}) {
        const auto methods = restored(wave, how, {"bilinear", "bspline"});
        EXPECT_EQ(methods[0].spec.method->id, "bspline") << how;
        EXPECT_GT(methods[0].inside.metrics.psnr, 35) << how;
        EXPECT_TRUE(std::isnan(methods[0].inside.metrics.ssim));
        EXPECT_EQ(methods[0].fetches, 4);
    }
    EXPECT_THROW(restored(wave, "rotate:36x10", {"bilinear"}), Error);
}

TEST(Restoring, TransparentPicturesAreComparedPremultiplied) {
    const auto methods = restored(load_image("@alpha:128"), "2", {"bspline"});
    EXPECT_GT(methods[0].inside.metrics.psnr, 30);
    EXPECT_TRUE(methods[0].inside.colours);
}

TEST(Restoring, EndsIfTheProgressThrows) {
    size_t most = 0;
    const auto stop_at_third = [&](size_t done, size_t total) {
        EXPECT_LT(done, total);
        most = done;
        if (done == 2) throw Error("enough");
    };
    EXPECT_THROW(restored(load_image("@natural:128"), "4", all_ids(), stop_at_third), Error);
    EXPECT_EQ(most, 2u);
    EXPECT_THROW(restored(load_image("@natural:128"), "rotate:9x40", {"bilinear"}, stop_at_third), Error);
}

TEST(Restoring, TheBestMethodsShowTheWorstSpot) {
    RestoringPlan plan;
    plan.image = std::make_shared<const Image>(load_image("@dead-leaves:200x160"));
    plan.panes = 2;
    for (const char* how : {"4", "rotate:2x30", "shift:0.4x2"}) {
        plan.restoration = parse_restoration("--restore", how);
        const MethodSpec defaults = restoring_defaults(plan.restoration);
        plan.specs = {parse_spec("nearest", &defaults), parse_spec("quintic", &defaults),
                      parse_spec("bspline", &defaults)};
        size_t last = 0, total = 0;
        const RestoringResult result = restore_by_each(plan, make_cpu_backend(), [&](size_t done, size_t all) {
            last = done;
            total = all;
        });
        EXPECT_EQ(last + 1, total) << how;
        ASSERT_TRUE(result.spot);
        EXPECT_EQ(result.spot->size, (Extent{96, 96}));
        const Metrics& best = result.methods[0].inside.metrics;
        const int x = best.worst_x - result.spot->x, y = best.worst_y - result.spot->y;
        ASSERT_TRUE(x >= 0 && x < 96 && y >= 0 && y < 96) << how;
        const auto difference =
            [&](const Image& pane) {  // of 8-bit levels at the worst pixel, the largest of the channels
                int most = 0;
                for (int c = 0; c < 3; ++c)
                    most = std::max(most, std::abs(pane.row_as<uint8_t>(y)[4 * x + c] -
                                                   result.spot->original.row_as<uint8_t>(y)[4 * x + c]));
                return most;
            };
        ASSERT_TRUE(result.methods[0].pane && result.methods[1].pane);
        EXPECT_NEAR(difference(*result.methods[0].pane), 255 * best.max_abs, 1.01) << how;  // unless it was clamped
        EXPECT_FALSE(result.methods[2].pane);
        for (int c = 0; c < 3; ++c)
            EXPECT_EQ(result.spot->original.row_as<uint8_t>(y)[4 * x + c],
                      plan.image->row_as<uint8_t>(best.worst_y)[3 * best.worst_x + c]);
    }
}

RestoredMethod with(double psnr, double fetches, double milliseconds = 1) {
    RestoredMethod method;
    method.inside.metrics.psnr = psnr;
    method.fetches = fetches;
    method.milliseconds = milliseconds;
    return method;
}

TEST(Restoring, TheFrontHasWhatNoOtherMethodBeatsInQualityAndCost) {
    EXPECT_EQ(on_the_front({with(32, 9), with(31, 4), with(30, 5), with(29, 1), with(28, 1), with(std::nan(""), 0.1)}),
              (std::vector<bool>{true, true, false, true, false, false}));
    EXPECT_EQ(on_the_front({with(30, 2), with(30, 2), with(30, 3)}), (std::vector<bool>{true, true, false}));
    EXPECT_EQ(on_the_front({with(INFINITY, 2), with(INFINITY, 1)}), (std::vector<bool>{false, true}));
    const std::vector<RestoredMethod> methods = {with(31, 16, 2), with(30, 4, 3)};
    EXPECT_EQ(on_the_front(methods), (std::vector<bool>{true, true})) << "fetches, as in the verdict";
    EXPECT_EQ(on_the_front(methods, Cost::time), (std::vector<bool>{true, false}));
}

TEST(Restoring, ATimeIsTheShortestOfRunsThatAgreeAndABusyMachineIsSaid) {
    EXPECT_FALSE(is_confirmed({2, 2}));
    EXPECT_FALSE(is_confirmed({2, 9, 5, 2.1, 4})) << "two may agree by chance";
    EXPECT_TRUE(is_confirmed({9, 2.1, 5, 2, 2.15}));
    const TimedRuns runs = timed({9, 2, 5, 3});
    EXPECT_EQ(runs.milliseconds, 2);
    EXPECT_EQ(runs.slowed, 2) << "the median is 4";
    EXPECT_EQ(timed({3, 1, 2}).slowed, 2);
    std::vector<RestoredMethod> methods(8, with(30, 4));
    EXPECT_EQ(busy_words(methods), "");
    methods[2].slowed = 2.5;
    EXPECT_EQ(busy_words(methods), "") << "one of eight";
    methods[5].slowed = 1.6;
    EXPECT_EQ(busy_words(methods), "The machine was busy: runs took up to 2.5 times the time shown.");
}

// While it runs, what is done is known: one method more each time, the best first, with the figures of the end.
TEST(Restoring, TellsTheResultSoFar) {
    RestoringPlan plan;
    plan.image = std::make_shared<const Image>(load_image("@dead-leaves:112x96"));
    plan.restoration = parse_restoration("--restore", "4");
    for (const char* id : {"nearest", "bspline", "bilinear"}) plan.specs.push_back(parse_spec(id));
    plan.panes = 2;
    std::vector<std::vector<RestoredMethod>> seen;
    const RestoringResult result = restore_by_each(
        plan, make_cpu_backend(), [](size_t, size_t) {},
        [&](const RestoringResult& now) { seen.push_back(now.methods); });
    ASSERT_EQ(seen.size(), 3u);
    for (size_t k = 0; k < seen.size(); ++k) {
        ASSERT_EQ(seen[k].size(), k + 1);
        for (size_t m = 0; m + 1 < seen[k].size(); ++m)
            EXPECT_GE(seen[k][m].inside.metrics.psnr, seen[k][m + 1].inside.metrics.psnr);
    }
    for (size_t m = 0; m < 3; ++m) {
        EXPECT_EQ(seen.back()[m].spec, result.methods[m].spec);
        EXPECT_EQ(seen.back()[m].inside.metrics.psnr, result.methods[m].inside.metrics.psnr);
    }
}

// What one sees: the higher a method's order, the better it restores a picture. Shrunk by the default filter, this holds
// for every kind of picture. Behind a filter that blurs, bilinear, which blurs once more, may be worse than nearest on
// thin lines and on detail that the small picture cannot hold; the others keep their order.
class MethodOrder : public testing::TestWithParam<const char*> {};

double psnr_of(const std::vector<RestoredMethod>& methods, std::string_view id) {
    return of(methods, id).inside.metrics.psnr;
}

TEST_P(MethodOrder, FollowsTheOrderOfApproximation) {
    RestoringPlan plan;
    plan.image = std::make_shared<const Image>(load_image(GetParam()));
    plan.restoration = parse_restoration("--restore", "4");
    const std::vector<std::string_view> ids = {"nearest", "bilinear", "catmull-rom", "bspline", "quintic"};
    for (const std::string_view id : ids) plan.specs.push_back(parse_spec(id));
    const auto expect_order = [&](const std::vector<RestoredMethod>& methods, size_t first) {
        for (size_t k = first + 1; k < ids.size(); ++k)
            EXPECT_LT(psnr_of(methods, ids[k - 1]), psnr_of(methods, ids[k])) << ids[k - 1] << ", " << ids[k];
    };
    const auto restore = [&] { return restore_by_each(plan, make_cpu_backend(), [](size_t, size_t) {}).methods; };
    const auto sharp = restore();
    expect_order(sharp, 0);
    plan.restoration.filter = parse_spec("bspline");
    const auto blurred = restore();
    expect_order(blurred, 1);
    for (const std::string_view id : ids) EXPECT_LT(psnr_of(blurred, id), psnr_of(sharp, id)) << id;
}

INSTANTIATE_TEST_SUITE_P(Pictures, MethodOrder,
                         testing::Values("@natural:256", "@noise:256", "@dead-leaves:256", "@text:256",
                                         "@zone-plate:256", "@rings:256", "@siemens-star:256", "@frequency-chart:256"),
                         [](const testing::TestParamInfo<const char*>& picture) {
                             std::string name;
                             for (const char c : std::string(picture.param))
                                 if (std::isalnum(c)) name += c;
                             return name;
                         });

// Holes, as of clouds in a satellite's picture, do not turn the order over: 2 % of a smooth picture in two blocks, beside which
// prefilters would ring at 30 dB.
TEST(Restoring, SamplesThatAreNotFiniteChangeNoRanking) {
    // The same everywhere, so that figures do not depend on the part that is left.
    const auto smooth = [](int x, int y) {
        return 0.5 + 0.2 * std::sin(0.15 * x + 0.04 * y) + 0.15 * std::cos(0.13 * y - 0.06 * x);
    };
    const std::vector<std::string> ids = {"bilinear", "catmull-rom", "bspline", "quintic", "septic", "lanczos3"};
    for (const char* how : {"4", "shift:0.5x4"}) {
        const auto whole = restored(filled(640, 480, smooth), how, ids);
        const auto holed = restored(filled(640, 480,
                                           [&](int x, int y) {
                                               if (x >= 120 && x < 200 && y >= 100 && y < 156) return double(NAN);
                                               if (x >= 400 && x < 440 && y >= 200 && y < 240) return double(INFINITY);
                                               return smooth(x, y);
                                           }),
                                    how, ids);
        ASSERT_EQ(holed.size(), whole.size());
        for (const std::string& id : ids) {
            EXPECT_NEAR(of(holed, id).inside.metrics.psnr, of(whole, id).inside.metrics.psnr, 0.5) << how << ", " << id;
            EXPECT_GT(of(holed, id).inside.metrics.pixels, 0);
            EXPECT_EQ(of(holed, id).inside.metrics.pixels, of(holed, ids[0]).inside.metrics.pixels) << id;
        }
        for (size_t k = 0; k < whole.size(); ++k) EXPECT_EQ(holed[k].spec, whole[k].spec) << how << ", rank " << k;
    }
}

TEST(Restoring, SaysHowManySamplesAreNotFinite) {
    RestoringPlan plan;
    Image image = filled(320, 320, [](int x, int y) { return std::sin(0.05 * x) + std::cos(0.03 * y); });
    const Interior inside{.margin_x = 30, .margin_y = 30};
    plan.restoration = parse_restoration("--restore", "4");
    const auto holes = [&] {
        plan.image = std::make_shared<const Image>(part_of(image, {0, 0, 320, 320}));
        return holes_of(plan, inside);
    };
    EXPECT_EQ(words(holes()), "");
    image.row_as<float>(40)[50] = NAN;
    const Holes one = holes();
    EXPECT_EQ(one.samples, 1);
    EXPECT_EQ(
        words(one),
        fmt::format("1 sample is not finite: it and what is within {} pixels are left out of the figures", one.reach));
    const auto left_out = [&](int x, int y) { return bool(one.left_out[size_t(y) * 320 + size_t(x)]); };
    EXPECT_GE(one.reach, 4 * 3);  // at least the taps of the filter that shrinks
    EXPECT_TRUE(left_out(50 + one.reach, 40) && left_out(0, 0) && left_out(50, 40 + one.reach));
    EXPECT_FALSE(left_out(51 + one.reach, 40) || left_out(50, 41 + one.reach));
    RestoringResult result;
    result.holes = one;
    result.methods.resize(2);
    for (RestoredMethod& method : result.methods) method.inside.metrics = {.ssim = 0.9, .pixels = 100};
    EXPECT_EQ(left_out_words(result), words(one));
    for (RestoredMethod& method : result.methods) method.inside.metrics.ssim = NAN;
    EXPECT_EQ(left_out_words(result), words(one) + "; no 11×11 pixels are without them, so there is no SSIM");
    EXPECT_TRUE(all_finite(*one.filled));
    EXPECT_NEAR(one.filled->value(50, 40, 0), std::sin(0.05 * 50) + std::cos(0.03 * 40), 2e-3);
    for (int k = 0; k < 320; k += 8) image.row_as<float>(k)[k] = image.row_as<float>(319 - k)[k] = NAN;
    const Holes everywhere = holes();  // still leaves something
    EXPECT_LT(everywhere.reach, one.reach);
    long long left = 0;
    for (const bool is_out : everywhere.left_out) left += !is_out;
    EXPECT_GT(left, 0);
}

// As in a picture shrunk by 4, where the error depends on the position modulo 4.
TEST(ColourFigures, ALargePictureIsComparedInRowsOfEveryPhase) {
    EXPECT_EQ(compared_rows({300, 200}).size(), 200u);
    const std::vector<int> rows = compared_rows({3000, 2796});  // 8.4 million pixels
    ASSERT_EQ(rows.size(), 699u);                               // one row in four
    int of_phase[4] = {};
    for (size_t k = 0; k < rows.size(); ++k) {
        EXPECT_EQ(rows[k] / 4, int(k));
        ++of_phase[rows[k] % 4];
    }
    for (const int count : of_phase) EXPECT_NEAR(count, 699 / 4.0, 40);  // 3.5 standard deviations
}

}  // namespace
}  // namespace texelscope::test
