#pragma once
// Images in host memory: read from files, uploaded to a backend, filled with a rendering that is read back.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gpu/core/errors.h"
#include "gpu/core/names.h"

namespace texelscope {

// The type in which one sample of an image is stored, and the meaning of its number.

// u8 and u16 stand for value / max, in [0, 1]. All others are numbers, kept as they are.
enum class SampleType { u8, u16, f16, f32, i8, i16, i32, u32, i64, u64, f64 };

inline constexpr std::array all_sample_types = {SampleType::u8,  SampleType::u16, SampleType::f16, SampleType::f32,
                                                SampleType::i8,  SampleType::i16, SampleType::i32, SampleType::u32,
                                                SampleType::i64, SampleType::u64, SampleType::f64};

constexpr std::string_view name_of(SampleType type) {
    constexpr std::string_view names[] = {"u8", "u16", "f16", "f32", "i8", "i16", "i32", "u32", "i64", "u64", "f64"};
    return names[size_t(type)];
}

constexpr int bytes_per_sample(SampleType type) {
    constexpr int bytes[] = {1, 2, 2, 4, 1, 2, 4, 4, 8, 8, 8};
    return bytes[size_t(type)];
}

constexpr bool is_normalised(SampleType type) { return type == SampleType::u8 || type == SampleType::u16; }
constexpr bool is_float(SampleType type) {
    return type == SampleType::f16 || type == SampleType::f32 || type == SampleType::f64;
}
constexpr bool is_integer(SampleType type) { return !is_float(type); }

// Whether float32 holds every value of the type.
constexpr bool fits_float(SampleType type) { return bytes_per_sample(type) <= 2 || type == SampleType::f32; }

// Whether the engine reads samples of the type as they are; it holds all others as f32.
constexpr bool is_texel_type(SampleType type) { return type <= SampleType::f32; }

// One stored number, exactly: an integer as it is, of u8 and u16 too, or a float.
using StoredNumber = std::variant<int64_t, uint64_t, float, double>;
StoredNumber stored_number(const std::byte* sample, SampleType type);

// The number with as many digits as distinguish it from its neighbours: "25400", "-0.1", "nan".
std::string text_of(const StoredNumber& number);

// Reads the values of `count` samples: u8 and u16 in [0, 1], numbers rounded to float.
void read_floats(const std::byte* samples, size_t count, SampleType type, float* to);

// Converts `count` samples to another type. Numbers stay numbers, rounded to nearest and clamped to the range of an
// integer type; for u8 and u16, values are clamped to [0, 1]. NaN becomes 0 in integers.
void convert_samples(const std::byte* samples, size_t count, SampleType type, std::byte* to, SampleType to_type);

// The bytes that hold the samples of an image: on the heap, or in memory that someone else has filled; or none, if the samples
// are read by regions.

class TileSource;

// A copy of bytes is always on the heap.
class SampleMemory {
public:
    // Gives the memory back, for example by unmapping it.
    using Release = void (*)(std::byte* data, size_t bytes) noexcept;

    SampleMemory() = default;
    // Zero-filled. Throws std::bad_alloc.
    explicit SampleMemory(size_t bytes);
    // Takes over memory that `release` gives back.
    SampleMemory(std::byte* data, size_t bytes, Release release);
    // No bytes, but where samples are read from.
    explicit SampleMemory(std::shared_ptr<const TileSource> tiles);
    SampleMemory(const SampleMemory& other);
    SampleMemory(SampleMemory&& other) noexcept;
    SampleMemory& operator=(SampleMemory other) noexcept;

    // Another owner of the bytes, which are given back when neither needs them any more.
    SampleMemory shared() const;

    // Null if the samples are here.
    std::shared_ptr<const TileSource> tiles() const;

    bool empty() const { return bytes_ == 0; }
    size_t size() const { return bytes_; }
    std::byte* data() { return data_.get(); }
    const std::byte* data() const { return data_.get(); }

private:
    std::shared_ptr<std::byte> data_;
    size_t bytes_ = 0;
};

// What a file says about its colours. It is for showing them: interpolation works on the stored values.

struct ColourProfile {
    std::vector<std::byte> icc;  // an ICC profile, unchecked; if empty, the colours are as follows

