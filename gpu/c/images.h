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

// Images of a part that a source reads: one, or on a GPU several of the same size, a batch, whose kernels are launched once for
// all.
struct ImageGroup {
    int64_t first = 0;
    ImageView view;  // of a batch
    SourceImage source;
    std::vector<SourceImage> alone;  // its images one by one, made for requests that cannot render a batch
};

// Channels of all images, which the engine reads together; or all channels, each of them a plane that is an image.
struct ImagePart {
    int first = 0, channels = 1;
    bool planes = false;
    int resident_channels = 1;  // on a GPU three are four
    std::vector<ImageGroup> groups;

    // Image number `number` of the part in an array that has all channels, and the bytes to the next; 0: they vary.
    Strided image_in(const Array& array, int64_t number) const {
        return planes ? array.image(number / array.channels, int(number % array.channels), 1)
                      : array.image(number, first, channels);
    }
    int64_t step_in(const Array& array) const {
        if (!planes) return array.stride_count;
        const bool steady = array.count == 1 || array.stride_count == array.channels * array.stride_channel;
        return steady ? array.stride_channel : 0;
    }
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

namespace texelscope::c {

// As ts_image_create() makes one. The engine's turn is the caller's. Throws Error.
std::unique_ptr<ts_image> made_image(const std::shared_ptr<Engine>& engine, const ts_array* samples,
                                     const ts_image_options* options);

}  // namespace texelscope::c
