// The table of built-in test images, and how a spec is read.

#include "app/files/test_images/test_images.h"
#include "app/files/test_images/generators.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <new>
#include <string>

#include <fmt/format.h>

#include "gpu/core/text.h"

namespace texelscope {

const std::vector<TestImage>& test_images() {
    using enum SampleType;
    static const std::vector<TestImage> images{
        {"basilica", "Basilica Julia set", 1024, 1024, 3, u8, make_basilica,
         "Detail at every scale: shows how much each method preserves and what it invents when magnified."},
        {"zone-plate", "Zone plate", 512, 512, 1, u8, make_zone_plate,
         "Every frequency up to 1/2 cycle per pixel in every direction: false rings are aliasing, grey is blur.",
         zone_plate},
        {"zone-plate-corner", "Zone plate, corner", 512, 512, 1, u8, make_zone_plate_corner,
         "The zone plate from a corner: one quadrant, with twice the resolution in frequency.", zone_plate_corner},
        {"waves", "Waves", 256, 256, 1, f32, make_waves,
         "Three plane waves of 14 to 5 samples per period, in float: nothing is lost in sampling, so that each method's "
         "error is its own.",
         waves},
        {"frequency-chart", "Frequency chart", 512, 512, 1, u8, make_frequency_chart,
         "A sweep and gratings of 32 to 2 pixels per cycle: the contrast left in each is the method's response.",
         frequency_chart},
        {"siemens-star", "Siemens star", 512, 512, 1, u8, make_siemens_star,
         "Spokes that narrow to the limit of resolution: shows whether blur and staircases depend on direction.",
         siemens_star},
        {"slanted-edge", "Slanted edge", 256, 256, 1, u16, make_slanted_edge,
         "An exact edge 5 degrees from vertical, in 16 bits: its profile gives the sharpness (SFR), its outline the "
         "staircase.",
         slanted_edge},
        {"step", "Step", 64, 64, 1, u8, make_step,
         "One vertical edge between two medium levels: shows overshoot, ringing and how wide the edge becomes.", step},
        {"impulse-grid", "Impulse grid", 256, 256, 1, u8, make_impulse_grid,
         "Single white samples: magnified, each one is a picture of the method's weight function."},
        {"dots", "Dots", 512, 256, 1, u8, make_dots,
         "Discs of growing size at shifting subpixel positions: shows which ones stay round and in position."},
        {"ramp", "Ramp", 16, 16, 1, u16, make_ramp,
         "A slope from black to white, in 16 bits so that bands under magnification are those of the hardware path's "
         "8-bit weights.",
         ramp},
        {"constant", "Constant", 64, 64, 1, u8, make_constant,
         "One grey: any structure means that the weights do not sum to 1, or shows how the border is treated.",
         constant},
        {"checkerboard", "Checkerboard", 256, 256, 1, u8, make_checkerboard,
         "Black and white squares of 8 pixels: corners show the 2-D weights, and its mean distinguishes linear light "
         "(188) from stored values (128).",
         checkerboard},
        {"checkerboard-1px", "Checkerboard, 1 pixel", 64, 64, 1, u8, make_checkerboard_1px,
         "The highest possible frequency, in both axes: its contrast halfway between samples is the method's response "
         "to it."},
        {"plane", "Tiled plane", 512, 512, 1, u8, make_plane,
         "Tiles with joints and stripes: seen in perspective (the warp `plane`), it shows what antialiasing, mip levels and "
         "anisotropic filtering do far away."},
        {"rings", "Concentric rings", 512, 512, 1, u8, make_rings,
         "Thin white rings of equal width: staircases and uneven brightness show that a method prefers the axes.",
         rings},
        {"random", "Random samples", 4, 4, 1, u8, make_random,
         "A few random samples: magnified, they show the surface that a method puts through or near them."},
        {"random-binary", "Random black and white", 256, 256, 1, u8, make_random_binary,
         "Each sample randomly black or white: the hardest case for rounding, where errors of shortcuts are "
         "largest."},
        {"noise", "1/f noise", 512, 512, 1, u16, make_noise,
         "Noise with the spectrum of natural images, in 16 bits: the picture for measuring average errors."},
        {"natural", "1/f noise through a lens", 512, 512, 1, u16, make_natural,
         "1/f noise up to 0.435 cycles per sample, as a lens leaves it: the picture that experiments rotate "
         "repeatedly."},
        {"dead-leaves", "Dead leaves", 512, 512, 3, u8, make_dead_leaves,
         "Discs that hide each other: edges and textures at all scales as in photographs, to judge loss of detail."},
        {"frame", "One-pixel frame", 64, 64, 1, u8, make_frame,
         "White outermost pixels and exact centre lines: shows half-pixel shifts and what each address mode does at "
         "the border."},
        {"text", "Text and pixel art", 512, 512, 3, u8, make_text,
         "Letters and hard-edged drawings from a bitmap font: legibility, staircases, and halos around ink."},
        {"parabola", "Parabola", 256, 256, 1, f32, make_parabola,
         "x² + y² from the centre, in float: known between the samples too, so the true error of a method is "
         "visible.",
         parabola},
        {"alpha", "Soft disc with alpha", 256, 256, 4, u8, make_alpha,
         "A soft disc whose invisible pixels hold loud colours: a green or magenta fringe means colour was not "
         "weighted by alpha.",
         alpha},
        {"complex-chirp", "Complex chirp", 256, 256, 2, f32, make_complex_chirp,
         "A complex field of modulus 1 in two float channels: where the modulus drops between samples, the method "
         "loses signal.",
         complex_chirp},
    };
    return images;
}

const TestImage* find_test_image(std::string_view id) {
    const auto& images = test_images();
    const auto found =
        std::find_if(images.begin(), images.end(), [&](const TestImage& image) { return image.id == id; });
    return found == images.end() ? nullptr : &*found;
}

namespace {

// Parsing "@id:640x480", with helpful errors.

// The typed text, shortened to fit a message, unprintable bytes as '?'.
std::string shown_id(std::string_view text) {
    std::string result(text.substr(0, 40));
    for (char& c : result)
        if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
    return text.size() > 40 ? result + "…" : result;
}

[[noreturn]] void throw_unknown(std::string_view id) {
    std::string known;
    std::vector<std::string_view> ids;
    for (const TestImage& image : test_images()) {
        known += fmt::format("{}@{}", known.empty() ? "" : ", ", image.id);
        ids.push_back(image.id);
    }
    const std::string_view near = nearest_name(id, ids);
    const std::string hint = near.empty() ? "" : fmt::format(" (did you mean @{}?)", near);
    throw UsageError(fmt::format("@{}: there is no such test image{}; the known ones are {}", shown_id(id), hint,
                                 known + ", @samples, @signal"));
}

// A whole number of 1 … max_image_side, else 0.
int parsed_side(std::string_view text) {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && value >= 1 && value <= max_image_side ? int(value) : 0;
}

}  // namespace

TestImageRequest parse_test_image_of_any_size(std::string_view spec) {
    if (spec.starts_with('@')) spec.remove_prefix(1);
    const size_t colon = spec.find(':');
    const std::string_view id = spec.substr(0, colon);
    const TestImage* image = find_test_image(id);
    if (!image) throw_unknown(id);
    TestImageRequest request{image, image->width, image->height};
    if (colon != std::string_view::npos) {
        const std::string_view size = spec.substr(colon + 1);
        const size_t cross = size.find_first_of("xX");
        request.width = parsed_side(size.substr(0, cross));
        request.height = cross == std::string_view::npos ? request.width : parsed_side(size.substr(cross + 1));
        if (request.width == 0 || request.height == 0)
            throw UsageError(fmt::format("@{}: \"{}\" is not a size; write @{}:N or @{}:WxH with sides of 1 … {}", id,
                                         shown_id(size), id, id, max_image_side));
    }
    return request;
}

TestImageRequest parse_test_image(std::string_view spec) {
    const TestImageRequest request = parse_test_image_of_any_size(spec);
    const TestImage* image = request.image;
    const int64_t pixels = int64_t(request.width) * request.height;
    const int64_t most = max_test_image_bytes / (image->channels * bytes_per_sample(image->type));
    if (pixels > most) {
        const auto side = int64_t(std::sqrt(double(most)));
        throw UsageError(fmt::format(
            "@{}: {}×{} is too large; a test image may take up to {} GiB, so the limit for this one is {}×{} pixels",
            image->id, request.width, request.height, max_test_image_bytes >> 30, side, side));
    }
    return request;
}

std::optional<TestImageRequest> formula_of(std::string_view source) {
    if (!source.starts_with('@')) return {};
    const TestImage* image = find_test_image(source.substr(1, source.find(':') - 1));
    if (!image || !image->function) return {};
    return parse_test_image_of_any_size(source);
}

Image make_test_image(std::string_view spec) {
    if (const auto line = parse_sample_line(spec)) return samples_of(*line);
    const TestImageRequest request = parse_test_image(spec);
    try {
        const auto& [part, whole] = request.image->generator;
        return part ? part(PicturePart::whole(request.width, request.height)) : whole(request.width, request.height);
    } catch (const std::bad_alloc&) {
        throw OutOfMemory(fmt::format("@{}: not enough memory to make it at {}×{}", request.image->id, request.width,
                                      request.height));
    }
}

}  // namespace texelscope
