// Which recipe made a picture; and what made it if none did.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <vector>

#include <unistd.h>

#include "app/files/reading/image_files.h"
#include "app/studies/recipes/recipe_study.h"
#include "gpu/backend/recipe_rendering.h"
#include "gpu/method/custom_method.h"
#include "tests/support/backends.h"
#include "tests/support/encoded_files.h"
#include "tests/support/images.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

const StudyProgress silent = [](int, int) {};

// A weight function that no library has, and its values.
constexpr const char* own_weights =
    "name = Own\nradius = 2\nnormalise = no\nprefilter = none\nw(x) = (1 - x*x/4)^2*sinc(0.9*x)\n";
double own_weight(double x) {
    if (std::abs(x) >= 2) return 0;
    const double sinc = x == 0 ? 1 : std::sin(0.9 * std::numbers::pi * x) / (0.9 * std::numbers::pi * x);
    return (1 - x * x / 4) * (1 - x * x / 4) * sinc;
}

ResizeRule own_rule(bool widened, std::optional<AddressMode> edges) {
    const Rule axis{.weight = own_weights, .widened = widened, .edges = edges};
    return {.x = axis, .y = axis};
}

bool names(const Identification& found, std::string_view text) {
    const RankedRecipe& best = found.ranked.front();
    return best.recipe.text == text || std::find(best.same.begin(), best.same.end(), text) != best.same.end();
}

bool says(const Identification& found, std::string_view word) {
    return std::any_of(found.findings.begin(), found.findings.end(),
                       [&](const std::string& sentence) { return sentence.find(word) != std::string::npos; });
}

Image part_of(const Image& image, int left, int top, int width, int height) {
    Image part(width, height, image.channels(), image.type());
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < image.channels(); ++c) set_value(part, x, y, c, image.value(left + x, top + y, c));
    return part;
}

Image coloured(const Image& grey) {
    Image image(grey.width(), grey.height(), 3, SampleType::u8);
    for (int y = 0; y < grey.height(); ++y)
        for (int x = 0; x < grey.width(); ++x)
            for (int c = 0; c < 3; ++c)  // not so bright that a JPEG has to cut anything off
                set_value(image, x, y, c, 0.15 + 0.6 * double(grey.value(x, y, 0)) + 0.04 * c);
    return image;
}

TEST(Identify, FindsTheRecipeThatMadeAPicture) {
    const auto backend = shared_backend(BackendKind::cpu);
    const Image image = noise(96, 80, 1, SampleType::u8, 11);
    for (const std::string_view text : {"like:pillow/bicubic", "like:opencv/area", "like:opencv/cubic"}) {
        const Image made = converted(resized_like(backend, image, parse_recipe(text), {41, 37}), SampleType::u8);
        const Identification found = identify(backend, image, made, silent);
        ASSERT_FALSE(found.ranked.empty());
        EXPECT_EQ(found.ranked.front().match, Match::exact) << text;
        EXPECT_TRUE(names(found, text)) << text;
        EXPECT_FALSE(found.ranked.front().by_part);
    }
}

TEST(Identify, FindsExchangedRedAndBlue) {
    const auto backend = shared_backend(BackendKind::cpu);
    const Image image = noise(80, 70, 3, SampleType::u8, 14);
    Image made = converted(resized_like(backend, image, parse_recipe("like:opencv/area"), {33, 41}), SampleType::u8);
    for (int y = 0; y < made.height(); ++y)
        for (int x = 0; x < made.width(); ++x)
            std::swap(made.row_as<uint8_t>(y)[3 * x], made.row_as<uint8_t>(y)[3 * x + 2]);
    const Identification found = identify(backend, image, made, silent);
    EXPECT_TRUE(found.channels_swapped);
    EXPECT_TRUE(names(found, "like:opencv/area"));
}

TEST(Identify, FindsACropOfAResize) {
    const auto backend = shared_backend(BackendKind::cpu);
    const Image image = converted(one_over_f(128, 15), SampleType::u8);
    const Image whole =
        converted(resized_like(backend, image, parse_recipe("like:pillow/bicubic"), {101, 97}), SampleType::u8);
    const Identification found = identify(backend, image, part_of(whole, 13, 22, 60, 52), silent);
    ASSERT_TRUE(found.cropped);
    EXPECT_EQ(found.placement, (Placement{{101, 97}, 13, 22}));
    EXPECT_EQ(found.ranked.front().match, Match::exact);
    EXPECT_TRUE(names(found, "like:pillow/bicubic"));
    EXPECT_TRUE(says(found, "101×97")) << "what is assumed is said";
}

// Encoded by libjpeg, with the file at hand and without.
TEST(Identify, FindsTheRecipeBelowAJpeg) {
    const auto backend = shared_backend(BackendKind::cpu);
    const Image image = coloured(one_over_f(128, 16));
    const Image made =
        converted(resized_like(backend, image, parse_recipe("like:pillow/bicubic"), {90, 80}), SampleType::u8);
    const std::string bytes = jpeg_of(
        made.width(), made.height(), 3, JCS_RGB,
        [&](int x, int y, int c) { return made.row_as<uint8_t>(y)[3 * x + c]; },
        [](jpeg_compress_struct& info) { jpeg_set_quality(&info, 80, TRUE); });
    const std::optional<StoredJpeg> file = jpeg_of_file(std::as_bytes(std::span(bytes)));
    ASSERT_TRUE(file);
    EXPECT_EQ(file->quality, 80);
    const std::filesystem::path path =
        std::filesystem::path(testing::TempDir()) / fmt::format("texelscope_identify_{}.jpg", getpid());
    std::ofstream(path, std::ios::binary) << bytes;
    const Image stored = load_image(path.string());
    std::filesystem::remove(path);
    for (const bool with_file : {true, false}) {
        const Identification found = identify(backend, image, stored, silent, with_file ? file : std::nullopt);
        ASSERT_TRUE(found.jpeg);
        EXPECT_EQ(found.jpeg->quality, 80);
        EXPECT_EQ(found.jpeg->from_file, with_file);
        EXPECT_EQ(found.ranked.front().match, Match::possible);
        EXPECT_TRUE(names(found, "like:pillow/bicubic")) << found.ranked.front().recipe.text;
        EXPECT_GT(found.ranked.front().possible.value_or(0), 0.99);
        // What the table shows is what it is sorted by.
        std::vector<double> shares;
        for (const RankedRecipe& ranked : found.ranked)
            if (ranked.possible && !ranked.by_part) shares.push_back(ranked_share(found).percent(ranked));
        EXPECT_GT(shares.size(), 1u);
        EXPECT_TRUE(std::ranges::is_sorted(shares, std::greater{}));
    }
}

