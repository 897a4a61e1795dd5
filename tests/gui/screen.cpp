#include "tests/gui/screen.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <unistd.h>

namespace texelscope::test {
namespace {

// X window dump, version 7: a header of big-endian 32-bit words, the colours, then rows of pixels of 24 or 32 bits.
Image read_xwd(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
    const auto word = [&](size_t index) {
        uint32_t value = 0;
        for (size_t i = 0; i < 4; ++i) value = value << 8 | uint8_t(bytes.at(index * 4 + i));
        return value;
    };
    if (bytes.size() < 100 || word(1) != 7 || (word(11) != 24 && word(11) != 32)) return {};
    const uint32_t columns = word(4), rows = word(5), stride = word(12), red = word(14);
    const int bytes_per_pixel = int(word(11) / 8);
    const bool little_endian = word(7) == 0;
    const size_t start = word(0) + size_t(word(19)) * 12;
    Image image(int(columns), int(rows), 3, SampleType::u8);
    for (uint32_t y = 0; y < rows; ++y)
        for (uint32_t x = 0; x < columns; ++x) {
            const char* p = &bytes.at(start + size_t(y) * stride + size_t(x) * size_t(bytes_per_pixel));
            uint32_t pixel = 0;
            for (int i = 0; i < bytes_per_pixel; ++i)
                pixel |= uint32_t(uint8_t(p[i])) << (8 * (little_endian ? i : bytes_per_pixel - 1 - i));
            uint8_t* out = image.row_as<uint8_t>(int(y)) + size_t(x) * 3;
            out[0] = uint8_t(red == 0xff0000 ? pixel >> 16 : pixel);
            out[1] = uint8_t(pixel >> 8);
            out[2] = uint8_t(red == 0xff0000 ? pixel : pixel >> 16);
        }
    return image;
}

}  // namespace

Screen::Screen() {
    if (const char* given = std::getenv("TEXELSCOPE_TEST_DISPLAY")) {
        display_ = given;
        return;
    }
    // -displayfd 2: the server picks a free number and writes it to stderr. -r: a key whose release comes late, as on a busy
    // machine, is not repeated.
    server_ =
        std::make_unique<Process>(std::vector<std::string>{"Xvfb", "-displayfd", "2", "-screen", "0",
                                                           std::to_string(width) + "x" + std::to_string(height) + "x24",
                                                           "+extension", "GLX", "-noreset", "-r"},
                                  std::map<std::string, std::string>{});
    const auto is_number = [](const std::string& line) {
        return !line.empty() && line.find_first_not_of("0123456789") == std::string::npos;
    };
    const int line = server_->wait_for_line(0, is_number, 20);
    if (line >= 0) display_ = ":" + server_->lines()[size_t(line)];
}

bool Screen::xdotool(const std::vector<std::string>& arguments) const {
    std::vector<std::string> command = {"xdotool"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return run(command, {{"DISPLAY", display_}}) == 0;
}

Image Screen::picture() const {
    const auto path = std::filesystem::temp_directory_path() / ("texelscope-" + std::to_string(getpid()) + ".xwd");
    const int status = run({"xwd", "-silent", "-root", "-out", path.string()}, {{"DISPLAY", display_}});
    Image image = status == 0 ? read_xwd(path) : Image();
    std::filesystem::remove(path);
    return image;
}

}  // namespace texelscope::test
