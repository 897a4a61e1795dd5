#include "app/files/image_source.h"

#include <utility>

#include "app/files/image_files.h"
#include "app/files/signal.h"
#include "app/files/standard_input.h"
#include "app/files/test_images/test_images.h"

namespace texelscope {

Image load_image(const std::string& source, SignalGrid* grid, const Reading& reading) {
    if (source.starts_with('@')) return make_test_image(source);
    if (source == "-") return read_standard_input();
    if (!is_table_name(source)) return read_image(source, reading);
    Signal signal = read_signal(source);
    if (grid) *grid = {signal.origin, signal.spacing};
    return std::move(signal.samples);
}

}  // namespace texelscope
