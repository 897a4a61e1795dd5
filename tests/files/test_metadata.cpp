// What files say of themselves, and which way up they are.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "app/files/bytes/rows.h"
#include "app/files/codecs/codecs.h"
#include "app/files/decoding/picture_in_file.h"
#include "app/files/metadata/metadata.h"
#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"
#include "tests/files/pixels.h"
#include "tests/support/encoded_files.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;

// What files say of themselves, against values written into them by the words of the standards.

// A TIFF directory and the values that do not fit into it, from offset `at` on; in either order of bytes.
class Tags {
public:
    Tags(bool little, uint32_t at) : little_(little), at_(at) {}

    std::string two(uint32_t v) const { return little_ ? little16(v) : big16(v); }
    std::string four(uint32_t v) const { return little_ ? little32(v) : big32(v); }

    void add(uint32_t tag, uint32_t type, uint32_t count, const std::string& value) {
        entries_.push_back({tag, type, count, value});
    }
    void text(uint32_t tag, const std::string& value) { add(tag, 2, uint32_t(value.size()) + 1, value + '\0'); }
    void small(uint32_t tag, uint32_t value) { add(tag, 3, 1, two(value)); }
    void place(uint32_t tag, uint32_t value) { add(tag, 4, 1, four(value)); }
    void quotients(uint32_t tag, const std::vector<std::pair<uint32_t, uint32_t>>& values, uint32_t type = 5) {
        std::string bytes;
        for (const auto& value : values) bytes += four(value.first) + four(value.second);
        add(tag, type, uint32_t(values.size()), bytes);
    }
    std::string bytes() const {
        std::string head = two(uint32_t(entries_.size())), data;
        const auto behind = uint32_t(at_ + 2 + 12 * entries_.size() + 4);
        for (const Entry& entry : entries_) {
            std::string value = entry.value;
            value.resize(std::max<size_t>(value.size(), 4));
            head += two(entry.tag) + two(entry.type) + four(entry.count);
            head += value.size() == 4 ? value : four(behind + uint32_t(data.size()));
            if (value.size() > 4) data += value;
        }
        return head + four(0) + data;
    }

private:
    struct Entry {
        uint32_t tag, type, count;
        std::string value;
    };
    bool little_;
    uint32_t at_;
    std::vector<Entry> entries_;
};

// Three directories, of which the first one names the others.
std::string camera_data(bool little) {
    constexpr uint32_t exif_at = 200, gps_at = 600;
    Tags first(little, 8), exif(little, exif_at), gps(little, gps_at);
    first.text(0x010f, "Maker");
    first.place(0x8769, exif_at);
    first.place(0x8825, gps_at);
    exif.quotients(0x829a, {{1, 250}});
    exif.quotients(0x829d, {{28, 10}});
    exif.small(0x8827, 400);
    exif.quotients(0x920a, {{35, 1}});
    exif.quotients(0x9204, {{uint32_t(-1), 3}}, 10);
    exif.text(0x9003, "2024:05:01 12:30:00");
    exif.small(0x9209, 0x19);
    exif.quotients(0xa432, {{24, 1}, {70, 1}, {28, 10}, {28, 10}});
    exif.text(0xa434, "a lens\x1b[31m");
    exif.add(0x9286, 7, 13, "ASCII\0\0\0hello"s);
    gps.text(1, "S");
    gps.quotients(2, {{33, 1}, {51, 1}, {2436, 100}});
    gps.text(3, "E");
    gps.quotients(4, {{151, 1}, {12, 1}, {36, 1}});
    gps.add(5, 1, 1, "\1");
    gps.quotients(6, {{25, 2}});
    std::string bytes = (little ? "II" : "MM") + first.two(42) + first.four(8) + first.bytes();
    bytes.resize(exif_at);
    bytes += exif.bytes();
    bytes.resize(gps_at);
    return bytes + gps.bytes();
}