// To 1e-3 of its largest weight, as at every phase normalised; and the text that is written makes the result.
TEST(Identify, MeasuresAnUnknownResizer) {
    const auto backend = shared_backend(BackendKind::cpu);
    struct Trial {
        Extent original, result;
        bool widened;
        std::optional<AddressMode> edges;
    };
    for (const Trial& trial : {Trial{{128, 120}, {56, 53}, true, AddressMode::clamp},
                               Trial{{97, 61}, {223, 140}, false, AddressMode::mirror},
                               Trial{{128, 120}, {60, 56}, false, AddressMode::wrap}}) {
        const Image image = noise(trial.original.width, trial.original.height, 1, SampleType::f32, 12);
        const Image made = resized_by_rule(backend, image, own_rule(trial.widened, trial.edges), trial.result);
        const Identification found = identify(backend, image, made, silent);
        ASSERT_TRUE(found.measured);
        const MeasuredResponse& x = found.measured->resizer.x;
        EXPECT_EQ(x.line.name, "centers");
        EXPECT_EQ(found.measured->x.stretch > 1, trial.widened && x.line.step > 1);
        const double stretch = trial.widened ? std::max(1.0, x.line.step) : 1;
        double largest = 0;
        for (size_t k = 0; k < x.distance.size(); ++k) {
            double sum = 0;  // of the phase that this distance is one of
            for (int m = -20; m <= 20; ++m) sum += own_weight((x.distance[k] + m) / stretch);
            largest = std::max(largest, std::abs(x.value[k] - own_weight(x.distance[k] / stretch) / sum));
        }
        EXPECT_LT(largest, 1e-3 / stretch);
        const MeasuredEdges& edges = found.measured->resizer.edges;
        const std::string wanted(name_of(*trial.edges));
        EXPECT_TRUE(edges.name == wanted || std::count(edges.alike.begin(), edges.alike.end(), wanted)) << edges.name;
        SourceImage source(backend, image);
        MethodSpec spec = default_spec(custom_method(found.measured->weights));
        spec.address = {*trial.edges, *trial.edges, {}};
        RenderRequest request = resize_request(source.samples(), spec, trial.result.width, trial.result.height);
        request.antialias = trial.widened;
        EXPECT_LT(closeness(source.render_to_image(request), made).largest, 2e-3) << found.measured->weights;
    }
}

// Levels that were cut off, and light that was decoded.
TEST(Identify, MeasuresRoundingAndLight) {
    const auto backend = shared_backend(BackendKind::cpu);
    const Image image = noise(128, 128, 1, SampleType::u8, 17);
    const Image made = resized_by_rule(backend, image, own_rule(true, AddressMode::clamp), {56, 56});
    Image cut(56, 56, 1, SampleType::u8), light(56, 56, 1, SampleType::u8);
    const Image by_light = resized_by_rule(backend, linear_light(image), own_rule(true, AddressMode::clamp), {56, 56});
    const auto encoded = [](double v) {
        v = std::clamp(v, 0.0, 1.0);
        return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
    };
    for (int y = 0; y < 56; ++y)
        for (int x = 0; x < 56; ++x) {
            cut.row_as<uint8_t>(y)[x] = uint8_t(std::clamp(std::floor(255 * double(made.value(x, y, 0))), 0.0, 255.0));
            set_value(light, x, y, 0, encoded(by_light.value(x, y, 0)));
        }
    const Identification of_cut = identify(backend, image, cut, silent),
                         of_light = identify(backend, image, light, silent);
    EXPECT_TRUE(says(of_cut, "cut off to whole levels"));
    ASSERT_TRUE(of_cut.measured && of_light.measured);
    EXPECT_FALSE(of_cut.measured->linear_light);
    EXPECT_TRUE(of_light.measured->linear_light);
}

TEST(Identify, ClaimsNothingOfPicturesThatDoNotBelongTogether) {
    const auto backend = shared_backend(BackendKind::cpu);
    const Image image = noise(96, 80, 1, SampleType::u8, 18);
    EXPECT_REFUSED(identify(backend, image, noise(40, 30, 3, SampleType::u8, 19), silent), "channels");
    const Identification found = identify(backend, image, noise(50, 64, 1, SampleType::u8, 20), silent);
    EXPECT_EQ(found.ranked.front().match, Match::none);
    EXPECT_FALSE(found.cropped);
    EXPECT_FALSE(found.measured);
    EXPECT_TRUE(says(found, "nothing of the original"));
}

TEST(Identify, CanBeCancelled) {
    const auto backend = shared_backend(BackendKind::cpu);
    const Image image = noise(64, 64, 1, SampleType::u8, 21);
    EXPECT_THROW(identify(backend, image, image, [](int, int) { throw Cancelled("cancelled"); }), Cancelled);
}

}  // namespace
}  // namespace texelscope::test
