#pragma once
// Reads TIFF files that a test builds.

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/files/codecs/codecs.h"
#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"
#include "tests/support/tiff_text.h"

namespace texelscope::test {

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

}  // namespace texelscope::test
