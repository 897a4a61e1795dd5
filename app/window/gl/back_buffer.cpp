#include "app/window/gl/back_buffer.h"

#include <algorithm>

#include <glad/gl.h>

namespace texelscope {

Image back_buffer(int width, int height) {
    Image rows(width, height, 3, SampleType::u8), image(width, height, 3, SampleType::u8);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, rows.data());
    for (int y = 0; y < height; ++y) std::copy_n(rows.row(height - 1 - y), rows.row_bytes(), image.row(y));
    return image;
}

}  // namespace texelscope
