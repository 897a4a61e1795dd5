// Damaged files of every format: each must be read or refused in one sentence, never crash.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>

#include "app/files/decoding/decoder.h"
#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"

#if TEXELSCOPE_WITH_OIIO
#include <OpenImageIO/imageio.h>
#endif

namespace texelscope::test {
namespace {

using namespace std::string_literals;

// Damaged files of every format that is written here: each must be read or refused in one sentence, never crash.

class Damage : public testing::Test {
protected:
    std::string original(const std::string& extension) {
        Image image(9, 8, extension == "pgm" ? 1 : 3, SampleType::u8);
        for (size_t i = 0; i < image.size_bytes(); ++i) image.data()[i] = std::byte(i * 29 + i / 5);
        const auto path = folder / ("original." + extension);
        write_image(image, path);
        return content_of(path);
    }
    // Reads the bytes; true if all of the picture was read.
    bool read(const std::string& extension, const std::string& bytes) {
        const auto path = folder.write("damaged." + extension, bytes);
        bool whole = false;
        const std::string text = refusal([&] {
            const Image image = read_image_in_process(path);  // thousands of files
            EXPECT_FALSE(image.empty());
            whole = image.missing().empty();
        });
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
        return text.empty() && whole;
    }
    Folder folder;
};

// One extension of every format that this build writes.
std::vector<std::string> formats_to_damage() {
    std::vector<std::string> result;
    const auto writable = writable_extensions();
    for (const char* each :
         {"png", "jpg", "tif", "exr", "hdr", "webp", "bmp", "tga", "npy", "ppm", "pgm", "pam", "pfm"})
        if (std::find(writable.begin(), writable.end(), each) != writable.end()) result.push_back(each);
    return result;
}

// These files need not end with pixels: tables in TIFF and EXR, TGA's footer, BMP's padding, end marks of PNG and JPEG.
bool may_miss_its_end(const std::string& extension) {
    return extension == "tif" || extension == "exr" || extension == "tga" || extension == "webp" ||
           extension == "png" || extension == "jpg" || extension == "bmp";
}

// Every byte if the reader is ours or the file small; the libraries' readers are slow under the sanitizers.
size_t step_over(const std::string& extension, const std::string& bytes) {
    return may_miss_its_end(extension) || bytes.size() > 2000 ? bytes.size() / 100 + 1 : 1;
}

TEST_F(Damage, TruncationIsNoticed) {
    for (const std::string& extension : formats_to_damage()) {
        const std::string whole = original(extension);
        ASSERT_TRUE(read(extension, whole)) << extension;
        const size_t step = step_over(extension, whole);
        for (size_t length = 1; length < whole.size(); length += step) {
            const bool accepted = read(extension, whole.substr(0, length));
            EXPECT_TRUE(!accepted || may_miss_its_end(extension))
                << extension << " cut to " << length << " of " << whole.size();
        }
    }
}

TEST_F(Damage, FlippedBytesNeverCrash) {
    for (const std::string& extension : formats_to_damage()) {
        const std::string whole = original(extension);
        for (size_t i = 0; i < whole.size(); i += step_over(extension, whole))
            for (const int mask : {0xff, 0x01}) {
                std::string damaged = whole;
                damaged[i] = char(damaged[i] ^ mask);
                read(extension, damaged);
            }
    }
}

TEST_F(Damage, HugeClaimsAreRefused) {
    const std::string bmp = "BM" + little32(1000) + little32(0) + little32(54) + little32(40) + little32(50000) +
                            little32(40000) + little16(1) + little16(24) + std::string(24, '\0');
    const std::string tga = "\0\0\x02"s + std::string(9, '\0') + little16(50000) + little16(40000) + "\x18\0"s;
    const std::string tga_packed = "\0\0\x0a"s + tga.substr(3);
    const std::string gif = "GIF89a" + little16(65535) + little16(65535) + "\0\0\0"s + "," + little32(0) +
                            little16(65535) + little16(65535) + "\0\x02\x01\x44\0;"s;
    const std::string jpeg = "\xff\xd8\xff\xc0\0\x0b\x08"s + big16(65000) + big16(65000) + "\x01\x01\x11\0\xff\xd9"s;
    const std::string hdr = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 40000 +X 50000\nabcd";
    const std::string psd =
        "8BPS\0\1\0\0\0\0\0\0\0\3"s + big32(30000) + big32(30000) + "\0\x08\0\3"s + std::string(16, '\0');
    for (const auto& [extension, bytes] : {std::pair{"bmp", bmp},
                                           {"tga", tga},
                                           {"tga", tga_packed},
                                           {"gif", gif},
                                           {"jpg", jpeg},
                                           {"hdr", hdr},
                                           {"psd", psd}})
        EXPECT_FALSE(read(extension, bytes)) << extension;
}

TEST_F(Damage, AJpegWithoutAPixelIsNamedTruncated) {
    const std::string whole = original("jpg");
    const size_t length = whole.find("\xff\xda"s) + 5;
    const auto path = folder.write("half.jpg", whole.substr(0, length));
    EXPECT_EQ(refusal([&] { read_image(path); }),
              path.string() + ": the file ends after " + std::to_string(length) + " bytes; the JPEG is truncated");
}

#if TEXELSCOPE_WITH_OIIO
// Damaged files of formats that only OpenImageIO reads: each must be a picture or a sentence, and the program goes on.

// Bytes begin, begin + step, … of a file are replaced. The chosen ones are those of headers and runs; in the library of
// Debian 12, readers abort (SGI, IFF), divide by zero (ICO) and write out of bounds (IFF) for some of them.
struct Mutants {
    std::string extension;
    size_t begin, end, step;
};

class DamagedFormats : public testing::TestWithParam<Mutants> {
protected:
    void SetUp() override {
        if (!decodes_in_child()) GTEST_SKIP() << "this kernel cannot do it";
    }

