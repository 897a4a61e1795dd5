// Methods that are other programs: where their results lie, and the examples that the dialog offers.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "app/files/reading/image_files.h"
#include "app/studies/restoring/outside_methods.h"
#include "app/studies/restoring/restoring.h"
#include "tests/support/tools.h"

namespace texelscope::test {
namespace {

// A function of the position, at pixels that are moved and stretched about the centre.
Image waves(Extent size, const Displacement& lies) {
    Image image(size.width, size.height, 1, SampleType::f32);
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x) {
            const double u = (2 * x + 1.0) / size.width - 1, v = (2 * y + 1.0) / size.height - 1;
            const double px = x - lies.right - lies.wider * u, py = y - lies.down - lies.higher * v;
            image.row_as<float>(y)[x] = float(0.5 + 0.15 * std::sin(0.11 * px + 0.05 * py) +
                                              0.1 * std::cos(0.13 * py - 0.02 * px) + 0.1 * std::sin(0.021 * px * 3.1));
        }
    return image;
}

TEST(OutsidePrograms, ResultsThatLieElsewhereAreFound) {
    constexpr Extent size{160, 120};
    const Image original = waves(size, {});
    for (const double blur : {1.0, 2.0, 4.0})
        for (const Displacement& lies : {Displacement{}, Displacement{0.5, 0.5, 0, 0}, Displacement{-0.3, 0.8, 0, 0},
                                         Displacement{0, 0, 1.5, 1.5}, Displacement{0.25, 0, -0.5, 0.6}}) {
            const auto found = displacement_of(waves(size, lies), original, blur);
            ASSERT_TRUE(found);
            EXPECT_NEAR(found->right, lies.right, 0.03) << blur;
            EXPECT_NEAR(found->down, lies.down, 0.03) << blur;
            EXPECT_NEAR(found->wider, lies.wider, 0.06) << blur;
            EXPECT_NEAR(found->higher, lies.higher, 0.06) << blur;
            EXPECT_EQ(found->matters(), lies.right != 0 || lies.wider != 0);
        }
    EXPECT_FALSE(displacement_of(Image(160, 120, 1, SampleType::f32), Image(160, 120, 1, SampleType::f32), 2));
    EXPECT_FALSE(displacement_of(Image(9, 9, 1, SampleType::f32), Image(9, 9, 1, SampleType::f32), 2));
    RestoredMethod method{.spec = outside_spec("result:it", "it")};
    method.displacement = {-0.5, 0.25, 1.5, 0};
    EXPECT_EQ(displacement_words({method}),
              "It is not where the original is: about 0.50 pixels to the left, 0.25 pixels down, 3.00 pixels too wide; "
              "figures count that as an error.");
}

// The examples of the dialog, as far as their programs are here: the result is the picture, as large as it should be.
TEST(OutsidePrograms, ExamplesEnlargeThePicture) {
    const Image given = load_image("@dead-leaves:32");
    for (const ExampleCommand& example : example_commands()) {
        const std::string program = std::string(example.command).substr(0, std::string(example.command).find(' '));
        const bool there = ::system(("command -v " + program + " >/dev/null").c_str()) == 0;
        const std::string name = example.name;
        const bool special = name.find("GPU") != name.npos || name.find("potrace") != name.npos ||
                             name.find("waifu2x") != name.npos;  // drivers, another program, black and white
        if (!there || special) continue;
        const int side = int(std::lround(32 * example.factor));
        const OutsideResult made = program_method(example.command, {}).make(given, {side, side}, [] {});
        const Image values = outside_values(made.image, given, {side, side}, name);
        double mean = 0, wanted = 0, least = 1, most = 0;
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) {
                mean += double(values.value(x, y, 1)) / (side * side);
                least = std::min(least, double(values.value(x, y, 1)));
                most = std::max(most, double(values.value(x, y, 1)));
            }
        for (int y = 0; y < 32; ++y)
            for (int x = 0; x < 32; ++x) wanted += double(given.value(x, y, 1)) / (32 * 32);
        EXPECT_NEAR(mean, wanted, 0.03) << name;
        EXPECT_GT(least, -0.3) << name;
        EXPECT_LT(most, 1.3) << name;
    }
}

}  // namespace
}  // namespace texelscope::test
