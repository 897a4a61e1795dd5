#include "gpu/display/pixel.h"

namespace texelscope {

void display_rows(const DisplayJob& job, int first, int last) {
    for (int j = first; j < last; ++j)
        for (int i = 0; i < job.width; ++i) display_pixel(job, i, j);
}

}  // namespace texelscope
