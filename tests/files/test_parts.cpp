// Parts, layers and channels of files, and the choice of one behind a file's name.

#include <gtest/gtest.h>

#include "app/files/decoding/picture_in_file.h"
#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"
#include "tests/files/pixels.h"

#if TEXELSCOPE_WITH_OIIO
#include <OpenImageIO/imageio.h>
#endif

namespace texelscope::test {
namespace {

#if TEXELSCOPE_WITH_OIIO
// Parts and channels of files that OpenImageIO has written.

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
    EXPECT_NE(refusal([&] { read_image(path, choosing("4")); }).find("it has no part '4': its parts are 1 to 3"),
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
        refused += refusal([&] { read_image(path, choosing("2")); }) != "";
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
    EXPECT_NE(refusal([&] { read_image(path, choosing("right eye")); }).find("(left eye, depth)"), std::string::npos);
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
    EXPECT_NE(refusal([&] { read_image(exr, choosing("", {"fog"})); }).find("it has no channel 'fog'"),
              std::string::npos);
    EXPECT_NE(refusal([&] { read_image(exr, choosing("", {"R", "1"})); }).find("twice"), std::string::npos);
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
    const std::string why = refusal([&] { read_image(path, choosing("fog")); });
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
#endif

#if TEXELSCOPE_WITH_OIIO
// The sizes of an icon and the layers of a Photoshop file, byte by byte as their formats are described.

using namespace std::string_literals;

// A bitmap of one colour with straight alpha, as icons hold it: a header with twice the height, rows of BGRA, a mask.
std::string icon_bitmap(int side, const std::string& bgra) {
    std::string bytes = little32(40) + little32(uint32_t(side)) + little32(2 * uint32_t(side)) + little16(1) +
                        little16(32) + std::string(24, '\0');
    for (int i = 0; i < side * side; ++i) bytes += bgra;
    return bytes + std::string(size_t(side) * size_t((side + 31) / 32 * 4), '\0');
}

std::string icon(const std::vector<std::pair<int, std::string>>& pictures) {
    std::string head = little16(0) + little16(1) + little16(uint32_t(pictures.size())), data;
    const size_t behind = 6 + 16 * pictures.size();
    for (const auto& [side, bgra] : pictures) {
        const std::string bitmap = icon_bitmap(side, bgra);
        head += std::string{char(side), char(side), '\0', '\0'} + little16(1) + little16(32) +
                little32(uint32_t(bitmap.size())) + little32(uint32_t(behind + data.size()));
        data += bitmap;
    }
    return head + data;
}

struct Layer {
    std::string name;
    uint32_t x, y, width, height;
    std::string colour;  // of each channel, from red on; a fourth one is alpha
};

// Adobe Photoshop File Formats Specification: 8 bits, RGB, without compression. The flat picture is black.
std::string photoshop(uint32_t width, uint32_t height, const std::vector<Layer>& layers) {
    std::string records = big16(uint32_t(layers.size())), channels;
    for (const Layer& layer : layers) {
        const size_t pixels = size_t(layer.width) * layer.height;
        records += big32(layer.y) + big32(layer.x) + big32(layer.y + layer.height) + big32(layer.x + layer.width) +
                   big16(uint32_t(layer.colour.size()));
        for (size_t c = 0; c < layer.colour.size(); ++c) {
            records += big16(c == 3 ? 0xffff : uint32_t(c)) + big32(uint32_t(2 + pixels));
            channels += big16(0) + std::string(pixels, layer.colour[c]);
        }
        std::string name = char(layer.name.size()) + layer.name;
        while (name.size() % 4) name += '\0';
        records += "8BIMnorm\xff\0\0\0"s + big32(uint32_t(8 + name.size())) + big32(0) + big32(0) + name;
    }
    std::string info = records + channels;
    if (info.size() % 2) info += '\0';
    const std::string section = big32(uint32_t(info.size())) + info + big32(0);
    return "8BPS" + big16(1) + std::string(6, '\0') + big16(3) + big32(height) + big32(width) + big16(8) + big16(3) +
           big32(0) + big32(0) + big32(uint32_t(section.size())) + section + big16(0) +
           std::string(size_t(width) * height * 3, '\0');
}

class Layers : public testing::Test {
protected:
    Image read(const std::string& part) const {
        Reading reading;
        reading.choice.part = part;
        return read_image(file_, reading);
    }
    // The samples of the pixel in the middle, as stored.
    static std::vector<int> middle(const Image& image) {
        std::vector<int> values;
        for (int c = 0; c < image.channels(); ++c)
            values.push_back(image.row_as<uint8_t>(image.height() / 2)[image.width() / 2 * image.channels() + c]);
        return values;
    }
    Folder folder_;
    std::filesystem::path file_;
};

TEST_F(Layers, EachSizeOfAnIconIsAPartAndTheLargestTheFirst) {
    file_ = folder_.write("a.ico", icon({{16, "\x0a\x14\x1e\x80"}, {32, "\xc8\x64\x32\xff"}}));
    const PictureFacts facts = read_facts(file_);
    ASSERT_EQ(facts.parts.size(), 2u);
    EXPECT_EQ(facts.parts[0].width, 32);
    const Image large = read("1"), small = read("2");
    EXPECT_EQ(small.width(), 16);
    EXPECT_EQ(middle(small), (std::vector<int>{0x1e, 0x14, 0x0a, 0x80}));
    EXPECT_EQ(small.alpha(), Alpha::straight) << "the colours are larger than premultiplied ones could be";
    EXPECT_EQ(large.width(), 32);
    EXPECT_EQ(middle(large), (std::vector<int>{0x32, 0x64, 0xc8, 0xff}));
    EXPECT_NE(refusal([&] { read("3"); }).find("no part '3'"), std::string::npos);
}

TEST_F(Layers, OfPhotoshopAreChosenByNumberOrName) {
    file_ = folder_.write(
        "a.psd", photoshop(8, 6, {{"Base", 0, 0, 8, 6, "\x10\x20\x30"s}, {"Glow", 2, 1, 3, 2, "\xc8\x1e\x28\x80"s}}));
    const PictureFacts facts = read_facts(file_);
    ASSERT_EQ(facts.parts.size(), 3u);
    EXPECT_EQ(facts.parts[2].name, "Glow");
    EXPECT_EQ(middle(read("1")), (std::vector<int>{0, 0, 0})) << "the flat picture";
    EXPECT_EQ(middle(read("Base")), (std::vector<int>{0x10, 0x20, 0x30}));
    const Image glow = read("Glow");
    EXPECT_EQ(glow.width(), 3);
    EXPECT_EQ(glow.height(), 2);
    EXPECT_EQ(middle(glow), (std::vector<int>{0xc8, 0x1e, 0x28, 0x80}));
    EXPECT_EQ(glow.alpha(), Alpha::straight);
    EXPECT_EQ(middle(read("3")), middle(glow));
}
#endif

// A choice behind a file's name, as sources and sessions keep it.

TEST(PictureChoice, IsBehindTheName) {
    const auto [file, choice] = parse_picture_source("/d/a b.exr#part=left&channels=diffuse.R,Z&orientation=off");
    EXPECT_EQ(file, "/d/a b.exr");
    EXPECT_EQ(choice.part, "left");
    EXPECT_EQ(choice.channels, (std::vector<std::string>{"diffuse.R", "Z"}));
    EXPECT_FALSE(choice.upright);
}

TEST(PictureChoice, WhatIsUsualIsNotWritten) {
    EXPECT_EQ(with_choice("/d/a.png", {}), "/d/a.png");
    EXPECT_EQ(with_choice("/d/a.png", {.part = "1"}), "/d/a.png");
    EXPECT_EQ(with_choice("/d/a.png", {.part = "2"}), "/d/a.png#part=2");
    EXPECT_EQ(with_choice("/d/a.png", {.upright = false}), "/d/a.png#orientation=off");
    EXPECT_EQ(with_choice("/d/a.npy", {.channels_first = true}), "/d/a.npy#layout=chw");
    EXPECT_EQ(with_choice("/d/a.npy", {.channels_first = false}), "/d/a.npy#layout=hwc");
    EXPECT_EQ(parse_picture_source("/d/a.npy#channels=3&layout=chw").choice.channels_first, true);
    EXPECT_EQ(parse_picture_source("/d/a.npy#layout=hwc").choice.channels_first, false);
}

TEST(PictureChoice, AnyNameComesBack) {
    for (const std::string name : {"a/b", "50 %", "#1", "a=b&c", "x,y", "Ä", ".."}) {
        const PictureChoice choice{.part = name, .channels = {name, "other"}};
        const std::string source = with_choice("/d/a.tif", choice);
        EXPECT_EQ(source.find('/', 3), std::string::npos) << source;  // still a name in the folder /d
        EXPECT_EQ(parse_picture_source(source).file, "/d/a.tif") << source;
        EXPECT_EQ(parse_picture_source(source).choice, choice) << source;
    }
}

TEST(PictureChoice, OtherNamesAreOnlyNames) {
    for (const std::string name :
         {"/d/photo #3.png", "/d/a.png#part=", "/d/a.png#part=2&part=3", "/d/a.png#orientation=on", "/d/#", "#", "",
          "/d/a.png#channels=R,R", "/d/a.png#channels=1,2,3,4,5", "/d/a.png#part=%zz", "/d/a.png#part=a/b",
          "/d/a.png#part=%00", "/d/a.npy#layout=cwh", "/d/a.png#part=2&"}) {
        EXPECT_EQ(parse_picture_source(name).file, name);
        EXPECT_EQ(parse_picture_source(name).choice, PictureChoice{});
    }
}

TEST(PictureChoice, NameThatLooksLikeOneIsKept) {
    const std::string source = with_choice("/d/a.png#part=2", {});
    EXPECT_EQ(source, "/d/a.png#part=2#part=1");
    EXPECT_EQ(file_of(source), "/d/a.png#part=2");
}

TEST(PictureChoice, TypedChannelsAreOneToFour) {
    EXPECT_EQ(parse_channels("--channels", "R,G,B"), (std::vector<std::string>{"R", "G", "B"}));
    for (const char* typed : {"", "R,", "R,R", "1,2,3,4,5"})
        EXPECT_NE(refusal([&] { parse_channels("--channels", typed); }).find("--channels must be"), std::string::npos)
            << typed;
}

}  // namespace
}  // namespace texelscope::test
