// Parts and channels of files that OpenImageIO has written.
#if TEXELSCOPE_WITH_OIIO
#include <gtest/gtest.h>

#include <OpenImageIO/imageio.h>

#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"
#include "tests/files/oriented_files.h"

namespace texelscope::test {
namespace {

using Names = std::vector<std::string>;

Reading choosing(const std::string& part, const Names& channels = {}) {
    Reading reading;
    reading.choice.part = part;
    reading.choice.channels = channels;
    return reading;
}

// Each sample says where it is from.
float value_at(int part, int x, int y, int channel) {
    return float(part) * 0.25f + float(x) / 64 + float(y) / 1024 + float(channel) / 16384;
}

std::vector<float> samples_of(const OIIO::ImageSpec& spec, int part) {
    std::vector<float> samples;
    for (int y = 0; y < spec.height; ++y)
        for (int x = 0; x < spec.width; ++x)
            for (int c = 0; c < spec.nchannels; ++c) samples.push_back(value_at(part, x, y, c));
    return samples;
}

class Parts : public testing::Test {
protected:
    std::string write(const std::string& name, const std::vector<OIIO::ImageSpec>& specs) const {
        const std::string path = (folder_ / name).string();
        const auto output = OIIO::ImageOutput::create(path);
        EXPECT_TRUE(output && output->open(path, int(specs.size()), specs.data()));
        for (size_t i = 0; i < specs.size(); ++i) {
            EXPECT_TRUE(i == 0 || output->open(path, specs[i], OIIO::ImageOutput::AppendSubimage));
            EXPECT_TRUE(output->write_image(OIIO::TypeDesc::FLOAT, samples_of(specs[i], int(i)).data()));
        }
        EXPECT_TRUE(output->close()) << output->geterror();
        return path;
    }
    static OIIO::ImageSpec spec(int width, int height, int channels) {
        return OIIO::ImageSpec(width, height, channels, OIIO::TypeDesc::FLOAT);
    }
    Folder folder_;
};

void expect_part(const Image& image, int part, int width, int height, const std::vector<int>& channels) {
    ASSERT_EQ(image.width(), width);
    ASSERT_EQ(image.height(), height);
    ASSERT_EQ(image.channels(), int(channels.size()));
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (size_t c = 0; c < channels.size(); ++c)
                ASSERT_EQ(image.value(x, y, int(c)), value_at(part, x, y, channels[c])) << x << ", " << y;
}

TEST_F(Parts, PagesOfTiffAreChosenByNumber) {
    std::vector<OIIO::ImageSpec> specs = {spec(8, 6, 3), spec(5, 9, 1), spec(7, 70, 3)};
    for (auto& page : specs) page.attribute("compression", "zip");
    const std::string path = write("a.tif", specs);
    expect_part(read_image(path), 0, 8, 6, {0, 1, 2});
    expect_part(read_image(path, choosing("2")), 1, 5, 9, {0});
    expect_part(read_image(path, choosing("3")), 2, 7, 70, {0, 1, 2});
    const PictureFacts facts = read_facts(path, choosing("2"));
    EXPECT_EQ(facts.part, 1);
    ASSERT_EQ(facts.parts.size(), 3u);
    EXPECT_EQ(facts.parts[2].height, 70);
    EXPECT_EQ(facts.parts[0].channels, (Names{"R", "G", "B"}));
    EXPECT_NE(error_of([&] { read_image(path, choosing("4")); }).find("it has no part '4': its parts are 1 to 3"),
              std::string::npos);
}

TEST_F(Parts, EachPageOfTiffLiesAsItSays) {
    std::vector<OIIO::ImageSpec> specs = {spec(8, 6, 1), spec(5, 9, 1)};
    specs[1].attribute("Orientation", 6);
    const std::string path = write("a.tif", specs);
    Reading lying = choosing("2");
    lying.choice.upright = false;
    EXPECT_TRUE(is_upright(read_image(path, choosing("2")), read_image(path, lying), 6));
    EXPECT_EQ(read_facts(path).orientation, 1);
    EXPECT_EQ(read_facts(path, choosing("2")).orientation, 6);
}

TEST_F(Parts, DamagedPageOfTiffIsRefused) {
    std::vector<OIIO::ImageSpec> specs = {spec(8, 6, 1), spec(64, 64, 1)};
    for (auto& page : specs) page.attribute("compression", "zip");
    std::string bytes = content_of(write("a.tif", specs));
    const std::string whole = bytes;
    int refused = 0;
    for (size_t at = bytes.size() / 4; at < bytes.size(); at += 97) {
        bytes = whole;
        for (size_t i = at; i < std::min(at + 40, bytes.size()); ++i) bytes[i] = '\x5a';
        const auto path = folder_.write("b.tif", bytes);
        refused += error_of([&] { read_image(path, choosing("2")); }) != "";
    }
    EXPECT_GT(refused, 0);
}

TEST_F(Parts, OfOpenExrAreChosenByName) {
    std::vector<OIIO::ImageSpec> specs = {spec(8, 6, 3), spec(4, 4, 2)};
    specs[0].attribute("oiio:subimagename", "left eye");
    specs[1].attribute("oiio:subimagename", "depth");
    specs[1].channelnames = {"Z", "id"};
    specs[1].full_width = 8;  // all parts have one display window
    specs[1].full_height = 6;
    const std::string path = write("a.exr", specs);
    const PictureFacts facts = read_facts(path);
    ASSERT_EQ(facts.parts.size(), 2u);
    EXPECT_EQ(facts.parts[0].name, "left eye");
    EXPECT_EQ(facts.parts[1].name, "depth");
    EXPECT_EQ(read_image(path, choosing("depth")).width(), 4);
    EXPECT_EQ(read_image(path, choosing("left eye")).width(), 8);
    EXPECT_NE(error_of([&] { read_image(path, choosing("right eye")); }).find("(left eye, depth)"), std::string::npos);
}

TEST_F(Parts, MoreThanFourChannelsAreChosenByNameOrNumber) {
    OIIO::ImageSpec many = spec(70, 80, 9);
    many.channelnames = {"R", "G", "B", "A", "Z", "light.B", "light.G", "light.R", "mask"};
    many.alpha_channel = 3;
    const std::string path = write("a.tif", {many});  // TIFF forgets the names
    const Image first = read_image(path);
    EXPECT_LE(first.channels(), 4);
    expect_part(read_image(path, choosing("", {"5"})), 0, 70, 80, {4});
    expect_part(read_image(path, choosing("", {"8", "6"})), 0, 70, 80, {7, 5});
    expect_part(read_image(path, choosing("", {"9", "1", "3", "2"})), 0, 70, 80, {8, 0, 2, 1});

    const std::string exr = write("a.exr", {many});
    const Names stored = read_facts(exr).parts.at(0).channels;
    ASSERT_EQ(stored.size(), 9u);
    for (const Names& wanted : {Names{"light.R", "light.G", "light.B"}, Names{"Z"}, Names{"mask", "R"}}) {
        const Image image = read_image(exr, choosing("", wanted));
        ASSERT_EQ(image.channels(), int(wanted.size()));
        for (size_t c = 0; c < wanted.size(); ++c) {
            const auto written = std::find(many.channelnames.begin(), many.channelnames.end(), wanted[c]);
            const int channel = int(written - many.channelnames.begin());
            EXPECT_EQ(image.value(69, 79, int(c)), value_at(0, 69, 79, channel)) << wanted[c];
        }
    }
    EXPECT_EQ(read_image(exr, choosing("", {"R", "G", "B", "A"})).alpha(), Alpha::premultiplied);
    EXPECT_NE(error_of([&] { read_image(exr, choosing("", {"fog"})); }).find("it has no channel 'fog'"),
              std::string::npos);
    EXPECT_NE(error_of([&] { read_image(exr, choosing("", {"R", "1"})); }).find("twice"), std::string::npos);
}

TEST_F(Parts, LayersOfASinglePartAreChosenByName) {
    OIIO::ImageSpec many = spec(8, 6, 11);
    many.channelnames = {"R", "G", "B", "depth.Z", "glow.R", "glow.G", "glow.B", "glow.A", "n.X", "n.Y", "n.Z"};
    const std::string path = write("a.exr", {many});
    const auto expect_channels = [&](const std::string& part, const Names& wanted) {
        const Image image = read_image(path, choosing(part));
        ASSERT_EQ(image.channels(), int(wanted.size())) << part;
        for (size_t c = 0; c < wanted.size(); ++c) {
            const auto written = std::find(many.channelnames.begin(), many.channelnames.end(), wanted[c]);
            EXPECT_EQ(image.value(7, 5, int(c)), value_at(0, 7, 5, int(written - many.channelnames.begin())))
                << wanted[c];
        }
    };
    expect_channels("", {"R", "G", "B"});
    expect_channels("1", {"R", "G", "B"});
    expect_channels("depth", {"depth.Z"});
    expect_channels("glow", {"glow.R", "glow.G", "glow.B", "glow.A"});
    expect_channels("n", {"n.X", "n.Y", "n.Z"});
    EXPECT_EQ(read_image(path, choosing("glow")).alpha(), Alpha::premultiplied);
    EXPECT_EQ(read_image(path, choosing("n")).alpha(), Alpha::none);
    EXPECT_EQ(read_image(path, choosing("n", {"glow.G"})).value(7, 5, 0), value_at(0, 7, 5, 5)) << "channels win";
    const std::string why = error_of([&] { read_image(path, choosing("fog")); });
    EXPECT_NE(why.find("it has no part 'fog': it is a single picture with the layers depth, glow, n"),
              std::string::npos)
        << why;
}

TEST_F(Parts, TiledFilesAreTurnedAndChosenFromAsWell) {
    OIIO::ImageSpec tiled = spec(70, 50, 5);
    tiled.tile_width = tiled.tile_height = 32;
    const std::string path = write("a.tif", {tiled});
    expect_part(read_image(path, choosing("", {"4", "2"})), 0, 70, 50, {3, 1});
    tiled.attribute("Orientation", 8);
    const std::string turned = write("b.tif", {tiled});
    Reading lying = choosing("", {"1", "2"});
    lying.choice.upright = false;
    EXPECT_TRUE(is_upright(read_image(turned, choosing("", {"1", "2"})), read_image(turned, lying), 8));
}

}  // namespace
}  // namespace texelscope::test
#endif
