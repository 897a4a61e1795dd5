#pragma once
// Arrays of callers as images of a backend.

#include <vector>

#include "gpu/c/handles.h"
#include "gpu/c/strided.h"

namespace texelscope::c {

// An array of a caller, checked: sizes, strides, type, and that its memory is the backend's or the host's.
struct Array {
    std::byte* data = nullptr;
    SampleType type = SampleType::f32;
    bool on_host = true;
    int64_t count = 1;
    int height = 1, width = 1, channels = 1;
    int64_t stride_count = 0, stride_y = 0, stride_x = 0, stride_channel = 0;

    double numbers() const { return double(height) * width * channels; }  // of one image
    // Channels from `first` on of one image.
    Strided image(int64_t number, int first, int channel_count) const;
    Strided image(int64_t number) const { return image(number, 0, channels); }
};

// Throws Error, which names it.
Array checked_array(const Engine& engine, const ts_array* array, const char* name);

// Channels of an image, which the engine reads together: one source for each of `count` images.
struct ImagePart {
    int first = 0, channels = 1;
    int resident_channels = 1;  // on a GPU three are four
    std::vector<SourceImage> sources;
};

}  // namespace texelscope::c

struct ts_image {
    std::shared_ptr<texelscope::c::Engine> engine;
    std::vector<std::shared_ptr<void>> copies;  // memory of the backend
    std::vector<texelscope::c::ImagePart> parts;
    int64_t count = 1;
    int height = 1, width = 1, channels = 1;
    texelscope::SampleType type = texelscope::SampleType::f32;
    bool straight_alpha = false, linear_light = false, signal = false, in_place = false;
};
