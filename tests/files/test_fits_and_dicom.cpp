// FITS and DICOM.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"
#include "tests/files/pixels.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;
using Cards = std::vector<std::pair<std::string, std::string>>;

// FITS by the byte: cards of 80 letters in blocks of 2880, big-endian numbers, first row lowest (FITS Standard 4.0).

std::string padded(std::string text, size_t length, char with = ' ') {
    text.resize((text.size() + length - 1) / length * length, with);
    return text;
}

std::string card(const std::string& name, const std::string& value) {
    return padded(padded(name, 8) + "= " + std::string(20 - std::min<size_t>(20, value.size()), ' ') + value, 80);
}

std::string unit(const Cards& cards, const std::string& data) {
    std::string text;
    for (const auto& [name, value] : cards) text += card(name, value);
    return padded(text + padded("END", 80), 2880) + padded(data, 2880, '\0');
}

Cards image_cards(int bits, std::vector<int> axes, const Cards& more = {}) {
    Cards cards = {{"BITPIX", std::to_string(bits)}, {"NAXIS", std::to_string(axes.size())}};
    for (size_t i = 0; i < axes.size(); ++i)
        cards.emplace_back("NAXIS" + std::to_string(i + 1), std::to_string(axes[i]));
    cards.insert(cards.end(), more.begin(), more.end());
    return cards;
}

std::string first(Cards cards, const std::string& data) {
    cards.insert(cards.begin(), {"SIMPLE", "T"});
    return unit(cards, data);
}

std::string extension(const std::string& kind, Cards cards, const std::string& data) {
    cards.insert(cards.begin(), {"XTENSION", "'" + padded(kind, 8) + "'"});
    cards.insert(cards.end(), {{"PCOUNT", "0"}, {"GCOUNT", "1"}});
    return unit(cards, data);
}

template <class T> std::string big_endian(const std::vector<T>& numbers) {
    std::string bytes;
    for (const T& number : numbers) {
        char each[sizeof(T)];
        std::memcpy(each, &number, sizeof(T));
        bytes.append(std::make_reverse_iterator(each + sizeof(T)), std::make_reverse_iterator(each + 0));
    }
    return bytes;
}

class Fits : public testing::Test {
protected:
    Image read(const std::string& bytes, const std::string& part = "") {
        Reading reading;
        reading.choice.part = part;
        return read_image(folder.write("a.fits", bytes), reading);
    }
    // A picture of two rows, 1 2 below 3 4 and so on: its first row is the second that is stored.
    template <class T> Image two_rows(int bits, const std::vector<T>& numbers, const Cards& more = {}) {
        return read(first(image_cards(bits, {2, int(numbers.size()) / 2}, more), big_endian(numbers)));
    }
    std::string complaint(const std::string& bytes) {
        return refusal([&] { read(bytes); });
    }
    Folder folder;
};

template <class T> void expect_samples(const Image& image, SampleType type, const std::vector<T>& expected) {
    EXPECT_EQ(image.type(), type) << name_of(image.type());
    if (image.type() == type) {
        EXPECT_EQ(samples<T>(image), expected);
    }
    EXPECT_EQ(image.channels(), 1);
}

TEST_F(Fits, TheFirstRowOfTheFileIsTheLowest) {
    expect_samples<float>(two_rows<float>(-32, {1, 2, 3, 4, 5, 6}), SampleType::f32, {5, 6, 3, 4, 1, 2});
    expect_samples<double>(two_rows<double>(-64, {0.1, 1e300, 3, -4}), SampleType::f64, {3, -4, 0.1, 1e300});
}

