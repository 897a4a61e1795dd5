#pragma once
// The built-in test images: pictures for judging interpolation, generated at any size, with the same bytes on every
// machine.

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/image.h"
#include "gpu/core/tile_source.h"
#include "gpu/core/view.h"

namespace texelscope {

// Test images that are functions of the position: their values are known between the samples too, and beyond them.

// What must be resolved to see a function at a position.
struct LocalDetail {
    std::array<Point, 3> waves{};  // local frequencies, cycles per sample along x and y
    double edge_distance = std::numeric_limits<double>::infinity();  // samples to the nearest edge between two levels
    double edge_width = 0;                                           // samples over which it rises; 0: a jump
};

class PictureFunction {
public:
    virtual ~PictureFunction() = default;

    // Its channels at a point in sample space; straight alpha. The image's samples are these values at whole
    // coordinates, rounded to the image's type.
    virtual std::array<double, 4> at(Point p) const = 0;

    virtual LocalDetail detail(Point) const { return {}; }
};

// What makes the function of an image of this size.
using MakePictureFunction = std::unique_ptr<const PictureFunction>(int width, int height);

// cos(2π (frequency · p)): a wave of amplitude 1, its frequency in cycles per sample.
std::unique_ptr<const PictureFunction> plane_wave(Point frequency);

// What is made of a picture: its samples are those of the whole picture there.
struct PicturePart {
    int width = 0, height = 0;  // of the whole picture
    SampleRegion region = {};   // inside it

    static PicturePart whole(int width, int height) { return {width, height, {0, 0, width, height}}; }
    bool is_whole() const { return region == SampleRegion{0, 0, width, height}; }
};

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

// parse_test_image() without a limit but max_image_side: for what is made by parts.
TestImageRequest parse_test_image_of_any_size(std::string_view spec);

// The test image that a source of an image names, if it is the samples of a function; empty for files and others.
std::optional<TestImageRequest> formula_of(std::string_view source);

// Lines of samples: one-dimensional signals that are typed, dragged, or taken from a formula.

// Sample k is at from + k / rate, in the unit of x; values are rounded to float32.
struct SampleLine {
    std::vector<double> values;         // 1 … most
    double from = 0, to = 0, rate = 1;  // samples per unit of x; `to` is the end of a formula's line
    std::string formula = {};           // that the values are samples of; empty: they are typed

    static constexpr size_t most = 1024;
    double at(size_t k) const { return from + double(k) / rate; }
    std::string source() const;

    // The formula, in float64; null without one. From one thread at a time. Throws WeightError.
    std::function<double(double x)> function() const;
};

// "@samples:0,1,0.5", "@samples:0@8:0,1,0.5" with the place of the first sample and the rate, or
// "@signal:0..4@8:cos(2*pi*3*x)": the formula, in the words of weights files, from 0 to 4 at 8 samples per unit of x. Empty
// for other sources. Throws UsageError.
std::optional<SampleLine> parse_sample_line(std::string_view source);

// f32, one-dimensional.
Image samples_of(const SampleLine& line);

// Parses and generates. Throws UsageError as parse_sample_line and parse_test_image do, and OutOfMemory.
Image make_test_image(std::string_view spec);

}  // namespace texelscope
