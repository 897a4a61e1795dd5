#include "gpu/core/image.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "gpu/core/colour.h"
#include "gpu/core/errors.h"
#include "gpu/core/half.h"
#include "gpu/core/machine.h"
#include "gpu/core/tile_source.h"

namespace texelscope {
namespace {

struct Half {
    uint16_t bits;
};

// Calls visit.template operator()<T>() with the C++ type of such a sample in memory.
template <class Visit> auto visit_stored(SampleType type, Visit visit) {
    switch (type) {
        case SampleType::u8: return visit.template operator()<uint8_t>();
        case SampleType::u16: return visit.template operator()<uint16_t>();
        case SampleType::f16: return visit.template operator()<Half>();
        case SampleType::f32: break;
        case SampleType::i8: return visit.template operator()<int8_t>();
        case SampleType::i16: return visit.template operator()<int16_t>();
        case SampleType::i32: return visit.template operator()<int32_t>();
        case SampleType::u32: return visit.template operator()<uint32_t>();
        case SampleType::i64: return visit.template operator()<int64_t>();
        case SampleType::u64: return visit.template operator()<uint64_t>();
        case SampleType::f64: return visit.template operator()<double>();
    }
    return visit.template operator()<float>();
}

template <class T> inline constexpr bool normalised = std::is_same_v<T, uint8_t> || std::is_same_v<T, uint16_t>;

template <class T> T loaded(const std::byte* samples, size_t index) {
    T value;
    std::memcpy(&value, samples + index * sizeof(T), sizeof(T));
    return value;
}

template <class T> float float_of(T value) {
    if constexpr (std::is_same_v<T, Half>) return half_to_float(value.bits);
    else if constexpr (normalised<T>) return float(value) / float(std::numeric_limits<T>::max());
    else return float(value);
}

// The value in a type that loses nothing: numbers that are integers as they are, all others as double.
template <class T> auto exact_of(T value) {
    if constexpr (std::is_integral_v<T> && !normalised<T>) return value;
    else if constexpr (std::is_same_v<T, double>) return value;
    else return double(float_of(value));
}

template <class To> To quantised(float value) {
    constexpr float top = float(std::numeric_limits<To>::max());
    if (!(value > 0)) return 0;  // also NaN
    return value >= 1 ? To(top) : To(value * top + 0.5f);
}

// Rounds to nearest, halves away from zero; the type's limits, as doubles, may lie beyond its range.
template <class To> To rounded(double value) {
    if (std::isnan(value)) return 0;
    const double nearest = std::round(value);
    if (nearest <= double(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    if (nearest >= double(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
    return To(nearest);
}

template <class To, class From> To clamped(From value) {
    if (std::cmp_less(value, std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    if (std::cmp_greater(value, std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
    return To(value);
}

template <class To, class From> To stored_as(From value) {
    [[maybe_unused]] const auto exact = exact_of(value);
    if constexpr (std::is_same_v<To, From>) return value;
    else if constexpr (normalised<To>) return quantised<To>(float_of(value));
    else if constexpr (std::is_same_v<To, Half>) return Half{float_to_half(float_of(value))};
    else if constexpr (std::is_floating_point_v<To>) return To(exact);
    else if constexpr (std::is_integral_v<decltype(exact)>) return clamped<To>(exact);
    else return rounded<To>(exact);
}

}  // namespace

StoredNumber stored_number(const std::byte* sample, SampleType type) {
    return visit_stored(type, [&]<class T>() -> StoredNumber {
        const T value = loaded<T>(sample, 0);
        if constexpr (std::is_same_v<T, Half>) return half_to_float(value.bits);
        else if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, uint64_t>) return value;
        else return int64_t(value);
    });
}

std::string text_of(const StoredNumber& number) {
    return std::visit([](auto value) { return value == value ? fmt::format("{}", value) : "nan"; }, number);
}

void read_floats(const std::byte* samples, size_t count, SampleType type, float* to) {
    visit_stored(type, [&]<class T>() {
        for (size_t i = 0; i < count; ++i) to[i] = float_of(loaded<T>(samples, i));
    });
}

void convert_samples(const std::byte* samples, size_t count, SampleType type, std::byte* to, SampleType to_type) {
    visit_stored(type, [&]<class From>() {
        visit_stored(to_type, [&]<class To>() {
            for (size_t i = 0; i < count; ++i) {
                const To value = stored_as<To>(loaded<From>(samples, i));
                std::memcpy(to + i * sizeof(To), &value, sizeof(To));
            }
        });
    });
}

namespace {

// Throws std::bad_alloc for null.
std::shared_ptr<std::byte> on_heap(void* bytes) {
    if (!bytes) throw std::bad_alloc();
    return {static_cast<std::byte*>(bytes), std::free};
}

// What keeps a source of samples in the place of their bytes.
struct KeepsTiles {
    std::shared_ptr<const TileSource> tiles;
    void operator()(std::byte*) const noexcept {}
};

}  // namespace

// calloc: large memory comes from the system as zeros and is not written a second time.
SampleMemory::SampleMemory(size_t bytes) : bytes_(bytes) {
    if (bytes > 0) data_ = on_heap(std::calloc(bytes, 1));
}

SampleMemory::SampleMemory(std::byte* data, size_t bytes, Release release)
    : data_(data, [bytes, release](std::byte* all) { release(all, bytes); }), bytes_(bytes) {}

SampleMemory::SampleMemory(std::shared_ptr<const TileSource> tiles) : data_(nullptr, KeepsTiles{std::move(tiles)}) {}

std::shared_ptr<const TileSource> SampleMemory::tiles() const {
    const auto* keeper = std::get_deleter<KeepsTiles>(data_);
    return keeper ? keeper->tiles : nullptr;
}

SampleMemory::SampleMemory(const SampleMemory& other) : bytes_(other.bytes_) {
    if (bytes_ == 0) {
        if (std::get_deleter<KeepsTiles>(other.data_)) data_ = other.data_;
        return;
    }
    data_ = on_heap(std::malloc(bytes_));
    std::memcpy(data_.get(), other.data(), bytes_);
}

SampleMemory::SampleMemory(SampleMemory&& other) noexcept
    : data_(std::move(other.data_)), bytes_(std::exchange(other.bytes_, 0)) {}

SampleMemory& SampleMemory::operator=(SampleMemory other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

SampleMemory SampleMemory::shared() const {
    SampleMemory same;
    same.data_ = data_;
    same.bytes_ = bytes_;
    return same;
}

namespace {

size_t checked_bytes(int width, int height, int channels, SampleType type) {
    if (width < 1 || height < 1 || width > max_image_side || height > max_image_side)
        throw Error(fmt::format("an image of {}×{} pixels is impossible: each side must be 1 … {}", width, height,
                                max_image_side));
    if (channels < 1 || channels > 4) throw Error(fmt::format("{} channels: an image has 1 to 4", channels));
    const int64_t bytes = int64_t(width) * height * channels * bytes_per_sample(type);
    if (bytes > max_image_bytes)
        throw Error(fmt::format("an image of {}×{} pixels is too large: {} GiB, at most {} GiB are taken", width,
                                height, bytes >> 30, max_image_bytes >> 30));
    return size_t(bytes);
}

// `result` with those facts of the image that do not depend on the type of its samples.
Image with_facts_of(const Image& image, Image result) {
    result.set_dimensions(image.dimensions());
    result.set_missing(image.missing());
    result.set_frame(image.frame());
    return result;
}

}  // namespace

Image::Image(int width, int height, int channels, SampleType type, Alpha alpha)
    : Image(width, height, channels, type, alpha, [](size_t bytes) { return SampleMemory(bytes); }) {}

Image::Image(int width, int height, int channels, SampleType type, Alpha alpha, const MakeMemory& make)
    : width_(width), height_(height), channels_(channels), type_(type), alpha_(alpha) {
    const size_t bytes = checked_bytes(width, height, channels, type);
    const auto refuse = [&](const std::string& why) {
        throw OutOfMemory(fmt::format("no memory for an image of {}×{} pixels: {}", width, height, why));
    };
    if (bytes > (size_t(64) << 20))
        if (const size_t available = available_host_memory(); bytes > available)
            refuse(fmt::format("{} are needed, {} available", words_of_bytes(bytes), words_of_bytes(available)));
    try {
        data_ = make(bytes);
    } catch (const std::bad_alloc&) {
        refuse(fmt::format("the system refuses {}", words_of_bytes(bytes)));
    }
}

Image::Image(std::shared_ptr<const TileSource> tiles) {
    if (!tiles) throw Error("an image that is read by regions needs a source of them: give it one");
    const ImageInfo& info = tiles->info();
    width_ = info.width;
    height_ = info.height;
    channels_ = info.channels;
    type_ = info.type;
    alpha_ = info.alpha;
    profile_ = info.profile;
    frame_ = info.frame;
    set_dimensions(info.dimensions);
    data_ = SampleMemory(std::move(tiles));
}

Image Image::over_same_samples() const {
    Image same;
    same.width_ = width_;
    same.height_ = height_;
    same.channels_ = channels_;
    same.type_ = type_;
    same.alpha_ = alpha_;
    same.set_dimensions(dimensions());
    same.profile_ = profile_;
    same.missing_ = missing_;
    same.frame_ = frame_;
    same.data_ = data_.shared();
    return same;
}

float Image::value(int x, int y, int channel) const {
    const std::byte* samples = row(y);
    const size_t index = size_t(x) * channels_ + channel;
    switch (type_) {
        case SampleType::u8: return float(reinterpret_cast<const uint8_t*>(samples)[index]) / 255.0f;
        case SampleType::u16: return float(reinterpret_cast<const uint16_t*>(samples)[index]) / 65535.0f;
        case SampleType::f16: return half_to_float(reinterpret_cast<const uint16_t*>(samples)[index]);
        case SampleType::f32: return reinterpret_cast<const float*>(samples)[index];
        default: break;
    }
    float value = 0;
    read_floats(samples + index * size_t(bytes_per_sample(type_)), 1, type_, &value);
    return value;
}

StoredNumber Image::number(int x, int y, int channel) const {
    const size_t index = size_t(x) * channels_ + channel;
    return stored_number(row(y) + index * size_t(bytes_per_sample(type_)), type_);
}

Image copied(const ImageView& view) {
    Image image(view.width, view.height, view.channels, view.type, view.alpha);
    for (int y = 0; y < view.height; ++y)
        std::memcpy(image.row(y), static_cast<const std::byte*>(view.samples) + size_t(y) * view.stride(),
                    image.row_bytes());
    image.set_one_dimensional(view.one_dimensional);
    return image;
}

Image converted(const Image& image, SampleType type) {
    if (image.type() == type) return image;
    Image result(image.width(), image.height(), image.channels(), type, image.alpha());
    const size_t samples = size_t(image.width()) * image.channels();
    for (int y = 0; y < image.height(); ++y) convert_samples(image.row(y), samples, image.type(), result.row(y), type);
    return with_facts_of(image, std::move(result));
}

Image premultiplied(const Image& image) {
    if (image.alpha() != Alpha::straight) return image;
    Image result = converted(image, SampleType::f32);
    const int channels = image.channels();
    for (int y = 0; y < image.height(); ++y) {
        float* pixel = result.row_as<float>(y);
        for (int x = 0; x < image.width(); ++x, pixel += channels)
            for (int c = 0; c + 1 < channels; ++c)  // what is under a transparent pixel may not even be a number
                pixel[c] = pixel[channels - 1] == 0 ? 0.0f : pixel[c] * pixel[channels - 1];
    }
    result.set_alpha(Alpha::premultiplied);
    return result;
}

Image unpremultiplied(const Image& image) {
    if (image.alpha() != Alpha::premultiplied) return image;
    Image result = converted(image, SampleType::f32);
    const int channels = image.channels();
    for (int y = 0; y < image.height(); ++y) {
        float* pixel = result.row_as<float>(y);
        for (int x = 0; x < image.width(); ++x, pixel += channels) make_straight(pixel, channels);
    }
    result.set_alpha(Alpha::straight);
    return result;
}

Image linear_light(const Image& image) {
    if (is_linear(image.profile().get())) return converted(image, SampleType::f32);
    const Alpha alpha = image.alpha();
    Image result = converted(unpremultiplied(image), SampleType::f32);
    const int channels = image.channels(), colours = channels - (alpha == Alpha::none ? 0 : 1);
    for (int y = 0; y < image.height(); ++y) {
        float* pixel = result.row_as<float>(y);
        for (int x = 0; x < image.width(); ++x, pixel += channels)
            for (int c = 0; c < colours; ++c) pixel[c] = float(srgb_decoded(pixel[c]));
    }
    return alpha == Alpha::premultiplied ? premultiplied(result) : result;
}

std::string describe(const Image& image) {
    return fmt::format("{}×{} {}×{}", image.width(), image.height(), name_of(image.type()), image.channels());
}

void check_region(const TileSource& source, int level, const SampleRegion& region) {
    const auto& [x, y, width, height] = region;
    if (level < 0 || level >= source.levels())
        throw Error(fmt::format("level {} does not exist: there are 0 to {}", level, source.levels() - 1));
    const Extent extent = source.level_extent(level);
    const bool inside = x >= 0 && y >= 0 && width >= 1 && height >= 1 && width <= extent.width &&
                        height <= extent.height && x <= extent.width - width && y <= extent.height - height;
    if (!inside)
        throw Error(fmt::format("the region of {}×{} samples from ({}, {}) on is not inside the image of {}×{}", width,
                                height, x, y, extent.width, extent.height));
}

ImageTiles::ImageTiles(std::shared_ptr<const Image> image, int tile) : image_(std::move(image)), tile_(tile) {
    if (!image_ || image_->empty()) throw Error("an empty image has no tiles: give it a size and samples");
    if (image_->one_dimensional()) throw Error("a one-dimensional signal has no tiles: keep it in memory");
    if (tile < 1) throw Error(fmt::format("tiles must have sides of at least 1 sample, not {}", tile));
    info_ = {image_->width(), image_->height(), image_->channels(), image_->type(), image_->alpha(), image_->profile()};
}

Extent ImageTiles::level_extent(int) const { return {info_.width, info_.height}; }

void ImageTiles::read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const {
    check_region(*this, level, region);
    const size_t texel = size_t(info_.channels) * size_t(bytes_per_sample(info_.type));
    for (int y = 0; y < region.height; ++y, to += row_bytes)
        std::memcpy(to, image_->row(int(region.y) + y) + size_t(region.x) * texel, size_t(region.width) * texel);
}

}  // namespace texelscope
