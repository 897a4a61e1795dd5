#pragma once
// One function per built-in test image, by family; the table in test_images.cpp says what each one shows.

#include "gpu/core/image.h"

namespace texelscope {

// fractal.cpp
Image make_basilica(int width, int height);

// frequency.cpp
Image make_zone_plate(int width, int height);
Image make_zone_plate_corner(int width, int height);
Image make_siemens_star(int width, int height);
Image make_rings(int width, int height);
Image make_complex_chirp(int width, int height);

// frequency_chart.cpp
Image make_frequency_chart(int width, int height);

// edges.cpp
Image make_step(int width, int height);
Image make_slanted_edge(int width, int height);
Image make_checkerboard(int width, int height);
Image make_checkerboard_1px(int width, int height);
Image make_frame(int width, int height);

// points.cpp
Image make_impulse_grid(int width, int height);
Image make_dots(int width, int height);

// tones.cpp
Image make_constant(int width, int height);
Image make_ramp(int width, int height);
Image make_parabola(int width, int height);
Image make_alpha(int width, int height);

// noise.cpp
Image make_random(int width, int height);
Image make_random_binary(int width, int height);
Image make_noise(int width, int height);
Image make_natural(int width, int height);

// dead_leaves.cpp
Image make_dead_leaves(int width, int height);

// text.cpp
Image make_text(int width, int height);

}  // namespace texelscope