// Table 8 and section 4.4.2.5: offsets for integer types that the format lacks.
TEST_F(Fits, IntegersStayIntegers) {
    expect_samples<uint8_t>(two_rows<uint8_t>(8, {0, 1, 128, 255}), SampleType::u8, {128, 255, 0, 1});
    expect_samples<int8_t>(two_rows<uint8_t>(8, {0, 127, 128, 255}, {{"BZERO", "-128"}}), SampleType::i8,
                           {0, 127, -128, -1});
    expect_samples<int16_t>(two_rows<int16_t>(16, {-32768, -1, 0, 32767}), SampleType::i16, {0, 32767, -32768, -1});
    expect_samples<uint16_t>(two_rows<int16_t>(16, {-32768, -1, 0, 32767}, {{"BZERO", "32768"}, {"BSCALE", "1"}}),
                             SampleType::u16, {32768, 65535, 0, 32767});
    expect_samples<int32_t>(two_rows<int32_t>(32, {-2147483647, 2, 16777217, 4}), SampleType::i32,
                            {16777217, 4, -2147483647, 2});
    expect_samples<uint32_t>(two_rows<int32_t>(32, {-2147483647, 0, 1, 2}, {{"BZERO", "2147483648.0"}}),
                             SampleType::u32, {2147483649u, 2147483650u, 1, 2147483648u});
    expect_samples<int64_t>(two_rows<int64_t>(64, {1, 2, 9007199254740993, -4}), SampleType::i64,
                            {9007199254740993, -4, 1, 2});
    expect_samples<uint64_t>(two_rows<int64_t>(64, {-1, 0, 1, 2}, {{"BZERO", "9223372036854775808"}}), SampleType::u64,
                             {9223372036854775809u, 9223372036854775810u, 9223372036854775807u, 9223372036854775808u});
}

// Physical value = BZERO + BSCALE · stored.
TEST_F(Fits, ScaledNumbersAreFloats) {
    expect_samples<float>(two_rows<int16_t>(16, {1, 2, 3, 4}, {{"BSCALE", "0.5"}, {"BZERO", "1.0D1"}}), SampleType::f32,
                          {11.5, 12, 10.5, 11});
    expect_samples<float>(two_rows<uint8_t>(8, {1, 2, 3, 255}, {{"BSCALE", "-2"}}), SampleType::f32,
                          {-6, -510, -2, -4});
    // The offset is so large that float32 cannot tell the steps apart.
    expect_samples<double>(two_rows<int16_t>(16, {1, 2, 3, 4}, {{"BZERO", "2450000000"}}), SampleType::f64,
                           {2450000003, 2450000004, 2450000001, 2450000002});
    expect_samples<double>(two_rows<float>(-32, {1, 2, 3, 4}, {{"BSCALE", "2.0"}, {"BZERO", "10"}}), SampleType::f64,
                           {16, 18, 12, 14});
}

TEST_F(Fits, BlankIsNotANumber) {
    const Cards blank = {{"BLANK", "-99"}};
    const Image image = two_rows<int16_t>(16, {1, -99, 3, 4}, blank);
    ASSERT_EQ(image.type(), SampleType::f32);
    EXPECT_TRUE(std::isnan(image.value(1, 1, 0)));
    EXPECT_EQ(image.value(0, 0, 0), 3);
    EXPECT_EQ(two_rows<int16_t>(16, {1, 2, 3, 4}, blank).type(), SampleType::i16) << "none is blank";
    EXPECT_EQ(two_rows<int32_t>(32, {1, -99, 16777217, 4}, blank).type(), SampleType::f64);
    EXPECT_TRUE(std::isnan(two_rows<float>(-32, {1, NAN, 3, 4}).value(1, 1, 0)));
}