class Metadata : public testing::Test {
protected:
    // What the file says under this name; "" if nothing.
    std::string said(const std::string& group, const std::string& name) const {
        return metadata_value(rows_, group, name);
    }
    void read(const std::string& name, const std::string& bytes) {
        rows_ = read_facts(folder_.write(name, bytes)).metadata;
    }
    static std::string small_jpeg(std::span<const std::byte> icc = {}) {
        return jpeg_of(
            8, 6, 3, JCS_RGB, [](int x, int y, int) { return 20 * x + y; }, {}, icc);
    }
    Folder folder_;
    std::vector<MetadataRow> rows_;
};

TEST_F(Metadata, OfACameraIsSaidInPlainValues) {
    for (const bool little : {true, false}) {
        const std::string jpeg = small_jpeg();
        read("a.jpg", jpeg.substr(0, 2) + app1(camera_data(little)) + jpeg.substr(2));
        EXPECT_EQ(said("EXIF", "Camera maker"), "Maker");
        EXPECT_EQ(said("EXIF", "Exposure time"), "1/250 s");
        EXPECT_EQ(said("EXIF", "Aperture"), "f/2.8");
        EXPECT_EQ(said("EXIF", "Sensitivity (ISO)"), "400");
        EXPECT_EQ(said("EXIF", "Focal length"), "35 mm");
        EXPECT_EQ(said("EXIF", "Exposure bias"), "-0.333 EV");
        EXPECT_EQ(said("EXIF", "Taken"), "2024-05-01 12:30:00");
        EXPECT_EQ(said("EXIF", "Flash"), "fired, automatic");
        EXPECT_EQ(said("EXIF", "Lens range"), "24–70 mm, f/2.8");
        EXPECT_EQ(said("EXIF", "Lens"), "a lens\\x1b[31m") << "nothing that a terminal would obey";
        EXPECT_EQ(said("EXIF", "Remark"), "hello");
        EXPECT_EQ(said("GPS", "Position"), "33.856767° S, 151.210000° E");
        EXPECT_EQ(said("GPS", "Altitude"), "12.5 m below sea level");
    }
}

TEST_F(Metadata, OfTheFileAndItsPictureComesFirst) {
    read("a.jpg", small_jpeg());
    ASSERT_FALSE(rows_.empty());
    EXPECT_EQ(rows_[0], (MetadataRow{"File", "Name", "a.jpg"}));
    EXPECT_EQ(said("File", "Folder"), folder_.path().string());
    EXPECT_EQ(said("File", "Format"), "JPEG");
    EXPECT_EQ(said("File", "File size"), std::to_string(small_jpeg().size()) + " bytes");
    EXPECT_EQ(said("Picture", "Size"), "8 × 6 pixels");
    EXPECT_EQ(said("Picture", "Samples"), "8-bit integers");
    EXPECT_EQ(said("Colour", "Profile"), "none in the file");
}

TEST_F(Metadata, OwnFormatsSayWhatTheyHold) {
    read("a.pgm", "P5 2 1 65535\nabcd");
    EXPECT_EQ(said("File", "Format"), "PNM");
    EXPECT_EQ(said("Picture", "Samples"), "16-bit integers");
}

TEST_F(Metadata, ProfilesAreNamed) {
    read("a.jpg", small_jpeg(bytes_of(adobe_like_profile().get())));
    EXPECT_EQ(said("Colour", "Profile"), "Like Adobe RGB");
    EXPECT_EQ(said("Colour", "Profile for"), "a screen, RGB");
    std::vector<std::byte> damaged = bytes_of(adobe_like_profile().get());
    std::fill(damaged.begin(), damaged.end(), std::byte(0xff));
    read("a.jpg", small_jpeg(damaged));
    EXPECT_EQ(said("Colour", "Profile"), "damaged profile");
    EXPECT_EQ(said("Colour", "Profile for"), said("Colour", "no such row")) << "nothing is said of what is no profile";
}

