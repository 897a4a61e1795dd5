// TIFF byte by byte: every kind of sample, with the values that the specification (Adobe's TIFF 6.0) gives them.

#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "app/files/reading/image_files.h"
#include "gpu/core/half.h"
#include "tests/files/bytes.h"
#include "tests/files/pixels.h"

namespace texelscope::test {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::FloatNear;
using testing::HasSubstr;
using testing::Pointwise;
using enum TiffText::Type;
using namespace std::string_literals;

class TiffSamples : public TiffReading {};

TEST_F(TiffSamples, ABitmapWithoutTagsIsWhatTheDefaultsSay) {
    // The defaults: one bit, one sample, no compression, one strip of all rows.
    const std::string rows = "\xb4\x4b";
    TiffText text(6, 2);
    text.set(262, {1});
    EXPECT_THAT(values_of(text.file(rows)), ElementsAre(1, 0, 1, 1, 0, 1, 0, 1, 0, 0, 1, 0));
    EXPECT_THAT(values_of(text.without(279).file(rows)), ElementsAre(1, 0, 1, 1, 0, 1, 0, 1, 0, 0, 1, 0))
        << "without StripByteCounts";
    EXPECT_THAT(values_of(TiffText(6, 2).set(262, {0}).file(rows)), ElementsAre(0, 1, 0, 0, 1, 0, 1, 0, 1, 1, 0, 1))
        << "0 is white";
}

TEST_F(TiffSamples, UnsignedBitsAreScaledToTheirMaximum) {
    for (const bool little : {true, false})
        for (int bits = 1; bits <= 16; ++bits)
            for (const bool white : {false, true}) {
                const uint64_t largest = (uint64_t(1) << bits) - 1;
                std::vector<uint64_t> numbers;
                for (uint64_t i = 0; i < 41; ++i) numbers.push_back(i * largest / 40);
                TiffText text(41, 1, {little, false});
                text.set(258, {uint32_t(bits)}).set(262, {white ? 0u : 1u});
                std::string row = packed_bits(numbers, bits);
                if (bits == 16) row = each(text, numbers, 2);
                const Image image = read(text.file(row));
                const bool exact = bits == 1 || bits == 2 || bits == 4 || bits == 8;
                EXPECT_EQ(image.type(), exact ? SampleType::u8 : SampleType::u16) << bits;
                for (int x = 0; x < 41; ++x) {
                    const double v = double(numbers[size_t(x)]) / double(largest), expected = white ? 1 - v : v;
                    EXPECT_NEAR(double(image.value(x, 0, 0)), expected, exact || bits == 16 ? 1e-7 : 0.5 / 65535 + 1e-7)
                        << bits << " bits, " << x;
                }
            }
}

TEST_F(TiffSamples, OtherIntegersAreNumbers) {
    struct Kind {
        uint32_t format, bits;
        SampleType type;
    };
    for (const bool little : {true, false})
        for (const auto& [format, bits, type] :
             {Kind{2, 8, SampleType::i8}, Kind{2, 12, SampleType::i16}, Kind{2, 16, SampleType::i16},
              Kind{2, 24, SampleType::i32}, Kind{2, 32, SampleType::i32}, Kind{2, 64, SampleType::i64},
              Kind{1, 24, SampleType::u32}, Kind{1, 32, SampleType::u32}, Kind{1, 64, SampleType::u64}}) {
            const uint64_t mask = ~uint64_t(0) >> (64 - bits), highest = format == 2 ? mask >> 1 : mask;
            std::vector<uint64_t> numbers = {0, 1, 100, highest};
            if (format == 2) numbers.insert(numbers.end(), {mask, mask - 99, highest + 1});  // −1, −100, the lowest
            TiffText text(uint32_t(numbers.size()), 1, {little, false});
            text.set(258, {bits}).set(262, {1}).set(339, {format});
            const Image image =
                read(text.file(bits % 8 == 0 ? each(text, numbers, bits / 8) : packed_bits(numbers, int(bits))));
            ASSERT_EQ(image.type(), type) << bits;
            for (size_t x = 0; x < numbers.size(); ++x) {
                const StoredNumber number = image.number(int(x), 0, 0);
                const int64_t with_sign = int64_t(numbers[x] << (64 - bits)) >> (64 - bits);
                EXPECT_EQ(text_of(number), format == 2 ? std::to_string(with_sign) : std::to_string(numbers[x]))
                    << bits;
            }
        }
}

TEST_F(TiffSamples, FloatsOfAllWidths) {
    for (const bool little : {true, false}) {
        const auto file = [&](uint32_t bits, const std::vector<uint64_t>& numbers) {
            TiffText text(uint32_t(numbers.size()), 1, {little, false});
            text.set(258, {bits}).set(262, {1}).set(339, {3});
            return text.file(each(text, numbers, bits / 8));
        };
        const Image half = read(file(16, {0x3c00, 0xc000, 0x0001}));
        EXPECT_EQ(half.type(), SampleType::f16);
        EXPECT_THAT(values_of(half), ElementsAre(1, -2, std::ldexp(1.0f, -24)));
        // Floats of 24 bits have a sign, 7 bits of exponent with bias 63, and 16 of fraction.
        const Image short_float =
            read(file(24, {0x3f0000, 0xc00000, 0x3f8000, 0x400000, 0x000001, 0x7f0000, 0xff0000}));
        EXPECT_EQ(short_float.type(), SampleType::f32);
        const float infinity = std::numeric_limits<float>::infinity();
        EXPECT_THAT(values_of(short_float), ElementsAre(1, -2, 1.5f, 2, std::ldexp(1.0f, -78), infinity, -infinity));
        const Image single = read(file(32, {0x3f800000, 0xc2c80000}));
        EXPECT_EQ(single.type(), SampleType::f32);
        EXPECT_THAT(values_of(single), ElementsAre(1, -100));
        const Image wide = read(file(64, {0x3fb999999999999a, 0xc0f86a0000000000}));
        EXPECT_EQ(wide.type(), SampleType::f64);
        EXPECT_EQ(text_of(wide.number(0, 0, 0)), "0.1");
        EXPECT_EQ(text_of(wide.number(1, 0, 0)), "-100000");
    }
}

TEST_F(TiffSamples, ZeroIsWhiteAtAllDepths) {
    const auto file = [&](uint32_t bits, uint32_t format, const std::vector<uint64_t>& numbers) {
        TiffText text(uint32_t(numbers.size()), 1);
        text.set(258, {bits}).set(262, {0}).set(339, {format});
        return text.file(each(text, numbers, bits / 8));
    };
    EXPECT_EQ(text_of(read(file(24, 1, {1})).number(0, 0, 0)), "16777214");
    EXPECT_EQ(text_of(read(file(32, 1, {0})).number(0, 0, 0)), "4294967295");
    EXPECT_EQ(text_of(read(file(64, 1, {5})).number(0, 0, 0)), "18446744073709551610");
    EXPECT_THAT(values_of(file(32, 3, {0x3e800000, 0x3f800000})), ElementsAre(0.75f, 0)) << "floats: of 1";
    EXPECT_THAT(values_of(file(16, 3, {0x3400})), ElementsAre(0.75f));
    EXPECT_THAT(values_of(file(16, 2, {0xfffe, 7})), ElementsAre(-2, 7)) << "signed: no maximum that would be black";
    TiffText with_alpha(1, 1);
    with_alpha.set(258, {8, 8}).set(262, {0}).set(277, {2}).set(338, {2});
    EXPECT_THAT(values_of(with_alpha.file("\x33\x66")), ElementsAre(0.8f, 0.4f)) << "alpha is not inverted";
}

TEST_F(TiffSamples, ComplexNumbersAreTwoChannels) {
    for (const bool little : {true, false}) {
        TiffText text(2, 1, {little, false});
        text.set(258, {64}).set(262, {1}).set(339, {6});
        const Image image = read(text.file(each(text, {0x3f800000, 0x40000000, 0x40400000, 0xbf800000}, 4)));
        EXPECT_EQ(image.channels(), 2);
        EXPECT_THAT(values_of(image), ElementsAre(1, 2, 3, -1));
    }
}

TEST_F(TiffSamples, PalettesOfAllDepths) {
    for (const uint32_t bits : {1u, 2u, 4u, 8u, 16u}) {
        const uint32_t entries = 1u << bits, last = entries - 1;
        std::vector<uint32_t> map(3 * entries, 1000);
        const uint32_t colours[2][3] = {{65535, 0, 12345}, {1, 40000, 65535}};
        for (size_t c = 0; c < 3; ++c) {
            map[c * entries] = colours[0][c];
            map[c * entries + last] = colours[1][c];
        }
        TiffText text(2, 1);
        text.set(258, {bits}).set(262, {3}).set(320, map);
        const Image image = read(text.file(bits == 16 ? each(text, {0, last}, 2) : packed_bits({0, last}, int(bits))));
        ASSERT_EQ(image.channels(), 3);
        EXPECT_EQ(image.type(), SampleType::u16) << bits;
        for (int x = 0; x < 2; ++x)
            for (int c = 0; c < 3; ++c) EXPECT_EQ(image.row_as<uint16_t>(0)[3 * x + c], colours[x][c]) << bits;
    }
}

// Many programs write 8 bits in the lower halves of entries, in the higher ones, or in both.
TEST_F(TiffSamples, MapsOfEightBitsAreKnownByTheirEntries) {
    for (const uint32_t factor : {1u, 256u, 257u}) {
        TiffText text(2, 1);
        text.set(258, {1}).set(262, {3}).set(320, {0, 255 * factor, 128 * factor, 7 * factor, 3 * factor, 99 * factor});
        const Image image = read(text.file("\x40"));
        EXPECT_EQ(image.type(), SampleType::u8) << factor;
        EXPECT_THAT(samples<uint8_t>(image), ElementsAre(0, 128, 3, 255, 7, 99)) << factor;
    }
}

TEST_F(TiffSamples, PalettesMayHaveAlpha) {
    TiffText text(2, 1);
    text.set(258, {8, 8}).set(262, {3}).set(277, {2}).set(338, {2});
    std::vector<uint32_t> map(768, 0);
    map[5] = 65535;
    text.set(320, map);
    const Image image = read(text.file(std::string("\x05\x80\x00\xff", 4)));
    EXPECT_EQ(image.alpha(), Alpha::straight);
    EXPECT_THAT(samples<uint8_t>(image), ElementsAre(255, 0, 0, 128, 0, 0, 0, 255));
}

// libtiff takes no map of another length, and makes the page grey.
TEST_F(TiffSamples, ShortMapsAreThreeThirds) {
    for (const TiffText::Order order : {TiffText::Order{true, false}, {false, false}, {true, true}, {false, true}}) {
        TiffText text(4, 1, order);
        text.set(258, {8}).set(262, {3}).set(320, {10, 11, 12, 20, 21, 22, 30, 31, 32});
        EXPECT_THAT(samples<uint8_t>(read(text.file("\2\0\3\xff"s))),
                    ElementsAre(12, 22, 32, 10, 20, 30, 0, 0, 0, 0, 0, 0))
            << order.little << order.big_tiff;
    }
    EXPECT_THAT(refusal([&] { read(TiffText(1, 1).set(258, {8}).set(262, {3}).file("a")); }),
                HasSubstr("the TIFF has a palette, but its colour map is missing"));
}

TEST_F(TiffSamples, BitsMayBeginAtTheLowEnd) {
    TiffText text(8, 1);
    text.set(262, {1}).set(266, {2});
    EXPECT_THAT(values_of(text.file("\x01")), ElementsAre(1, 0, 0, 0, 0, 0, 0, 0));
}

TEST_F(TiffSamples, BigTiffInBothOrders) {
    for (const bool little : {true, false}) {
        TiffText text(2, 2, {little, true});
        text.set(258, {16}).set(262, {1}).set(278, {1});
        const Image image = read(text.file({each(text, {1, 2}, 2), each(text, {3, 65535}, 2)}));
        EXPECT_THAT(samples<uint16_t>(image), ElementsAre(1, 2, 3, 65535));
    }
}

// Adobe's TIFF Technical Note 3: the highest bytes of both floats, then the next ones, each as the difference from the
// byte before it, whatever the byte order.
TEST_F(TiffSamples, FloatsMayBePredicted) {
    for (const bool little : {true, false}) {
        TiffText text(2, 1, {little, false});
        text.set(258, {32}).set(262, {1}).set(339, {3}).set(259, {8}).set(317, {3});
        EXPECT_THAT(values_of(text.file(stored("\x3f\x01\x40\x80\0\0\0\0"s))),
                    ElementsAre(1, 2));  // 3f800000, 40000000
    }
}

TEST_F(TiffSamples, AlphaIsWhatExtraSamplesSays) {
    const auto image = [&](const std::vector<uint32_t>& extra) {
        TiffText text(1, 1);
        text.set(258, {8, 8, 8, 8}).set(262, {2}).set(277, {4});
        if (!extra.empty()) text.set(338, extra);
        return read(text.file("abcd"));
    };
    EXPECT_EQ(image({1}).alpha(), Alpha::premultiplied);
    EXPECT_EQ(image({2}).alpha(), Alpha::straight);
    EXPECT_EQ(image({0}).alpha(), Alpha::none) << "unspecified: data";
    EXPECT_EQ(image({}).alpha(), Alpha::none);
    EXPECT_EQ(image({0}).channels(), 4);
    EXPECT_THAT(samples<uint8_t>(image({})), ElementsAre('a', 'b', 'c', 'd'));
    for (const uint32_t kind : {1u, 2u}) {  // numbers, of which none means opaque
        TiffText numbers(1, 1);
        numbers.set(258, {16, 16, 16, 16}).set(262, {2}).set(277, {4}).set(339, {2, 2, 2, 2}).set(338, {kind});
        const Image signed_ones = read(numbers.file("\1\0\2\0\3\0\4\0"s));
        EXPECT_EQ(signed_ones.alpha(), Alpha::none);
        EXPECT_THAT(samples<int16_t>(signed_ones), ElementsAre(1, 2, 3, 4));
    }
}

TEST_F(TiffSamples, AlphaBehindOtherExtraSamplesIsRead) {
    const auto rgb_with_two = [](uint32_t kind) {
        return TiffText(2, 1).set(258, {8, 8, 8, 8, 8}).set(262, {2}).set(277, {5}).set(338, {0, kind});
    };
    const Image image = read(rgb_with_two(2).file("abcdeABCDE"));
    EXPECT_EQ(image.alpha(), Alpha::straight);
    EXPECT_EQ(text_of(ByteSpan(image.data(), 8)), "abceABCE");
    EXPECT_EQ(read(rgb_with_two(1).file("abcdeABCDE")).alpha(), Alpha::premultiplied);
    const Image planes = read(rgb_with_two(2).set(284, {2}).file({"aA", "bB", "cC", "dD", "eE"}));
    EXPECT_EQ(planes.alpha(), Alpha::straight);
    EXPECT_EQ(text_of(ByteSpan(planes.data(), 8)), "abceABCE");
    EXPECT_THAT(read_facts(write(rgb_with_two(2).file("abcdeABCDE"))).channels, ElementsAre(0, 1, 2, 4));
    EXPECT_EQ(read(rgb_with_two(0).file("abcdeABCDE")).channels(), 3);
}

TEST_F(TiffSamples, ChannelsHaveNames) {
    const auto names = [&](uint32_t photometric, uint32_t samples, const std::vector<uint32_t>& extra) {
        TiffText text(1, 1);
        text.set(258, std::vector<uint32_t>(samples, 8)).set(262, {photometric}).set(277, {samples});
        if (!extra.empty()) text.set(338, extra);
        return read_facts(write(text.file(std::string(samples, 'x')))).parts.at(0).channels;
    };
    EXPECT_THAT(names(1, 1, {}), ElementsAre("Y"));
    EXPECT_THAT(names(1, 2, {2}), ElementsAre("Y", "A"));
    EXPECT_THAT(names(1, 5, {0, 0, 0, 0}), ElementsAre("1", "2", "3", "4", "5"));
    EXPECT_THAT(names(2, 3, {}), ElementsAre("R", "G", "B"));
    EXPECT_THAT(names(2, 5, {2, 0}), ElementsAre("R", "G", "B", "A", "5"));
    EXPECT_THAT(names(2, 5, {0, 1}), ElementsAre("R", "G", "B", "4", "A"));
}

TEST_F(TiffSamples, PlanesAreJoined) {
    TiffText text(2, 2);
    text.set(258, {8, 8, 8}).set(262, {2}).set(277, {3}).set(284, {2}).set(278, {1});
    EXPECT_EQ(text_of(ByteSpan(read(text.file({"ab", "cd", "AB", "CD", "01", "23"})).data(), 12)), "aA0bB1cC2dD3");
}

TEST_F(TiffSamples, InformationSaysWhatWasStored) {
    const auto words = [&](TiffText text, const std::string& strip) {
        return metadata_value(read_facts(write(text.file(strip))).metadata, "Picture", "Stored as");
    };
    EXPECT_EQ(words(TiffText(1, 1).set(258, {12}).set(262, {0}), "ab"),
              "12-bit unsigned integers, 0 is white: inverted");
    EXPECT_EQ(words(TiffText(1, 1).set(258, {24}).set(262, {1}).set(339, {3}), "abc"), "24-bit floats");
}

TEST_F(TiffSamples, AStackOfImageJInOneDirectoryIsNamed) {
    TiffText text(1, 1);
    text.set(258, {8}).set(262, {1}).text(270, "ImageJ=1.53t\nimages=3\nslices=3\n");
    const auto rows = read_facts(write(text.file("abc"))).metadata;
    EXPECT_THAT(metadata_value(rows, "Picture", "ImageJ stack"), HasSubstr("3 images"));
}

// The directory comes first, as some programs write it; the file ends in the third of four strips.
TEST_F(TiffSamples, StripsBehindTheEndOfTheFileAreMissing) {
    TiffText text(2, 8);
    text.set(258, {8}).set(262, {1}).set(278, {2});
    std::string whole = text.file({"abcd", "efgh", "ijkl", "mnop"});
    const std::string moved = whole.substr(8, 16);  // behind the directory
    for (uint32_t i = 0; i < 4; ++i) {
        const std::string before = little32(8 + 4 * i), after = little32(uint32_t(whole.size()) + 4 * i);
        whole.replace(whole.rfind(before), 4, after);
    }
    const Image image = read(whole + moved.substr(0, 10));
    EXPECT_EQ(image.missing(), (SampleRegion{0, 5, 2, 3}));
    EXPECT_THAT(samples<uint8_t>(image),
                ElementsAre('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 0, 0, 0, 0, 0, 0));
    EXPECT_TRUE(read(whole + moved).missing().empty());
    EXPECT_THAT(refusal([&] { read(whole); }), HasSubstr("the TIFF is truncated"));
}

// The strip is moved behind the directory, so that the file can end within it.
TEST_F(TiffSamples, WholeRowsOfAStripThatIsCutOffAreThere) {
    for (const bool little : {true, false}) {
        TiffText text(2, 3, {little, false});
        text.set(258, {16}).set(262, {1}).set(266, {2});  // the low bits of a byte first
        const std::string strip = each(text, {0x8001, 2, 3, 4, 5, 6}, 2);
        std::string turned = strip;
        for (char& byte : turned) {
            uint32_t bits = 0;
            for (int i = 0; i < 8; ++i) bits |= uint32_t(uint8_t(byte) >> i & 1) << (7 - i);
            byte = char(bits);
        }
        std::string file = text.file(turned);
        const std::string before = text.number(8, 4);
        file.replace(file.rfind(before), 4, text.number(file.size(), 4));
        file += turned;
        EXPECT_THAT(samples<uint16_t>(read(file)), ElementsAre(0x8001, 2, 3, 4, 5, 6));
        const Image image = read(file.substr(0, file.size() - 1));
        EXPECT_EQ(image.missing(), (SampleRegion{0, 2, 2, 1}));
        EXPECT_THAT(samples<uint16_t>(image), ElementsAre(0x8001, 2, 3, 4, 0, 0));
        EXPECT_THAT(refusal([&] { read(file.substr(0, file.size() - 9)); }), HasSubstr("the TIFF is truncated"));
    }
}

TEST_F(TiffSamples, WhatIsNotReadIsSaidInASentence) {
    const auto why = [&](TiffText text) { return refusal([&] { read(text.file("abcdefgh")); }); };
    EXPECT_THAT(why(TiffText(1, 1).set(258, {40}).set(262, {1}).set(339, {3})), HasSubstr("floats of 40 bits"));
    EXPECT_THAT(why(TiffText(1, 1).set(258, {8}).set(262, {34712})), HasSubstr("PhotometricInterpretation"));
    EXPECT_THAT(why(TiffText(1, 1).set(258, {8}).set(262, {1}).set(259, {34712})),
                HasSubstr("compressed by method 34712"));
}

}  // namespace
}  // namespace texelscope::test