    // x and y of red, green, blue and white (CIE 1931). The standard ones: those of sRGB (IEC 61966-2-1).
    std::array<double, 8> chromaticities = {0.64, 0.33, 0.30, 0.60, 0.15, 0.06, 0.3127, 0.3290};
    double exponent = 0;  // light = value to this power; 0: sRGB's curve

    // The values are light without bounds (`exponent` is 1): exposure and tone curve come before the screen's curve.
    bool linear_light = false;

    // The profile is for inks, and the samples have been made sRGB by it when the file was read, if it can be used.
    bool applied = false;
};

// Whether the samples are linear light by the file's own statement: there is nothing to decode.
inline bool is_linear(const ColourProfile* profile) {
    return profile && profile->icc.empty() && profile->exponent == 1;
}

// The size of an image, an output or a region.
struct Extent {
    int width = 0, height = 0;
    bool empty() const { return width < 1 || height < 1; }
    bool operator==(const Extent&) const = default;
};

// Samples [x, x + width) × [y, y + height) of an image or of one of its levels.
struct SampleRegion {
    int64_t x = 0, y = 0;
    int width = 0, height = 0;

    bool empty() const { return width <= 0 || height <= 0; }
    bool operator==(const SampleRegion&) const = default;
};

struct ColourProfile;

// The meaning of the last channel. `none`: plain data.
enum class Alpha { none, straight, premultiplied };
inline constexpr NamedValue<Alpha> alpha_kinds[] = {
    {Alpha::none, "none"}, {Alpha::straight, "straight"}, {Alpha::premultiplied, "premultiplied"}};
constexpr auto& names_table(Alpha) { return alpha_kinds; }

// Largest accepted width or height and largest accepted number of samples; the guard against hostile headers.
inline constexpr int64_t max_image_side = int64_t(1) << 24;
inline constexpr int64_t max_image_bytes = int64_t(1) << 36;

// Row-major samples, channels interleaved, rows without padding. 1 ≤ channels ≤ 4, width and height ≥ 1.
class Image {
public:
    Image() = default;

    // Zero-filled. Throws Error for impossible dimensions and OutOfMemory if the memory cannot be had.
    Image(int width, int height, int channels, SampleType type, Alpha alpha = Alpha::none);

    // An image in memory of another kind: make(bytes) returns that many bytes. Throws likewise, and what make() throws.
    using MakeMemory = std::function<SampleMemory(size_t bytes)>;
    Image(int width, int height, int channels, SampleType type, Alpha alpha, const MakeMemory& make);

    // An image whose samples are not in memory but read by regions. It has all but data(), row() and value(), and takes no
    // bytes. Throws Error for null.
    explicit Image(std::shared_ptr<const TileSource> tiles);

    // Another image over the same samples: who changes one changes both.
    Image over_same_samples() const;

    // Where samples that are not in memory are read from; else null.
    std::shared_ptr<const TileSource> tiles() const { return data_.tiles(); }
    // Whether data(), row() and value() may be read.
    bool in_memory() const { return !data_.empty(); }

    int width() const { return width_; }
    int height() const { return height_; }
    int channels() const { return channels_; }
    SampleType type() const { return type_; }
    Alpha alpha() const { return alpha_; }
    bool empty() const { return data_.empty(); }  // no samples in memory
    size_t row_bytes() const { return size_t(width_) * channels_ * bytes_per_sample(type_); }
    size_t size_bytes() const { return data_.size(); }  // in memory

    std::byte* data() { return data_.data(); }
    const std::byte* data() const { return data_.data(); }
    std::byte* row(int y) { return data_.data() + size_t(y) * row_bytes(); }
    const std::byte* row(int y) const { return data_.data() + size_t(y) * row_bytes(); }

    // The row as T (uint8_t, uint16_t for u16 and f16, float, …). T must match type().
    template <class T> T* row_as(int y) { return reinterpret_cast<T*>(row(y)); }
    template <class T> const T* row_as(int y) const { return reinterpret_cast<const T*>(row(y)); }