#if TEXELSCOPE_WITH_OIIO
// IPTC-IIM 4.2, record 2: data sets 90 (city) and 120 (caption), in Adobe's resource 0x0404; XMP, part 3: in APP1.
TEST_F(Metadata, OfNewsAndOfXmpIsReadByOpenImageIo) {
    const auto data_set = [](char number, const std::string& text) {
        return "\x1c\2"s + number + big16(uint32_t(text.size())) + text;
    };
    const std::string news = data_set(90, "Bern") + data_set(120, "A caption!");
    const std::string resource = "Photoshop 3.0\0"s + "8BIM\4\4\0\0"s + big32(uint32_t(news.size())) + news;
    const std::string xmp =
        "http://ns.adobe.com/xap/1.0/\0"s +
        "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">"
        "<rdf:Description rdf:about=\"\" xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\" xmp:Rating=\"4\"></rdf:Description></rdf:RDF></x:xmpmeta>";
    const auto segment = [](const char* marker, const std::string& data) {
        return marker + big16(uint32_t(data.size()) + 2) + data;
    };
    const std::string jpeg = small_jpeg();
    read("a.jpg", jpeg.substr(0, 2) + segment("\xff\xe1", xmp) + segment("\xff\xed", resource) + jpeg.substr(2));
    EXPECT_EQ(said("IPTC", "City"), "Bern");
    EXPECT_EQ(said("IPTC", "Caption"), "A caption!");
    EXPECT_TRUE(std::ranges::any_of(
        rows_, [](const MetadataRow& row) { return row.name.ends_with("Rating") && row.value.starts_with("4"); }));
}
#endif

// PNG, third edition, 11.3.3: Latin-1 in tEXt and zTXt, UTF-8 in iTXt.
TEST_F(Metadata, OfPngIsItsTexts) {
    const std::string texts = chunk("tEXt", "Title\0H\xe4user"s) + chunk("zTXt", "Author\0\0"s + stored("J\xf6rg")) +
                              chunk("iTXt", "Comment\0\0\0en\0\0a\n\xe2\x80\xaetwo"s) +
                              chunk("tIME", "\x07\xe8\x02\x1d\x0c\x05\x09"s) + chunk("gAMA", big32(100000)) +
                              chunk("pHYs", big32(11811) + big32(11811) + "\1");
    read("a.png", png(2, 1, 8, 0, "\0ab"s, texts));
    EXPECT_EQ(said("PNG", "Title"), "Häuser");
    EXPECT_EQ(said("PNG", "Author"), "Jörg");
    EXPECT_EQ(said("PNG", "Comment"), "a \\u202etwo");
    EXPECT_EQ(said("PNG", "Changed"), "2024-02-29 12:05:09 UTC");
    EXPECT_EQ(said("PNG", "Resolution"), "300 × 300 per inch");
    EXPECT_EQ(said("Colour", "Gamma"), "1");
}

TEST_F(Metadata, IsLimitedInLengthAndNumber) {
    const std::string jpeg = small_jpeg(), remark(60000, 'x');
    std::string remarks;
    for (int i = 0; i < 500; ++i) remarks += "\xff\xfe\0\3a"s;
    read("a.jpg", jpeg.substr(0, 2) + "\xff\xfe" + big16(60002) + remark + remarks + jpeg.substr(2));
    const std::string first = said("JPEG", "Comment");
    EXPECT_LE(first.size(), 1000u);
    EXPECT_TRUE(first.ends_with("x…")) << first.substr(first.size() - 10);
    EXPECT_LT(rows_.size(), 300u);
}

// Wherever a directory points, and however it ends: no more than a row less.
TEST_F(Metadata, DamagedDirectoriesDoNoHarm) {
    const std::string good = camera_data(true);
    for (size_t length = 0; length < good.size(); ++length)
        exif_rows(span_of(std::string_view(good).substr(0, length)));
    for (size_t at = 0; at < good.size(); ++at) {
        std::string bad = good;
        bad[at] = '\xff';
        for (const MetadataRow& row : exif_rows(span_of(bad))) EXPECT_FALSE(row.name.empty());
    }
    std::string ring = good;  // the directory of EXIF is the first one again
    ring.replace(ring.find("\x69\x87"), 12, little16(0x8769) + little16(4) + little32(1) + little32(8));
    EXPECT_FALSE(exif_rows(span_of(ring)).empty());
}

