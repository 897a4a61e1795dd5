#pragma once
// Samples, metadata and errors of pictures that tests read, in the form in which they are compared.

#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/files/codecs/codecs.h"
#include "app/files/reading/image_files.h"
#include "app/files/test_images/test_images.h"
#include "tests/files/bytes.h"
#include "tests/support/encoded_files.h"

namespace texelscope::test {

using Samples = std::vector<int>;

// What a file's metadata say there; empty if they say nothing.
inline std::string metadata_value(const std::vector<MetadataRow>& rows, std::string_view group, std::string_view name) {
    for (const MetadataRow& row : rows)
        if (row.group == group && row.name == name) return row.value;
    return "";
}

// The stored integers of a pixel.
inline Samples stored_at(const Image& image, int x, int y) {
    const float most = image.type() == SampleType::u16 ? 65535.0f : 255.0f;
    Samples result;
    for (int c = 0; c < image.channels(); ++c) result.push_back(int(std::lround(image.value(x, y, c) * most)));
    return result;
}

inline std::vector<Samples> row_of(const Image& image, int y) {
    std::vector<Samples> row;
    for (int x = 0; x < image.width(); ++x) row.push_back(stored_at(image, x, y));
    return row;
}

inline Reading part_of(const std::string& part) {
    Reading reading;
    reading.choice.part = part;
    return reading;
}

// Reads files that it is given as bytes.
class ReadsBytes : public testing::Test {
protected:
    Image read(const std::string& name, const std::string& bytes, const Reading& reading = {}) {
        return read_image(folder_.write(name, bytes), reading);
    }
    // First row and number of rows that are missing in a file which ends early.
    std::pair<int64_t, int64_t> missing_rows(const std::string& name, const std::string& bytes) {
        const SampleRegion missing = read_facts(folder_.write(name, bytes)).missing;
        return {missing.y, missing.height};
    }
    std::string error(const std::string& name, const std::string& bytes) {
        const std::string text = refusal([&] { read(name, bytes); });
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
        return text;
    }
    Folder folder_;
};

// Files that lie on their side, byte by byte; and upright pixels by the words of the EXIF standard.

// EXIF data with a tag before the orientation.
inline std::string exif(int orientation, bool little) {
    const auto two = [little](uint32_t v) { return little ? little16(v) : big16(v); };
    const auto four = [little](uint32_t v) { return little ? little32(v) : big32(v); };
    return (little ? "II" : "MM") + two(42) + four(8) + two(2) +                            //
           two(0x0100) + two(3) + four(1) + two(9) + two(0) +                               //
           two(0x0112) + two(3) + four(1) + two(uint32_t(orientation)) + two(0) + four(0);  // no next directory
}

// The APP1 segment of JPEG.
inline std::string app1(const std::string& data) {
    return "\xff\xe1" + big16(uint32_t(data.size()) + 8) + std::string("Exif\0\0", 6) + data;
}

// Exif 2.32, table "Orientation": on which side of the visible picture the 0th row and the 0th column are.
enum class Side { top, bottom, left, right };
struct Sides {
    Side row, column;
};
inline Sides sides_of(int orientation) {
    using enum Side;
    constexpr std::array<Sides, 8> all = {{{top, left},
                                           {top, right},
                                           {bottom, right},
                                           {bottom, left},
                                           {left, top},
                                           {right, top},
                                           {right, bottom},
                                           {left, bottom}}};
    return all[size_t(orientation - 1)];
}

// Pixel (x, y) of the visible picture, of this size, as the file's column and row.
struct FilePixel {
    int column, row;
};
inline FilePixel in_file(int orientation, int x, int y, int width, int height) {
    const auto from = [&](Side side) {
        return side == Side::top ? y : side == Side::bottom ? height - 1 - y : side == Side::left ? x : width - 1 - x;
    };
    const Sides sides = sides_of(orientation);
    // The 0th row is on that side: a pixel's row in the file is its distance from there.
    return {from(sides.column), from(sides.row)};
}

// Whether the picture is the stored one, seen upright.
inline testing::AssertionResult is_upright(const Image& picture, const Image& stored, int orientation) {
    const bool lies = sides_of(orientation).row == Side::left || sides_of(orientation).row == Side::right;
    if (picture.width() != (lies ? stored.height() : stored.width()) ||
        picture.height() != (lies ? stored.width() : stored.height()) || picture.channels() != stored.channels())
        return testing::AssertionFailure() << "it has another shape: " << describe(picture);
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            for (int c = 0; c < picture.channels(); ++c) {
                const FilePixel at = in_file(orientation, x, y, picture.width(), picture.height());
                if (picture.value(x, y, c) != stored.value(at.column, at.row, c))
                    return testing::AssertionFailure() << "at " << x << ", " << y << ", channel " << c;
            }
    return testing::AssertionSuccess();
}

// Reads TIFF files that a test builds.

class TiffReading : public testing::Test {
protected:
    void SetUp() override {
        if (!readable(*codec_of_extension("a.tif"))) GTEST_SKIP() << "this build has no libtiff";
    }
    std::filesystem::path write(const std::string& file) { return folder_.write("a.tif", file); }
    Image read(const std::string& file) { return read_image_in_process(write(file)); }

    static std::vector<float> values_of(const Image& image) {
        std::vector<float> values;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                for (int c = 0; c < image.channels(); ++c) values.push_back(image.value(x, y, c));
        return values;
    }
    std::vector<float> values_of(const std::string& file) { return values_of(read(file)); }

    // The bytes of numbers of whole bytes, one after another.
    static std::string each(const TiffText& text, const std::vector<uint64_t>& numbers, size_t bytes) {
        std::string all;
        for (const uint64_t number : numbers) all += text.number(number, bytes);
        return all;
    }

    Folder folder_;
};

// The test image with this name, at this size.
inline Image made(std::string_view id, int width, int height) {
    return make_test_image(fmt::format("@{}:{}x{}", id, width, height));
}

inline double mean_of(const Image& image) {
    double sum = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) sum += double(image.value(x, y, 0));
    return sum / (double(image.width()) * image.height());
}

}  // namespace texelscope::test
