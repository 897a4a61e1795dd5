#pragma once
// The generators of the built-in test images, by family; the table in test_images.cpp says what each one shows. make_NAME
// returns the image, NAME the function that it samples if it is one.

#include "app/files/test_images/picture_function.h"
#include "gpu/core/image.h"

namespace texelscope {

// fractal.cpp
Image make_basilica(int width, int height);

// frequency.cpp
Image make_zone_plate(int width, int height);
Image make_zone_plate_corner(int width, int height);
Image make_complex_chirp(int width, int height);
Image make_waves(int width, int height);
MakePictureFunction zone_plate, zone_plate_corner, complex_chirp, waves;

// round.cpp
Image make_siemens_star(int width, int height);
Image make_rings(int width, int height);
MakePictureFunction siemens_star, rings;

// frequency_chart.cpp
Image make_frequency_chart(int width, int height);
MakePictureFunction frequency_chart;

// edges.cpp
Image make_step(int width, int height);
Image make_slanted_edge(int width, int height);
Image make_checkerboard(int width, int height);
Image make_checkerboard_1px(int width, int height);
Image make_frame(int width, int height);
MakePictureFunction step, slanted_edge, checkerboard;

// points.cpp
Image make_impulse_grid(int width, int height);
Image make_dots(int width, int height);

// tones.cpp
Image make_constant(int width, int height);
Image make_ramp(int width, int height);
Image make_parabola(int width, int height);
Image make_alpha(int width, int height);
MakePictureFunction constant, ramp, parabola, alpha;

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
