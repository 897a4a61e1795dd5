// The first sight of data that are opened, and of files whose names are not UTF-8.

#include <cmath>
#include <filesystem>

#include "app/files/reading/image_files.h"
#include "tests/gui/viewer_test.h"

namespace texelscope::test {
namespace {

using nlohmann::json;

using FirstSight = ViewerTest;

int middle_of(const Image& image, int channel = 0) {
    return image.row_as<uint8_t>(image.height() / 2)[3 * (image.width() / 2) + channel];
}

double white(const json& state) { return state.at("levels").at("white"); }

// Values from 268 to 292 from left to right, the middle column 280; and a block that is NaN.
std::string field() {
    const std::string name = scratch("field.npy");
    Image image(101, 64, 1, SampleType::f32);
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 101; ++x) image.row_as<float>(y)[x] = y < 8 ? NAN : 268 + 24 * float(x) / 100;
    write_image(image, name);
    return name;
}

TEST_F(FirstSight, AFieldHasTheLevelsOfItsDataUntilXIsPressed) {
    ViewerUnderTest viewer(*screen_, {field()});
    EXPECT_NEAR(white(viewer.settled_state()), 292, 0.1);
    EXPECT_NEAR(middle_of(viewer.shown_picture()), 128, 3);
    ASSERT_TRUE(viewer.change([&] { viewer.key("x"); }, [](const json& s) { return white(s) == 1; }));
    EXPECT_EQ(middle_of(viewer.shown_picture()), 255);
    ASSERT_TRUE(
        viewer.change([&] { viewer.click_control("status:tones"); }, [](const json& s) { return white(s) > 1; }));
    EXPECT_NEAR(middle_of(viewer.shown_picture()), 128, 3);
}

// The name has a Latin-1 é. --trace-state writes sessions.
TEST_F(FirstSight, ANameThatIsNotUtf8IsOpenedLikeAnyOther) {
    const std::string name = scratch("caf\xe9.png");
    write_image(Image(8, 8, 1, SampleType::u8), name);
    ViewerUnderTest viewer(*screen_, {name});
    const json state = viewer.settled_state();
    const std::string source = state.at("session").at("image");
    EXPECT_TRUE(source.starts_with("bytes:") && source.ends_with("caf%e9.png")) << source;
    viewer.key("ctrl+q");
    EXPECT_EQ(viewer.wait_for_end(10), 0) << viewer.messages();
}

}  // namespace
}  // namespace texelscope::test