TEST_F(Fits, ImagesOfExtensionsAndSlicesAreParts) {
    const std::string nothing = first({{"BITPIX", "8"}, {"NAXIS", "0"}, {"EXTEND", "T"}}, "");
    const std::string table = extension("BINTABLE", image_cards(8, {3, 1000}), std::string(3000, 'x'));
    const std::string plain = extension("IMAGE", image_cards(8, {2, 1}, {{"EXTNAME", "'O''Brien '"}}), "ab");
    const std::string cube = extension("IMAGE", image_cards(8, {1, 2, 3}, {{"EXTNAME", "'SCI'"}}), "abcdef");
    const std::string file = nothing + table + plain + cube;
    EXPECT_EQ(samples<uint8_t>(read(file)), (std::vector<uint8_t>{'a', 'b'}));
    EXPECT_EQ(samples<uint8_t>(read(file, "3")), (std::vector<uint8_t>{'d', 'c'}));
    EXPECT_EQ(samples<uint8_t>(read(file, "SCI 3")), (std::vector<uint8_t>{'f', 'e'}));
    const PictureFacts facts = read_facts(folder / "a.fits");
    ASSERT_EQ(facts.parts.size(), 4u);
    EXPECT_EQ(facts.parts[0].name, "O'Brien");
    EXPECT_EQ(facts.parts[1].name, "SCI 1");
    EXPECT_EQ(facts.parts[3].height, 2);
    EXPECT_NE(complaint(nothing + table).find("tables, no image"), std::string::npos);
    EXPECT_NE(complaint(nothing).find("no image"), std::string::npos);
    EXPECT_EQ(read(first(image_cards(16, {3}), "\0\1\0\2\0\3"s)).height(), 1) << "a spectrum is a row";
}

// An image whose rows are tiles: the table has the length and place of each on the heap, which follows.
std::string packed(const std::string& method, int bits, const std::vector<std::string>& tiles, const Cards& more = {},
                   const std::string& columns = "") {
    std::string table, heap;
    for (const std::string& tile : tiles) {
        table += big32(uint32_t(tile.size())) + big32(uint32_t(heap.size())) + columns;
        heap += tile;
    }
    Cards cards = image_cards(8, {int(8 + columns.size()), int(tiles.size())});
    cards.insert(cards.end(), {{"TFIELDS", columns.empty() ? "1" : "3"},
                               {"TTYPE1", "'COMPRESSED_DATA'"},
                               {"TFORM1", "'1PB(99)'"},
                               {"TTYPE2", "'ZSCALE'"},
                               {"TFORM2", "'1D'"},
                               {"TTYPE3", "'ZZERO'"},
                               {"TFORM3", "'1D'"},
                               {"ZIMAGE", "T"},
                               {"ZBITPIX", std::to_string(bits)},
                               {"ZNAXIS", "2"},
                               {"ZNAXIS1", "4"},
                               {"ZNAXIS2", std::to_string(tiles.size())},
                               {"ZCMPTYPE", "'" + method + "'"}});
    cards.insert(cards.end(), more.begin(), more.end());
    return first({{"BITPIX", "8"}, {"NAXIS", "0"}}, "") + extension("BINTABLE", cards, table + heap);
}

// Section 10.4.1: the first number, then blocks. Code 0001: no low bits; each difference, folded to 0 −1 1 −2 …, is as
// many zeros and a one. 5 6 4 4: 0, 1, −2, 0 are folded to 0, 2, 3, 0. Code 1111: differences as they are.
TEST_F(Fits, TilesByRice) {
    const Cards two_bytes = {{"ZNAME1", "'BLOCKSIZE'"}, {"ZVAL1", "32"}, {"ZNAME2", "'BYTEPIX'"}, {"ZVAL2", "2"}};
    const std::string low = "\0\5\x19\x18"s, constant = "\xff\xfe\0"s, raw = "\0\1\xf0\0\0\0\x20\0\0\0\x50"s;
    expect_samples<int16_t>(read(packed("RICE_1", 16, {low, constant, raw}, two_bytes)), SampleType::i16,
                            {1, 2, 2, -1, -2, -2, -2, -2, 5, 6, 4, 4});
}