TEST(Printable, LeavesWhatCanBeReadAndNothingElse) {
    EXPECT_EQ(printable("Grüße, 你好 😀", 100), "Grüße, 你好 😀");
    EXPECT_EQ(printable("  a\r\n\tb  ", 100), "a b");
    EXPECT_EQ(printable("\x1b]0;x\x07", 100), "\\x1b]0;x\\x07");
    EXPECT_EQ(printable("a\0b"s, 100), "a\\x00b");
    EXPECT_EQ(printable("\xff\xc3", 100), "\\xff\\xc3") << "no UTF-8";
    EXPECT_EQ(printable("\xc0\xaf", 100), "\\xc0\\xaf") << "longer than it needs to be";
    EXPECT_EQ(printable("\xed\xa0\x80", 100), "\\xed\\xa0\\x80") << "half of a pair";
    EXPECT_EQ(printable("a\xe2\x80\xae"s + "b", 100), "a\\u202eb") << "from right to left";
    EXPECT_EQ(printable("\xc2\x9b", 100), "\\x9b");
    EXPECT_EQ(printable("äääää", 7), "ää…") << "never half a letter";
    EXPECT_EQ(printable("äää", 6), "äää");
}

// Pictures that lie on their side are turned upright, pixel for pixel, as Exif 2.32 says.

Reading as_stored() {
    Reading reading;
    reading.choice.upright = false;
    return reading;
}

// Every pixel differs from its neighbours, so that no turn looks like another.
std::string asymmetric_rows(int width, int height) {
    std::string rows;
    for (int y = 0; y < height; ++y) {
        rows += '\0';
        for (int x = 0; x < width; ++x) rows += {char(x * 3 + 1), char(y * 5 + 2), char(x * 7 + y * 11)};
    }
    return rows;
}

class Orientation : public testing::TestWithParam<int> {
protected:
    // The file is upright by default, and its stored rows are those of the file without orientation.
    void check(const std::filesystem::path& turned, const Image& stored) const {
        EXPECT_TRUE(is_upright(read_image(turned), stored, GetParam()));
        EXPECT_TRUE(is_upright(read_image_in_process(turned), stored, GetParam()));
        EXPECT_TRUE(is_upright(read_image(turned, as_stored()), stored, 1));
        const PictureFacts facts = read_facts(turned);
        EXPECT_EQ(facts.orientation, GetParam());
        EXPECT_TRUE(facts.upright);
        EXPECT_EQ(facts.shape.width, GetParam() >= 5 ? stored.height() : stored.width());
        EXPECT_FALSE(read_facts(turned, as_stored()).upright);
    }
    Folder folder_;
};

TEST_P(Orientation, OfPngIsThatOfItsExifChunk) {
    const std::string rows = asymmetric_rows(70, 40);
    const Image stored = read_image(folder_.write("stored.png", png(70, 40, 8, 2, rows)));
    for (const bool little : {false, true})
        check(folder_.write("turned.png", png(70, 40, 8, 2, rows, chunk("eXIf", exif(GetParam(), little)))), stored);
}

TEST_P(Orientation, OfJpegIsThatOfItsFirstSegment) {
    Image image(48, 33, 3, SampleType::u8);
    for (int y = 0; y < 33; ++y)
        for (int i = 0; i < 48 * 3; ++i) image.row_as<uint8_t>(y)[i] = uint8_t(i + y * 3);
    write_image(image, folder_ / "stored.jpg");
    const Image stored = read_image(folder_ / "stored.jpg");
    const std::string bytes = content_of(folder_ / "stored.jpg");
    for (const bool little : {false, true})
        check(folder_.write("turned.jpg", bytes.substr(0, 2) + app1(exif(GetParam(), little)) + bytes.substr(2)),
              stored);
}

