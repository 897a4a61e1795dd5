// HEIF and AVIF: what is recognised, which way up, and what their EXIF data say.

#include <gtest/gtest.h>

#include "app/files/codecs/codecs.h"
#include "app/files/codecs/heif.h"
#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"
#include "tests/files/pixels.h"

#if TEXELSCOPE_WITH_OIIO
#include <OpenImageIO/imageio.h>
#endif

namespace texelscope::test {
namespace {

using namespace std::string_literals;

int orientation(const std::vector<std::pair<std::string, std::string>>& properties) {
    const std::string file = heif(properties, exif(6, true));
    return orientation_in_heif(span_of(file));
}

// A quarter to the left brings upright what lies on its right side: 8. imir 1 changes left and right, imir 0 top and bottom.
TEST(Heif, ItsPropertiesSayHowItLies) {
    EXPECT_EQ(orientation({}), 1);
    EXPECT_EQ(orientation({{"irot", "\1"}}), 8);
    EXPECT_EQ(orientation({{"irot", "\2"}}), 3);
    EXPECT_EQ(orientation({{"irot", "\3"}}), 6);
    EXPECT_EQ(orientation({{"imir", "\1"}}), 2);
    EXPECT_EQ(orientation({{"imir", "\0"s}}), 4);
    EXPECT_EQ(orientation({{"irot", "\3"}, {"imir", "\1"}}), 5);
    EXPECT_EQ(orientation({{"pixi", "abc"}, {"irot", "\3"}, {"imir", "\0"s}}), 7);
    EXPECT_EQ(orientation({{"imir", "\1"}, {"irot", "\3"}}), 7) << "the order matters";
}

TEST(Heif, ItsExifDataAreAnItem) {
    const std::string tiff = exif(6, true), file = heif({{"irot", "\3"}}, tiff);
    EXPECT_EQ(text_of(exif_of_heif(span_of(file))), tiff);
    for (size_t end = 0; end < file.size(); ++end) {
        const std::string cut = file.substr(0, end);
        EXPECT_TRUE(exif_of_heif(span_of(cut)).empty()) << end;
        EXPECT_GE(orientation_in_heif(span_of(cut)), 1) << end;
    }
    const Codec* codec = codec_of_extension("a.hif");
    ASSERT_TRUE(codec);
    EXPECT_EQ(stored_orientation(*codec, span_of(file)), 1) << "its decoder has turned it already";
}

TEST(Heif, BrandsAndExtensionsAreRecognised) {
    for (const std::string brand : {"heic", "heix", "heim", "heis", "hevc", "mif1", "msf1", "avif", "avis"}) {
        const std::string head = heif_box("ftyp", brand + "\0\0\0\0"s);
        const Codec* codec = recognise(span_of(head), "download");
        ASSERT_TRUE(codec) << brand;
        EXPECT_EQ(codec->name, "HEIF") << brand;
    }
    for (const char* name : {"a.heic", "a.HEIF", "a.hif", "a.avif"}) EXPECT_TRUE(codec_of_extension(name)) << name;
}

#if TEXELSCOPE_WITH_OIIO
// Written here, if the library has an encoder. The last property, which the reader can do without, gives its place to others.
TEST(Heif, IsTurnedByItsDecoderWhichInfoSays) {
    const Folder folder;
    const std::string path = (folder / "a.heic").string();
    const auto output = OIIO::ImageOutput::create(path);
    OIIO::ImageSpec spec(64, 48, 3, OIIO::TypeDesc::UINT8);
    spec.attribute("Make", "Acme");
    spec.attribute("ExposureTime", 0.004f);
    std::vector<uint8_t> pixels;
    for (int i = 0; i < 64 * 48; ++i)
        pixels.insert(pixels.end(), {uint8_t(i % 64 * 4), uint8_t(i / 64 * 5), uint8_t(i * 255 / (64 * 48))});
    const bool written = output && output->open(path, spec) &&
                         output->write_image(OIIO::TypeDesc::UINT8, pixels.data()) && output->close();
    if (!written) GTEST_SKIP() << "no encoder of HEIF here";
    std::string bytes = content_of(path);
    // OpenImageIO 2.4 turns round the second number of the EXIF data, so that libheif does not find their beginning.
    if (const size_t at = bytes.find("Exif\0\0MM\x2a\0"s); at != std::string::npos)
        bytes.replace(at - 4, 14, big32(6) + "Exif\0\0MM\0\x2a"s);
    std::ofstream(path, std::ios::binary) << bytes;
    const size_t place = bytes.find("pixi");
    ASSERT_NE(place, std::string::npos);
    ASSERT_EQ(bytes.substr(place - 4, 4), big32(16));
    const Image stored = read_image(path);
    ASSERT_EQ(stored.width(), 64);

    const auto row = [](const PictureFacts& facts, const std::string& group, const std::string& name) {
        for (const MetadataRow& each : facts.metadata)
            if (each.group == group && each.name == name) return each.value;
        return std::string();
    };
    EXPECT_EQ(row(read_facts(path), "Picture", "Turned"), "");
    EXPECT_EQ(row(read_facts(path), "EXIF", "Exposure time"), "1/250 s");
    for (const auto& [type, value, lies] :
         {std::tuple("irot", 3, 6), std::tuple("irot", 2, 3), std::tuple("irot", 1, 8), std::tuple("imir", 1, 2)}) {
        std::string turned = bytes;
        turned.replace(place, 12, type + std::string{char(value)} + std::string(7, '\0'));
        const auto file = folder.write("turned.heic", turned);
        EXPECT_TRUE(is_upright(read_image(file), stored, lies)) << type << value;
        const PictureFacts facts = read_facts(file);
        EXPECT_EQ(facts.shape.width, lies >= 5 ? 48 : 64);
        EXPECT_NE(row(facts, "Picture", "Turned").find("(" + std::to_string(lies) + ")"), std::string::npos)
            << row(facts, "Picture", "Turned");
    }
}
#endif

}  // namespace
}  // namespace texelscope::test