TEST_F(Fits, TilesByGzip) {
    // Tiles are zlib streams; in GZIP_2 all high bytes come first.
    expect_samples<int16_t>(read(packed("GZIP_1", 16, {stored("\0\1\0\2\1\0\xff\xff"s)})), SampleType::i16,
                            {1, 2, 256, -1});
    expect_samples<uint16_t>(read(packed("GZIP_2", 16, {stored("\x80\0\0\x7f\0\1\2\xff"s)}, {{"BZERO", "32768"}})),
                             SampleType::u16, {0, 32769, 32770, 65535});
    EXPECT_NE(complaint(packed("PLIO_1", 16, {"abc"})).find("PLIO_1"), std::string::npos);
    EXPECT_NE(complaint(packed("GZIP_1", 16, {stored("\0\1"s)})).find("too short"), std::string::npos);
    EXPECT_NE(complaint(packed("RICE_1", 16, {"\0"s})).find("too short"), std::string::npos);
}

// Section 10.2: (stored − r + 1/2) · scale + zero. The first random numbers r are 16807 and 282475249, divided by
// 2³¹ − 1; the tile of row i begins with the number whose index is 500 times number i + seed.
TEST_F(Fits, FloatsThatWereMadeIntegers) {
    const std::string scale = "\x40\0\0\0\0\0\0\0"s, zero = "\x40\x59\0\0\0\0\0\0"s;  // 2, 100
    const std::string tile = stored(big32(0) + big32(7) + big32(0x80000001) + big32(0x80000002));
    const Image plain = read(packed("GZIP_1", -32, {tile}, {{"ZBLANK", "-2147483647"}}, scale + zero));
    EXPECT_EQ(plain.value(0, 0, 0), 100);
    EXPECT_EQ(plain.value(1, 0, 0), 114);
    EXPECT_TRUE(std::isnan(plain.value(2, 0, 0)));
    const Image dithered =
        read(packed("GZIP_1", -64, {tile}, {{"ZQUANTIZ", "'SUBTRACTIVE_DITHER_2'"}, {"ZDITHER0", "1"}}, scale + zero));
    const double m = 2147483647;
    EXPECT_NEAR(dithered.value(0, 0, 0), 100 + 2 * (0.5 - 16807 / m), 1e-5);
    EXPECT_NEAR(dithered.value(1, 0, 0), 114 + 2 * (0.5 - 282475249 / m), 1e-5);
    EXPECT_EQ(dithered.value(3, 0, 0), 0) << "that number is exactly 0";
}

TEST_F(Fits, WhatMakesNoSenseIsRefused) {
    const std::string good = first(image_cards(8, {2, 2}), "abcd");
    EXPECT_NE(complaint(good.substr(0, 400)).find("truncated"), std::string::npos);
    EXPECT_NE(complaint(good.substr(0, 480)).find("truncated"), std::string::npos) << "END, and no rest of its block";
    EXPECT_NE(complaint(good.substr(0, 2881)).find("truncated"), std::string::npos) << "no whole row";
    EXPECT_NE(complaint(first(image_cards(12, {2, 2}), "abcd")).find("BITPIX is 12"), std::string::npos);
    EXPECT_NE(complaint(first(image_cards(8, {2, -2}), "abcd")).find("NAXIS2"), std::string::npos);
    EXPECT_NE(complaint(first(image_cards(8, {100000000, 2}), "abcd")), "");
    EXPECT_NE(complaint(first(image_cards(8, {60000, 60000}), "abcd")), "");
    EXPECT_NE(complaint(first(image_cards(8, {2, 2}, {{"BSCALE", "0"}}), "abcd")).find("BSCALE"), std::string::npos);
    EXPECT_NE(complaint(first(image_cards(8, {2, 2}, {{"BZERO", "two"}}), "abcd")).find("BZERO"), std::string::npos);
}

// DICOM, byte by byte: PS3.10, explicit little-endian elements. Read in a process that may open nothing but the file.

using Row = std::vector<Samples>;

std::string element(uint32_t group, uint32_t number, const std::string& type, std::string value) {
    if (value.size() % 2 != 0) value += type == "UI" || type == "OB" ? '\0' : ' ';
    const auto size = uint32_t(value.size());
    return little16(group) + little16(number) + type +
           (type[0] == 'O' || type == "SQ" ? little16(0) + little32(size) : little16(size)) + value;
}

