#include "app/files/reading/image_source.h"

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/files/reading/image_files.h"
#include "app/files/reading/standard_input.h"
#include "app/files/tables/signal.h"
#include "app/files/test_images/test_images.h"

namespace texelscope {

Image load_image(const std::string& source, SignalGrid* grid, const Reading& reading) {
    if (source.starts_with('@')) return make_test_image(source);
    const auto [file, choice] = parse_picture_source(source);
    Reading chosen = reading;
    chosen.choice = choice;
    if (file == "-") return read_standard_input(chosen);
    if (!is_table(file)) return read_image(file, chosen);
    Signal signal = read_signal(file);
    if (grid) *grid = {signal.origin, signal.spacing};
    return std::move(signal.samples);
}

std::string typed_source(const std::string& typed) {
    constexpr std::string_view code = "%23";
    const auto is_there = [](const std::string& file) {
        std::error_code none;
        const auto kind = std::filesystem::status(file, none).type();
        return kind != std::filesystem::file_type::not_found && kind != std::filesystem::file_type::none &&
               kind != std::filesystem::file_type::directory;
    };
    if (typed.starts_with('@')) return typed;
    if (typed.find('#') != typed.npos && is_there(typed)) return with_choice(typed, {});
    auto [file, choice] = parse_picture_source(typed);
    if (file.find(code) == file.npos || is_there(file)) return typed;
    for (size_t at = 0; (at = file.find(code, at)) != file.npos; ++at) file.replace(at, code.size(), "#");
    return is_there(file) ? with_choice(file, choice) : typed;
}

std::string words_of_source(const std::string& source) {
    const bool is_input = !source.starts_with('@') && file_of(source) == "-";
    return is_input ? "standard input" + source.substr(1) : source;
}

PictureFacts load_facts(const std::string& source) {
    const auto [file, choice] = parse_picture_source(source);
    if (source.starts_with('@') || file == "-" || is_table(file)) return {};
    Reading reading;
    reading.choice = choice;
    return read_facts(file, reading);
}

}  // namespace texelscope