#if TEXELSCOPE_WITH_OIIO
// More rows than are read at once.
TEST_P(Orientation, OfTiffIsThatOfItsDirectory) {
    constexpr uint32_t width = 21, height = 150;
    const auto entry = [](uint32_t tag, uint32_t value) {
        return little16(tag) + little16(4) + little32(1) + little32(value);
    };
    const auto tiff = [&](int orientation) {
        std::string samples;
        for (uint32_t i = 0; i < width * height; ++i) samples += char(i * 37 + i / width);
        return "II*\0"s + little32(8) + little16(9) + entry(256, width) + entry(257, height) + entry(258, 8) +
               entry(259, 1) + entry(262, 1) + entry(273, 8 + 2 + 9 * 12 + 4) + entry(274, uint32_t(orientation)) +
               entry(278, height) + entry(279, width * height) + little32(0) + samples;
    };
    const Image stored = read_image(folder_.write("stored.tif", tiff(1)));
    check(folder_.write("turned.tif", tiff(GetParam())), stored);
}
#endif

INSTANTIATE_TEST_SUITE_P(All, Orientation, testing::Range(1, 9));

// Whatever the sample type, the number of channels, and how many rows come at once.
TEST(TurnedRows, PutsEachPixelWhereItBelongs) {
    constexpr int width = 37, height = 41;
    for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f32, SampleType::f64})
        for (int channels = 1; channels <= 4; ++channels)
            for (int orientation = 1; orientation <= 8; ++orientation)
                for (const int at_once : {1, 7, height}) {
                    Image stored(width, height, channels, type);
                    for (size_t i = 0; i < stored.size_bytes(); ++i)
                        stored.data()[i] = std::byte(i * 2654435761u >> 17 & 63);  // no NaN
                    const bool lies = orientation >= 5;
                    Image turned(lies ? height : width, lies ? width : height, channels, type);
                    std::vector<int> all;
                    for (int c = 0; c < channels; ++c) all.push_back(c);
                    for (int y = 0; y < height; y += at_once) {
                        const int count = std::min(at_once, height - y);
                        place_rows({stored.row(y), width, y, count, channels, all}, orientation, turned);
                    }
                    EXPECT_TRUE(is_upright(turned, stored, orientation)) << orientation << ", " << channels;
                }
}

TEST(TurnedRows, TakesChosenChannelsInTheirOrder) {
    Image stored(3, 2, 4, SampleType::u8);
    for (size_t i = 0; i < 24; ++i) stored.data()[i] = std::byte(i);
    Image turned(2, 3, 2, SampleType::u8);
    const std::vector<int> which = {3, 1};
    place_rows({stored.data(), 3, 0, 2, 4, which}, 6, turned);
    // The last row of the file is the left column.
    EXPECT_EQ(samples<uint8_t>(turned), (std::vector<uint8_t>{15, 13, 3, 1, 19, 17, 7, 5, 23, 21, 11, 9}));
}

// Four channels of 64 bits are the largest pixel.
TEST(TurnedRows, TakesFourOfFiveChannelsOfDoubles) {
    const double stored[] = {0, 1, 2, 3, 4, 10, 11, 12, 13, 14};
    std::vector<std::byte> bytes(sizeof stored);
    std::memcpy(bytes.data(), stored, sizeof stored);
    Image turned(2, 1, 4, SampleType::f64);
    const std::vector<int> which = {4, 3, 1, 0};
    place_rows({bytes.data(), 2, 0, 1, 5, which}, 1, turned);
    EXPECT_EQ(samples<double>(turned), (std::vector<double>{4, 3, 1, 0, 14, 13, 11, 10}));
}

TEST(Exif, WhatMakesNoSenseIsUpright) {
    const auto orientation = [](const std::string& data) { return orientation_in_exif(span_of(data)); };
    EXPECT_EQ(orientation(exif(6, true)), 6);
    EXPECT_EQ(orientation(""), 1);
    EXPECT_EQ(orientation(exif(0, true)), 1);
    EXPECT_EQ(orientation(exif(9, false)), 1);
    EXPECT_EQ(orientation("XX" + exif(6, true).substr(2)), 1);
    EXPECT_EQ(orientation("II*\0\xff\xff\xff\xff"s), 1);
    for (size_t end = 0; end < 34; ++end) EXPECT_EQ(orientation(exif(6, true).substr(0, end)), 1) << end;
}

}  // namespace
}  // namespace texelscope::test