struct DicomKind {
    int allocated = 8, stored = 8, channels = 1;
    bool is_signed = false, planes = false, typed = true;
    std::string colours = "MONOCHROME2", more = "";  // more: elements
};

std::string dicom(int width, int height, const DicomKind& kind, const std::string& data) {
    const std::string picture = "1.2.840.10008.5.1.4.1.1.7";
    const std::string syntax = kind.typed ? "1.2.840.10008.1.2.1" : "1.2.840.10008.1.2";
    const std::string meta = element(2, 1, "OB", "\0\1"s) + element(2, 2, "UI", picture) +
                             element(2, 3, "UI", "1.2.3") + element(2, 0x10, "UI", syntax);
    const auto here = [&](uint32_t group, uint32_t number, const std::string& type, std::string value) {
        if (kind.typed) return element(group, number, type, value);
        if (value.size() % 2 != 0) value += ' ';
        return little16(group) + little16(number) + little32(uint32_t(value.size())) + value;
    };
    const auto number = [&](uint32_t which, int value) { return here(0x28, which, "US", little16(uint32_t(value))); };
    return std::string(128, '\0') + "DICM" + element(2, 0, "UL", little32(uint32_t(meta.size()))) + meta +
           here(8, 0x16, "UI", picture) + here(8, 0x18, "UI", "1.2.3") + here(8, 0x60, "CS", "OT") +
           number(2, kind.channels) + here(0x28, 4, "CS", kind.colours) + number(6, kind.planes) +
           number(0x10, height) + number(0x11, width) + number(0x100, kind.allocated) + number(0x101, kind.stored) +
           number(0x102, kind.stored - 1) + number(0x103, kind.is_signed) + kind.more +
           here(0x7fe0, 0x10, kind.allocated > 8 ? "OW" : "OB", data);
}

std::string dicom_words(const std::vector<int>& numbers) {
    std::string bytes;
    for (const int number : numbers) bytes += little16(uint32_t(number));
    return bytes;
}

using Dicom = ReadsBytes;

TEST_F(Dicom, SamplesAreAsStored) {
    EXPECT_EQ(row_of(read("a.dcm", dicom(3, 2, {}, "\0\x40\xff\1\2\3"s)), 0), (Row{{0}, {0x40}, {255}}));
    for (const bool typed : {true, false})
        EXPECT_EQ(row_of(read("a.dcm", dicom(2, 2, {.allocated = 16, .stored = 16, .typed = typed},
                                             dicom_words({0, 0x1234, 0xffff, 1}))),
                         0),
                  (Row{{0}, {0x1234}}));
    const DicomKind rgb{.channels = 3, .colours = "RGB"};
    EXPECT_EQ(row_of(read("a.dcm", dicom(2, 1, rgb, "\1\2\3\4\5\6"s)), 0), (Row{{1, 2, 3}, {4, 5, 6}}));
    const DicomKind planes{.channels = 3, .planes = true, .colours = "RGB"};
    EXPECT_EQ(row_of(read("a.dcm", dicom(2, 1, planes, "\1\4\2\5\3\6"s)), 0), (Row{{1, 2, 3}, {4, 5, 6}}));
}

// Whatever values a picture has: those of 12 bits may all be below 256. The bits beside them are no part of them.
TEST_F(Dicom, TheLargestNumberIsThatOfItsBits) {
    for (const int bits : {9, 10, 12, 14, 16})
        for (const bool inverted : {false, true}) {
            const int most = (1 << bits) - 1;
            const std::vector<int> numbers = {0, 1, 3, 200, most / 2};
            const DicomKind kind{.allocated = 16, .stored = bits, .colours = inverted ? "MONOCHROME1" : "MONOCHROME2"};
            std::vector<int> stored = numbers;
            if (bits < 16) stored[1] |= 0x8000;
            const Image image = read("a.dcm", dicom(5, 1, kind, dicom_words(stored)));
            ASSERT_EQ(image.type(), SampleType::u16);
            for (int x = 0; x < 5; ++x) {
                const double part = double(numbers[size_t(x)]) / most;
                EXPECT_EQ(image.row_as<uint16_t>(0)[x], std::lround(65535 * (inverted ? 1 - part : part)))
                    << bits << " " << inverted << " " << x;
            }
        }
}

