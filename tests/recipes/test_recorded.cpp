// Recipes against results that libraries returned elsewhere, of versions that are newer than those of the oracles: small results as
// data in tests/recipes/recorded, which record.py wrote, of pictures that follow from a formula.

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "tests/recipes/library_results.h"
#include "tests/support/backends.h"

namespace texelscope::test {
namespace {

std::vector<std::string> records() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(TEXELSCOPE_SOURCE_DIR "/tests/recipes/recorded"))
        if (entry.path().extension() == ".jsonl") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<unsigned char> bytes_of_base64(const std::string& text) {
    std::vector<unsigned char> bytes;
    unsigned held = 0;
    int bits = 0;
    for (const char c : text) {
        if (c == '=') break;
        const unsigned six = c >= 'A' && c <= 'Z'   ? unsigned(c - 'A')
                             : c >= 'a' && c <= 'z' ? unsigned(c - 'a') + 26
                             : c >= '0' && c <= '9' ? unsigned(c - '0') + 52
                             : c == '+'             ? 62
                                                    : 63;
        held = held << 6 | six;
        if ((bits += 6) < 8) continue;
        bits -= 8;
        bytes.push_back((unsigned char)(held >> bits));
    }
    return bytes;
}

// As record.py has it.
uint32_t level_of_formula(uint32_t seed, uint32_t x, uint32_t y, uint32_t c) {
    if (seed % 2 == 1) {
        uint32_t h = x * 73856093u ^ y * 19349663u ^ c * 83492791u ^ seed * 40503u;
        h = (h ^ h >> 15) * 0x85EBCA6Bu;
        h = (h ^ h >> 13) * 0xC2B2AE35u;
        return h >> 16;
    }
    const uint32_t phase = (x * (3001 + 40 * seed) + y * 5003u + x * y * 97u + c * 20011u) & 131071u;
    return phase < 65536 ? phase : 131071 - phase;
}

SampleType type_named(const std::string& name) {
    return name == "u8" ? SampleType::u8 : name == "u16" ? SampleType::u16 : SampleType::f32;
}

Image image_of_formula(const nlohmann::json& of) {
    const int width = of["width"], height = of["height"], channels = of["channels"];
    const bool alpha = of["alpha"];
    Image image(width, height, channels, type_named(of["kind"]), alpha ? Alpha::straight : Alpha::none);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < channels; ++c) {
                uint32_t level = level_of_formula(of["seed"], uint32_t(x), uint32_t(y), uint32_t(c));
                if (alpha && c == channels - 1) level = level / 2 + 32768;
                const int at = x * channels + c;
                if (image.type() == SampleType::u8) image.row_as<uint8_t>(y)[at] = uint8_t(level >> 8);
                else if (image.type() == SampleType::u16) image.row_as<uint16_t>(y)[at] = uint16_t(level);
                else image.row_as<float>(y)[at] = float(level) / 65536;
            }
    return image;
}

Image recorded_image(const nlohmann::json& of) {
    const std::vector<unsigned char> bytes = bytes_of_base64(of["result"]);
    const SampleType type = type_named(of["type"]);
    const int width = of["size"][0], height = of["size"][1];
    const int channels = int(bytes.size() / size_t(bytes_per_sample(type)) / size_t(width) / size_t(height));
    Image image(width, height, channels, type);
    for (int y = 0; y < height; ++y) {
        const size_t row = size_t(width) * size_t(channels) * size_t(bytes_per_sample(type));
        std::memcpy(image.row_as<unsigned char>(y), bytes.data() + size_t(y) * row, row);
    }
    return image;
}

using RecordCase = std::tuple<BackendKind, std::string>;

class AsRecorded : public testing::TestWithParam<RecordCase> {};

TEST_P(AsRecorded, EveryResultIsWithinItsBound) {
    const auto backend = shared_backend(std::get<0>(GetParam()));
    if (!backend) GTEST_SKIP() << "there is no CUDA here";
    std::ifstream lines(
        fmt::format("{}/tests/recipes/recorded/{}.jsonl", TEXELSCOPE_SOURCE_DIR, std::get<1>(GetParam())));
    std::string versions;
    ASSERT_TRUE(std::getline(lines, versions));
    int cases = 0;
    for (std::string line; std::getline(lines, line); ++cases) {
        SCOPED_TRACE(versions);
        const nlohmann::json of = nlohmann::json::parse(line);
        expect_result(backend, of, image_of_formula(of), recorded_image(of));
    }
    EXPECT_GT(cases, 10);
}

std::string record_name(const testing::TestParamInfo<RecordCase>& info) { return std::get<1>(info.param); }

INSTANTIATE_TEST_SUITE_P(Cpu, AsRecorded,
                         testing::Combine(testing::Values(BackendKind::cpu), testing::ValuesIn(records())),
                         record_name);
INSTANTIATE_TEST_SUITE_P(Cuda, AsRecorded,
                         testing::Combine(testing::Values(BackendKind::cuda), testing::ValuesIn(records())),
                         record_name);

}  // namespace
}  // namespace texelscope::test
