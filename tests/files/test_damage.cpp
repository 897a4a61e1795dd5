// Damaged files of every format that is written here: each must be read or refused in one sentence, never crash.
#include <algorithm>

#include <gtest/gtest.h>

#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"

namespace texelscope::test {
namespace {

using namespace std::string_literals;

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
        const std::string text = error_of([&] {
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
    EXPECT_EQ(error_of([&] { read_image(path); }),
              path.string() + ": the file ends after " + std::to_string(length) + " bytes; the JPEG is truncated");
}

}  // namespace
}  // namespace texelscope::test