TEST_F(Dicom, SignedAndRescaledSamplesAreNumbers) {
    const auto numbers_of = [](const Image& image) {
        std::vector<float> numbers;
        for (int x = 0; x < image.width(); ++x) numbers.push_back(image.value(x, 0, 0));
        return numbers;
    };
    const DicomKind signed_kind{.allocated = 16, .stored = 12, .is_signed = true};
    const Image numbers = read("a.dcm", dicom(3, 1, signed_kind, dicom_words({0x0fff, 0x0800, 0x07ff})));
    EXPECT_EQ(numbers.type(), SampleType::i16);
    EXPECT_EQ(numbers_of(numbers), (std::vector<float>{-1, -2048, 2047}));
    const auto rescaled = [&](const std::string& intercept, const std::string& slope) {
        return read("a.dcm",
                    dicom(2, 1,
                          {.allocated = 16,
                           .stored = 12,
                           .colours = "MONOCHROME1",
                           .more = element(0x28, 0x1052, "DS", intercept) + element(0x28, 0x1053, "DS", slope)},
                          dicom_words({0, 3000})));
    };
    EXPECT_EQ(rescaled("-1024", "1").type(), SampleType::i32);
    EXPECT_EQ(numbers_of(rescaled("-1024", "1")), (std::vector<float>{-1024, 1976}));
    EXPECT_EQ(numbers_of(rescaled("+0.5", "2.5E-1 ")), (std::vector<float>{0.5f, 750.5f}));
    EXPECT_EQ(rescaled("0", "1").type(), SampleType::u16) << "nothing is rescaled";
}

TEST_F(Dicom, FramesArePartsAndSequencesArePassedOver) {
    const std::string nested = little16(0xfffe) + little16(0xe000) + little32(0xffffffff) +
                               element(0x7fe0, 0x10, "OW", "no picture") + little16(0xfffe) + little16(0xe00d) +
                               little32(0);
    const std::string sequence = little16(0x88) + little16(0x200) + "SQ" + little16(0) + little32(0xffffffff) + nested +
                                 little16(0xfffe) + little16(0xe0dd) + little32(0);
    const std::string file = dicom(2, 1, {.more = element(0x28, 8, "IS", "2") + sequence}, "\1\2\3\4");
    EXPECT_EQ(row_of(read("a.dcm", file), 0), (Row{{1}, {2}}));
    EXPECT_EQ(row_of(read("a.dcm", file, part_of("2")), 0), (Row{{3}, {4}}));
    EXPECT_EQ(missing_rows("a.dcm", dicom(2, 3, {}, "abcdef").substr(0, dicom(2, 3, {}, "abcdef").size() - 1)),
              std::pair(int64_t(2), int64_t(1)));
}

TEST_F(Dicom, WhatIsNotExactIsRefused) {
    EXPECT_NE(error("a.dcm", dicom(3, 2, {}, "abcdef").substr(0, 300)), "");
    std::string packed = dicom(2, 1, {.allocated = 16, .stored = 12}, dicom_words({1, 2}));
    packed.replace(packed.find("1.2.840.10008.1.2.1"), 19, "1.2.840.10008.1.2.5");
    EXPECT_NE(error("a.dcm", packed).find("compressed"), std::string::npos);
    EXPECT_NE(
        error(
            "a.dcm",
            dicom(2, 1, {.more = element(0x28, 0x3000, "SQ", little16(0xfffe) + little16(0xe000) + little32(0))}, "ab"))
            .find("table"),
        std::string::npos);
}

}  // namespace
}  // namespace texelscope::test
