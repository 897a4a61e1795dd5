// The viewer before anything was changed.

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "app/files/test_images/test_images.h"
#include "app/state/references.h"
#include "app/viewer/editing/actions.h"
#include "app/viewer/loop/documents.h"
#include "app/viewer/loop/first_scene.h"
#include "gpu/backend/source_image.h"

namespace texelscope::test {
namespace {

TEST(FirstScene, IsMeasuredAgainstTheDefaultReference) {
    EXPECT_EQ(first_scene({}).reference, default_reference());
    EXPECT_EQ(Scene{}.reference, Reference{}) << "sessions that name none open as before";
}

TEST(FirstScene, PanesDifferOnlyInTheirMethod) {
    ViewerOptions options;
    for (const char* spec : {"bspline", "nearest:address=mirror"}) {
        options.spec = parse_spec(spec);
        const Scene scene = first_scene(options);
        ASSERT_EQ(scene.panes.size(), 2u);
        MethodSpec b = scene.panes[1].spec;
        EXPECT_NE(b.method, options.spec->method);
        b.method = options.spec->method;
        EXPECT_EQ(b, *options.spec);
    }
}

Document opened(const std::string& source, std::shared_ptr<const Image> image) {
    Document document;
    document.source = source;
    document.image = std::move(image);
    return document;
}

// An open image, and its first picture in a window of this size.
class FirstPicture {
public:
    explicit FirstPicture(const std::string& source)
        : document_(opened(source, std::make_shared<const Image>(make_test_image(source)))),
          source_(make_cpu_backend(), *document_.image) {}

    std::optional<Region> region() const { return first_region(document_); }
    View view(Extent window) const {
        const Extent image{document_.image->width(), document_.image->height()};
        return region() ? zoomed_to(*region(), 0, image, window) : fitted(0, image, window);
    }
    Image by(const MethodInfo& method, Extent window) {
        RenderRequest request;
        request.spec = default_spec(method);
        request.view = view(window);
        request.width = window.width;
        request.height = window.height;
        return source_.render_to_image(request);
    }

private:
    Document document_;
    SourceImage source_;
};

// Of values clipped to the screen's range, in grey levels.
double difference(const Image& a, const Image& b) {
    const auto level = [](float v) { return 255 * double(std::clamp(v, 0.0f, 1.0f)); };
    double sum = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            for (int c = 0; c < a.channels(); ++c) {
                const double d = level(a.value(x, y, c)) - level(b.value(x, y, c));
                sum += d * d;
            }
    return std::sqrt(sum / a.width() / a.height() / a.channels());
}

// The four that come nearest to the ideal agree best: between them a third of a level is left.
TEST(FirstScene, EachOfTheMethodsWithAKeyChangesThePicture) {
    constexpr Extent window{320, 240};
    constexpr double visible = 1, among_the_best = 1.0 / 3;
    FirstPicture picture(default_source);
    std::vector<std::pair<std::string_view, Image>> shown;
    for (const MethodInfo* method : all_methods())
        if (method->rank <= 9) shown.emplace_back(method->id, picture.by(*method, window));
    ASSERT_EQ(shown.size(), 9u);
    const auto best = [](std::string_view id) {
        return id == "bspline" || id == "lanczos3" || id == "omoms" || id == "quintic";
    };
    for (size_t i = 0; i < shown.size(); ++i)
        for (size_t k = 0; k < i; ++k) {
            const auto& [a, of_a] = shown[i];
            const auto& [b, of_b] = shown[k];
            EXPECT_GT(difference(of_a, of_b), best(a) && best(b) ? among_the_best : visible) << a << " and " << b;
        }
}

TEST(FirstScene, IsEnlargedInAWindowOfAnySize) {
    const FirstPicture picture(default_source);
    for (const auto& [window, zoom] : {std::pair{Extent{320, 240}, 3.75},
                                       {Extent{940, 720}, 11.25},
                                       {Extent{1580, 1000}, 15.625},
                                       {Extent{2200, 1500}, 23.4375}})
        EXPECT_NEAR(picture.view(window).zoom(), zoom, 1e-9) << window.width;
}

TEST(FirstScene, EveryBuiltInImageWithDetailShowsIt) {
    for (const TestImage& test : test_images()) {
        FirstPicture picture("@" + std::string(test.id));
        const View view = picture.view({480, 360});
        if (!picture.region()) {
            const bool small = test.width <= 160 && test.height <= 128;
            EXPECT_TRUE(small || test.id == "parabola" || test.id == "alpha") << test.id;
            continue;
        }
        const Region part = *picture.region();
        EXPECT_GE(std::min(part.x0, part.y0), -0.5) << test.id;
        EXPECT_LE(part.x1, test.width - 0.5) << test.id;
        EXPECT_LE(part.y1, test.height - 0.5) << test.id;
        EXPECT_GT(view.zoom(), 5) << test.id;
        const auto by = [&](const char* id) { return picture.by(*find_method(id), {160, 120}); };
        const Image nearest = by("nearest"), bilinear = by("bilinear"), cubic = by("bspline");
        EXPECT_GT(difference(nearest, bilinear), 3) << test.id;
        EXPECT_GT(difference(bilinear, cubic), 1) << test.id;
    }
}

TEST(FirstScene, PhotographsAreFitted) {
    const auto image = std::make_shared<const Image>(4000, 3000, 3, SampleType::u8);
    EXPECT_FALSE(first_region(opened("/home/someone/photo.jpg", image)));
}

// Nearest neighbour is chosen for A, which B already has.
TEST(FirstScene, SideBySideItNeverShowsOnePictureTwice) {
    for (const char* arrange : {"compare.arrange", "compare.wipe"}) {
        AppState state;
        state.scene = first_scene({});
        find_action("method.nearest")->run(state);
        ASSERT_EQ(state.scene.panes[0].spec, state.scene.panes[1].spec);
        find_action(arrange)->run(state);
        EXPECT_EQ(state.scene.panes[0].spec.method->id, "nearest");
        EXPECT_EQ(state.scene.panes[1].spec.method->id, "bspline");
        // What is chosen side by side stays, also in the next arrangement.
        state.scene.active = 1;
        find_action("method.nearest")->run(state);
        find_action("compare.rows")->run(state);
        EXPECT_EQ(state.scene.panes[1].spec.method->id, "nearest");
    }
}

}  // namespace
}  // namespace texelscope::test
