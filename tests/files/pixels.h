#pragma once
// Samples and errors of pictures that tests read, in the form in which they are compared.

#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "app/files/reading/image_files.h"
#include "tests/files/bytes.h"

namespace texelscope::test {

using Samples = std::vector<int>;

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
        const std::string text = error_of([&] { read(name, bytes); });
        EXPECT_EQ(text.find('\n'), std::string::npos) << text;
        return text;
    }
    Folder folder_;
};

}  // namespace texelscope::test
