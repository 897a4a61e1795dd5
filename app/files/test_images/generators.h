#pragma once
// The generators of the built-in test images, by family; the table in test_images.cpp says what each one shows. make_NAME
// returns the image or a part of it, NAME the function that it samples if it is one.

#include "app/files/test_images/picture_function.h"
#include "gpu/core/image.h"

namespace texelscope {

// fractal.cpp
Image make_basilica(const PicturePart& part);

// frequency.cpp
Image make_zone_plate(const PicturePart& part);
Image make_zone_plate_corner(const PicturePart& part);
Image make_complex_chirp(const PicturePart& part);
Image make_waves(const PicturePart& part);
Image make_frequency_chart(const PicturePart& part);
MakePictureFunction zone_plate, zone_plate_corner, complex_chirp, waves, frequency_chart;

// round.cpp
Image make_siemens_star(const PicturePart& part);
Image make_rings(const PicturePart& part);
MakePictureFunction siemens_star, rings;

// edges.cpp
Image make_step(const PicturePart& part);
Image make_slanted_edge(const PicturePart& part);
Image make_checkerboard(const PicturePart& part);
Image make_checkerboard_1px(const PicturePart& part);
Image make_frame(const PicturePart& part);
Image make_impulse_grid(const PicturePart& part);
Image make_dots(const PicturePart& part);
MakePictureFunction step, slanted_edge, checkerboard;

// tones.cpp
Image make_constant(const PicturePart& part);
Image make_ramp(const PicturePart& part);
Image make_parabola(const PicturePart& part);
Image make_alpha(const PicturePart& part);
MakePictureFunction constant, ramp, parabola, alpha;

// noise.cpp
Image make_random(const PicturePart& part);
Image make_random_binary(const PicturePart& part);
Image make_noise(int width, int height);
Image make_natural(int width, int height);

// dead_leaves.cpp
Image make_dead_leaves(int width, int height);

// text.cpp
Image make_text(const PicturePart& part);

}  // namespace texelscope
