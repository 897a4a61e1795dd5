// Damaged files of formats that only OpenImageIO reads: each must be a picture or a sentence, and the program goes on.
#if TEXELSCOPE_WITH_OIIO
#include <gtest/gtest.h>

#include <OpenImageIO/imageio.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>

#include "app/files/decoding/decoding.h"
#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;

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
        const std::string text = error_of([&] { EXPECT_FALSE(read_image(path).empty()); });
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
        EXPECT_EQ(error_of([&] { read_image(path); }), "") << compression;
        std::string bytes = content_of(path);
        for (size_t i = bytes.size() / 2; i < bytes.size() / 2 + 40; ++i) bytes[i] = char(bytes[i] ^ 0x55);
        const std::string damaged = folder.write("b.tif", bytes).string();
        const std::string text = error_of([&] { read_image(damaged); });
        EXPECT_TRUE(text.starts_with(damaged + ": the TIFF is damaged")) << compression << ": " << text;
    }
}

}  // namespace
}  // namespace texelscope::test
#endif
