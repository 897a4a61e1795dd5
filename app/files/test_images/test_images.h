#pragma once
// The built-in test images: pictures for judging interpolation, generated at any size, with the same bytes on every
// machine.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "app/files/test_images/picture_function.h"
#include "gpu/core/image.h"

namespace texelscope {

// Makes the picture at any size that Image takes: any part of it, if its samples depend on nothing but their places, else
// only the whole.
struct TestImageGenerator {
    TestImageGenerator(Image (*make)(const PicturePart&)) : part(make) {}
    TestImageGenerator(Image (*make)(int width, int height)) : whole(make) {}
    Image (*part)(const PicturePart&) = nullptr;
    Image (*whole)(int width, int height) = nullptr;
};

struct TestImage {
    std::string_view id;    // as typed after the @, for example zone-plate
    std::string_view name;  // for menus
    int width, height;      // default size, pixels
    int channels;
    SampleType type;
    TestImageGenerator generator;
    std::string_view summary;                 // what it shows about interpolation, one sentence
    MakePictureFunction* function = nullptr;  // that it samples; null if it is none
};

// The image and size named by a spec, or the default size.
struct TestImageRequest {
    const TestImage* image;
    int width, height;
    bool operator==(const TestImageRequest&) const = default;
};

// The most that the samples of a test image may take: they are generated on demand, while the user waits.
inline constexpr int64_t max_test_image_bytes = int64_t(1) << 30;

// All of them, the default picture of the viewer first.
const std::vector<TestImage>& test_images();

// Null if there is none with that id.
const TestImage* find_test_image(std::string_view id);

// `@id`, `@id:512` or `@id:640x480`; the @ may be left out. Throws UsageError for an unknown id, a bad size or one too large.
TestImageRequest parse_test_image(std::string_view spec);

// The same without a limit but max_image_side: for what is made by parts.
TestImageRequest parse_test_image_of_any_size(std::string_view spec);

// The test image that a source of an image names, if it is the samples of a function; empty for files and others.
std::optional<TestImageRequest> formula_of(std::string_view source);

// Parses and generates. Throws UsageError as above, and OutOfMemory.
Image make_test_image(std::string_view spec);

}  // namespace texelscope
