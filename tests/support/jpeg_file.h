#pragma once
// JPEG files made by libjpeg's encoder.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <jpeglib.h>  // after cstdio

namespace texelscope::test {

// `settings` may change what jpeg_set_defaults has set; `icc` is the profile in the file, empty: none.
inline std::string jpeg_of(int width, int height, int components, J_COLOR_SPACE space,
                           const std::function<int(int x, int y, int c)>& value,
                           const std::function<void(jpeg_compress_struct&)>& settings = {},
                           std::span<const std::byte> icc = {}) {
    jpeg_compress_struct info{};
    jpeg_error_mgr errors{};
    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    unsigned char* memory = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&info, &memory, &size);
    info.image_width = JDIMENSION(width);
    info.image_height = JDIMENSION(height);
    info.input_components = components;
    info.in_color_space = space;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, 95, TRUE);
    if (settings) settings(info);
    jpeg_start_compress(&info, TRUE);
    if (!icc.empty()) jpeg_write_icc_profile(&info, reinterpret_cast<const JOCTET*>(icc.data()), unsigned(icc.size()));
    std::vector<uint8_t> row(size_t(width) * size_t(components));
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < components; ++c)
                row[size_t(x) * size_t(components) + size_t(c)] = uint8_t(value(x, y, c));
        JSAMPROW pointer = row.data();
        jpeg_write_scanlines(&info, &pointer, 1);
    }
    jpeg_finish_compress(&info);
    std::string bytes(reinterpret_cast<const char*>(memory), size);
    jpeg_destroy_compress(&info);
    std::free(memory);
    return bytes;
}

}  // namespace texelscope::test