    // With runs and noise, packed if the format can.
    std::string written(const std::string& extension) const {
        OIIO::ImageSpec spec(48, 32, 4, OIIO::TypeDesc::UINT8);
        spec.attribute("compression", "rle");
        spec.attribute("ico:PNG", 1);
        std::string samples(48 * 32 * 4, '\0');
        std::minstd_rand random(7);
        for (size_t i = 0; i < samples.size(); ++i) samples[i] = char((i / 96) % 3 ? i / 64 : random());
        const std::string path = (folder_ / ("original." + extension)).string();
        const auto output = OIIO::ImageOutput::create(path);
        EXPECT_TRUE(output && output->open(path, spec) && output->write_image(spec.format, samples.data()));
        if (output) output->close();
        return content_of(path);
    }

    // Packed, which OpenImageIO reads but does not write: each row is one run of 16 pixels.
    static std::string packed_sgi() {
        std::string header =
            big16(0x1da) + "\1\1"s + big16(2) + big16(16) + big16(4) + big16(1) + big32(0) + big32(255);
        header.resize(512);
        std::string starts, lengths, rows;
        for (uint32_t y = 0; y < 4; ++y) {
            starts += big32(512 + 32 + 3 * y);
            lengths += big32(3);
            rows += {'\x10', char(y * 50), '\0'};
        }
        return header + starts + lengths + rows;
    }

    static std::string packed_psd() {
        std::string rows;
        for (int y = 0; y < 4; ++y) rows += {'\xf1', char(y * 50)};  // 16 times
        return "8BPS\0\1\0\0\0\0\0\0\0\1"s + big32(4) + big32(16) + big16(8) + big16(1) + big32(0) + big32(0) +
               big32(0) + big16(1) + big16(2) + big16(2) + big16(2) + big16(2) + rows;
    }

    std::string original(const std::string& extension) const {
        return extension == "sgi" ? packed_sgi() : extension == "psd" ? packed_psd() : written(extension);
    }

    // True if it was read.
    bool reads(const std::string& name, const std::string& bytes) const {
        const std::string path = folder_.write(name, bytes).string();
        const std::string text = refusal([&] { EXPECT_FALSE(read_image(path).empty()); });
        EXPECT_EQ(text.find('\n'), text.npos) << text;
        EXPECT_TRUE(text.empty() || text.starts_with(path + ": ")) << text;
        return text.empty();
    }

    Folder folder_;
};

TEST_P(DamagedFormats, NoneEndsTheProgram) {
    const auto& [extension, begin, end, step] = GetParam();
    const std::string name = "damaged." + extension, whole = original(extension);
    ASSERT_TRUE(reads(name, whole));
    for (size_t at = begin; at < std::min(end, whole.size()); at += step)
        for (const char value : {'\x7f', '\xff'}) {
            std::string damaged = whole;
            damaged[at] = value;
            reads(name, damaged);
        }
    EXPECT_TRUE(reads(name, whole));
}

INSTANTIATE_TEST_SUITE_P(Formats, DamagedFormats,
                         testing::Values(Mutants{"sgi", 544, 556, 1}, Mutants{"iff", 35, 49, 1},
                                         Mutants{"ico", 30, 62, 2}, Mutants{"dpx", 768, 832, 4},
                                         Mutants{"psd", 12, 56, 3}),
                         [](const auto& each) { return each.param.extension; });

// Otherwise the picture would be what was in memory, and no word said.
TEST(DamagedTiff, ADamagedStripIsDamage) {
    const Folder folder;
    for (const char* compression : {"zip", "lzw"}) {
        OIIO::ImageSpec spec(64, 64, 3, OIIO::TypeDesc::UINT8);
        spec.attribute("compression", compression);
        std::string samples(64 * 64 * 3, '\0');
        for (size_t i = 0; i < samples.size(); ++i) samples[i] = char(i * i / 100);
        const std::string path = (folder / "a.tif").string();
        const auto output = OIIO::ImageOutput::create(path);
        ASSERT_TRUE(output && output->open(path, spec) && output->write_image(spec.format, samples.data()));
        output->close();
        EXPECT_EQ(refusal([&] { read_image(path); }), "") << compression;
        std::string bytes = content_of(path);
        for (size_t i = bytes.size() / 2; i < bytes.size() / 2 + 40; ++i) bytes[i] = char(bytes[i] ^ 0x55);
        const std::string damaged = folder.write("b.tif", bytes).string();
        const std::string text = refusal([&] { read_image(damaged); });
        EXPECT_TRUE(text.starts_with(damaged + ": the TIFF is damaged")) << compression << ": " << text;
    }
}
#endif

}  // namespace
}  // namespace texelscope::test