    // One sample as float: u8 and u16 in [0, 1], numbers as stored, rounded. No bounds check.
    float value(int x, int y, int channel) const;
    // One sample exactly as it is stored.
    StoredNumber number(int x, int y, int channel) const;

    void set_alpha(Alpha alpha) { alpha_ = alpha; }

    // What its file says about its colours; null: nothing. Made from an image, others have none.
    const std::shared_ptr<const ColourProfile>& profile() const { return profile_; }
    void set_profile(std::shared_ptr<const ColourProfile> profile) { profile_ = std::move(profile); }

    // The part of the picture whose samples are missing in its file; empty if none are. Images with the same samples,
    // of whatever type, keep it.
    const SampleRegion& missing() const { return missing_; }
    void set_missing(const SampleRegion& missing) { missing_ = missing; }

    // The frame for which the picture was made, if it is a part of one or reaches beyond it (the display window of
    // OpenEXR), counted in samples from (0, 0); kept likewise.
    const std::optional<SampleRegion>& frame() const { return frame_; }
    void set_frame(const std::optional<SampleRegion>& frame) { frame_ = frame; }

    // A signal: one row whose samples are interpolated only along x. Only for height 1.
    bool one_dimensional() const { return one_dimensional_; }
    void set_one_dimensional(bool yes) { one_dimensional_ = yes && height_ == 1; }

    // Dimensions of the image in a file of arrays: 1 for a signal, 2 for rows without an axis of channels, else 3.
    int dimensions() const { return one_dimensional_ ? 1 : channel_axis_ ? 3 : 2; }
    void set_dimensions(int dimensions) {
        set_one_dimensional(dimensions == 1);
        channel_axis_ = dimensions > 2 || channels_ > 1;
    }

private:
    int width_ = 0, height_ = 0, channels_ = 0;
    SampleType type_ = SampleType::u8;
    Alpha alpha_ = Alpha::none;
    bool one_dimensional_ = false, channel_axis_ = true;
    std::shared_ptr<const ColourProfile> profile_;
    SampleRegion missing_;
    std::optional<SampleRegion> frame_;
    SampleMemory data_;
};

// The picture with its samples converted to another type by convert_samples().
Image converted(const Image& image, SampleType type);

// The picture as f32 with colour multiplied by alpha; an image without straight alpha is returned unchanged.
Image premultiplied(const Image& image);

// The inverse of premultiplied(), as f32: colour as straight_value() says.
Image unpremultiplied(const Image& image);

// sRGB-coded colour decoded to linear light, as f32; alpha stays as it is. Premultiplied colour is decoded as its
// straight value. What is linear by its profile stays as it is.
Image linear_light(const Image& image);

// "4096×4096 u8×3", as in the status bar and in messages.
std::string describe(const Image& image);

// ImageView: samples in memory that someone else owns.

// Row-major samples, channels interleaved. Complex data has two channels: real and imaginary part.
struct ImageView {
    const void* samples = nullptr;  // host or device memory, depending on the backend
    int width = 0, height = 1;      // samples
    int channels = 1;               // 1, 2 or 4
    SampleType type = SampleType::f32;
    size_t row_bytes = 0;          // from one row to the next; 0: packed
    Alpha alpha = Alpha::none;     // none or premultiplied
    bool one_dimensional = false;  // a signal of height 1, interpolated only along x
    int images = 1;                // a batch: so many of this size
    size_t image_bytes = 0;        // from one image to the next, a multiple of row_bytes

    size_t texel_bytes() const { return size_t(channels) * size_t(bytes_per_sample(type)); }
    size_t stride() const { return row_bytes ? row_bytes : size_t(width) * texel_bytes(); }
};

// An independent copy. Throws OutOfMemory.
Image copied(const ImageView& view);

inline ImageView view_of(const Image& image) {
    return {image.data(), image.width(),     image.height(), image.channels(),
            image.type(), image.row_bytes(), image.alpha(),  image.one_dimensional()};
}

}  // namespace texelscope
