#include "app/files/reading/image_source.h"

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
    if (!is_table_name(file)) return read_image(file, chosen);
    Signal signal = read_signal(file);
    if (grid) *grid = {signal.origin, signal.spacing};
    return std::move(signal.samples);
}

std::string words_of_source(const std::string& source) {
    const bool is_input = !source.starts_with('@') && file_of(source) == "-";
    return is_input ? "standard input" + source.substr(1) : source;
}

PictureFacts load_facts(const std::string& source) {
    const auto [file, choice] = parse_picture_source(source);
    if (source.starts_with('@') || file == "-" || is_table_name(file)) return {};
    Reading reading;
    reading.choice = choice;
    return read_facts(file, reading);
}

}  // namespace texelscope
