#include "gpu/c/handles.h"

#include "gpu/backend/arguments.h"

using namespace texelscope;
using namespace texelscope::c;

namespace texelscope::c {

Strided Array::image(int64_t number, int first, int channel_count) const {
    return {data + number * stride_count + first * stride_channel,
            type,
            width,
            height,
            channel_count,
            stride_y,
            stride_x,
            stride_channel};
}

namespace {

constexpr SampleType sample_types[] = {SampleType::u8,  SampleType::u16, SampleType::f16, SampleType::f32,
                                       SampleType::i8,  SampleType::i16, SampleType::i32, SampleType::u32,
                                       SampleType::i64, SampleType::u64, SampleType::f64};
constexpr int64_t most_channels = 1 << 20, most_images = int64_t(1) << 31;

int checked_side(int64_t side, int64_t most, const char* name, const char* of) {
    if (side < 1 || side > most)
        throw Error(fmt::format("the {} of {} is {}: it must be 1 to {}", name, of, side, most));
    return int(side);
}

// Throws Error for more bytes between two elements than can be counted.
void check_reach(const Array& array, const char* name) {
    double bytes = 0;
    for (const auto& [n, stride] : {std::pair{array.count, array.stride_count},
                                    {int64_t(array.height), array.stride_y},
                                    {int64_t(array.width), array.stride_x},
                                    {int64_t(array.channels), array.stride_channel}})
        bytes += double(n - 1) * std::abs(double(stride));
    if (!(bytes < 0x1p62)) throw Error(fmt::format("the strides of {} reach farther than any memory", name));
}

// Throws Error for elements in a GPU's memory that are not at multiples of their size.
void check_alignment(const Array& array, const char* name) {
    const int64_t element = bytes_per_sample(array.type);
    for (const int64_t bytes : {int64_t(reinterpret_cast<uintptr_t>(array.data)), array.stride_count, array.stride_y,
                                array.stride_x, array.stride_channel})
        if (bytes % element != 0)
            throw Error(
                fmt::format("{} has elements of {} bytes at addresses that are no multiples of that, which a GPU "
                            "cannot read: copy it to the host or to packed memory",
                            name, element));
}

}  // namespace

Array checked_array(const Engine& engine, const ts_array* given, const char* name) {
    const ts_array all = known_fields(&checked(given, name), name);
    Array array;
    array.data = static_cast<std::byte*>(all.data);
    array.type = choice_of(all.type, sample_types, name);
    array.count = all.count;
    if (all.count < 1 || all.count > most_images)
        throw Error(fmt::format("{} has {} images: at least 1", name, all.count));
    array.height = checked_side(all.height, max_side, "height", name);
    array.width = checked_side(all.width, max_side, "width", name);
    array.channels = checked_side(all.channels, most_channels, "number of channels", name);
    array.stride_count = all.stride_count, array.stride_y = all.stride_y;
    array.stride_x = all.stride_x, array.stride_channel = all.stride_channel;
    if (!all.stride_count && !all.stride_y && !all.stride_x && !all.stride_channel) {
        array.stride_channel = bytes_per_sample(array.type);
        array.stride_x = array.stride_channel * array.channels;
        array.stride_y = array.stride_x * array.width;
        array.stride_count = array.stride_y * array.height;
    }
    check_reach(array, name);
    array.on_host = all.device == TS_HOST;
    if (array.on_host) {
        engine.backend->check_host_memory(array.data, name);
    } else {
        if (!engine.on_gpu())
            throw Error(
                fmt::format("{} is in the memory of CUDA device {}, and the backend is the CPU: use one of that device",
                            name, all.device));
        if (all.device != engine.backend->info().device_index)
            throw Error(fmt::format("{} is in the memory of CUDA device {}, and the backend on device {}", name,
                                    all.device, engine.backend->info().device_index));
        check_alignment(array, name);
    }
    return array;
}

}  // namespace texelscope::c

namespace {

struct ImageOptions {
    bool copy = false, signal = false;
    Alpha alpha = Alpha::none;
    Light light = Light::stored;
};

// Makes the sources of an image.
class ImageMaker {
public:
    ImageMaker(ts_image& image, const Array& array, const ImageOptions& options)
        : image_(image), array_(array), options_(options), backend_(image.engine->backend) {}

    void make() {
        image_.in_place = true;
        for (int first = 0; first < array_.channels;) {
            ImagePart part;
            part.first = first;
            part.planes = is_planar();
            part.channels = part.planes ? 1 : std::min(array_.channels - first, 4);
            part.resident_channels = part.channels;
            const int64_t images = array_.count * (part.planes ? array_.channels : 1);
            const int64_t together = images_together(part);
            for (int64_t k = 0; k < images; k += together) add_group(part, k, std::min(together, images - k));
            first += part.planes ? array_.channels : part.channels;
            image_.parts.push_back(std::move(part));
        }
    }

private:
    bool is_of_backend() const { return array_.on_host != image_.engine->on_gpu(); }

    // Channels that lie apart, each packed: read where they are.
    bool is_planar() const {
        return array_.channels > 1 && options_.alpha == Alpha::none &&
               array_.stride_channel != bytes_per_sample(array_.type) &&
               (array_.stride_x == bytes_per_sample(array_.type) || array_.width == 1);
    }

    // Single launches for large images cost nothing, and memory for several results may be missed.
    int64_t images_together(const ImagePart& part) const {
        constexpr double numbers = 1 << 24;
        const Strided one = part.image_in(array_, 0);
        const int64_t step = part.step_in(array_);
        if (!image_.engine->on_gpu() || array_.on_host || step <= 0 || array_.height > most_batched_rows) return 1;
        if (is_read_in_place(one)) {
            const int64_t texel = texel_bytes(one);
            if (one.height > 1 ? step % one.stride_y != 0 : step < one.width * texel || step % texel != 0) return 1;
        }
        return int64_t(
            std::clamp(numbers / (double(one.width) * one.height * one.channels), 1.0, double(most_batched_images)));
    }

    static int64_t texel_bytes(const Strided& from) { return from.channels * from.element(); }

    bool is_read_in_place(const Strided& from) const {
        return !options_.copy && options_.light == Light::stored && is_of_backend() && is_texel_type(from.type) &&
               can_adopt(from);
    }

    void add_group(ImagePart& part, int64_t first, int64_t images) {
        const Strided from = part.image_in(array_, first);
        if (images == 1) return part.groups.push_back({first, {}, source(from, part), {}});
        ImageView view;
        if (is_read_in_place(from)) {
            view = view_of(from);
            view.images = int(images);
            view.image_bytes = size_t(part.step_in(array_));
            if (from.height == 1) view.row_bytes = view.image_bytes;
        } else {
            image_.in_place = false;
            view = gathered(from, part, int(images), part.step_in(array_));
        }
        part.groups.push_back({first, view, SourceImage(backend_, view), {}});
    }

    SourceImage source(const Strided& from, ImagePart& part) {
        if (!options_.copy && options_.light == Light::stored && is_of_backend() && is_texel_type(from.type)) {
            if (can_adopt(from)) return SourceImage(backend_, view_of(from));
            if (is_packed_image(from)) return SourceImage(backend_, over(from));
        }
        image_.in_place = false;
        return array_.on_host ? copied_on_host(from) : SourceImage(backend_, gathered(from, part, 1, 0));
    }

    bool can_adopt(const Strided& from) const {
        const int64_t texel = texel_bytes(from);
        return from.channels != 3 && options_.alpha != Alpha::straight && from.has_packed_rows() &&
               (from.height == 1 || (from.stride_y >= from.width * texel && from.stride_y % texel == 0)) &&
               reinterpret_cast<uintptr_t>(from.data) % uintptr_t(texel) == 0;
    }
    ImageView view_of(const Strided& from) const {
        const size_t row = from.height == 1 ? 0 : size_t(from.stride_y);
        return {from.data, from.width, from.height, from.channels, from.type, row, options_.alpha, options_.signal};
    }

    // What Image holds, which has three channels too. The CPU reads it in place.
    bool is_packed_image(const Strided& from) const {
        return array_.on_host && !image_.engine->on_gpu() && options_.alpha != Alpha::straight &&
               from.has_packed_rows() &&
               (from.height == 1 || from.stride_y == int64_t(from.width) * from.channels * from.element()) &&
               reinterpret_cast<uintptr_t>(from.data) % uintptr_t(from.element()) == 0;
    }
    std::shared_ptr<const Image> over(const Strided& from) const {
        const auto memory = [&](size_t bytes) {
            return SampleMemory(from.data, bytes, [](std::byte*, size_t) noexcept {});
        };
        auto image = std::make_shared<Image>(from.width, from.height, from.channels, from.type, options_.alpha, memory);
        image->set_one_dimensional(options_.signal);
        return image;
    }

    SourceImage copied_on_host(const Strided& from) const {
        const SampleType type = is_texel_type(from.type) ? from.type : SampleType::f32;
        Image image(from.width, from.height, from.channels, type, options_.alpha);
        image.set_one_dimensional(options_.signal);
        gather({from, image.data(), type, from.channels, image.row_bytes()});
        return SourceImage(backend_, std::move(image), options_.light);
    }

    ImageView gathered(const Strided& from, ImagePart& part, int images, [[maybe_unused]] int64_t step) {
        if (options_.alpha == Alpha::straight || options_.light == Light::linear)
            throw Error(
                "straight alpha and linear light need samples in host memory: premultiply or decode them first");
        backend_->check_memory(from.data, "the samples");
        part.resident_channels = from.channels == 3 ? 4 : from.channels;
        const SampleType type = is_texel_type(from.type) ? from.type : SampleType::f32;
        const size_t row = size_t(from.width) * size_t(part.resident_channels) * size_t(bytes_per_sample(type));
        const size_t image_bytes = row * size_t(from.height);
        const auto memory = backend_->allocate(image_bytes * size_t(images));
        image_.copies.push_back(memory);
#if TEXELSCOPE_WITH_CUDA
        gather_on_cuda({from,
                        static_cast<std::byte*>(memory.get()),
                        type,
                        part.resident_channels,
                        row,
                        {images, step, int64_t(image_bytes)}},
                       *backend_);
#endif
        return {memory.get(),    from.width, from.height, part.resident_channels, type, row, options_.alpha,
                options_.signal, images,     image_bytes};
    }

    ts_image& image_;
    const Array& array_;
    const ImageOptions& options_;
    const std::shared_ptr<Backend>& backend_;
};

ImageOptions checked_options(const ts_image_options* given, const Array& array) {
    const ts_image_options all = known_fields(given, "ts_image_options");
    constexpr Alpha alphas[] = {Alpha::none, Alpha::straight, Alpha::premultiplied};
    ImageOptions options;
    options.copy = all.copy != 0;
    options.signal = all.signal != 0;
    options.alpha = choice_of(all.alpha, alphas, "alpha");
    options.light = all.linear_light ? Light::linear : Light::stored;
    if (options.signal && array.height != 1) throw Error(fmt::format("a signal has height 1, not {}", array.height));
    if (options.alpha != Alpha::none && array.channels != 2 && array.channels != 4)
        throw Error(fmt::format("alpha is the last of 2 or 4 channels: {} have none", array.channels));
    return options;
}

}  // namespace

namespace texelscope::c {

std::unique_ptr<ts_image> made_image(const std::shared_ptr<Engine>& engine, const ts_array* samples,
                                     const ts_image_options* options) {
    const Array array = checked_array(*engine, samples, "the array of samples");
    const ImageOptions wanted = checked_options(options, array);
    auto made = std::make_unique<ts_image>();
    made->engine = engine;
    made->count = array.count;
    made->height = array.height, made->width = array.width, made->channels = array.channels;
    made->type = array.type;
    made->straight_alpha = wanted.alpha == Alpha::straight;
    made->signal = wanted.signal;
    made->linear_light = wanted.light == Light::linear;
    compute(*engine, array.numbers(), nullptr, nullptr,
            [&](const Report&) { ImageMaker(*made, array, wanted).make(); });
    return made;
}

}  // namespace texelscope::c

extern "C" {

int ts_image_create(ts_backend* backend, const ts_array* samples, const ts_image_options* options, ts_image** image) {
    return guarded([&] {
        checked(image, "the place for the image");
        const auto& engine = checked(backend, "the backend").engine;
        const Turn turn(*engine);
        *image = made_image(engine, samples, options).release();
    });
}

void ts_image_free(ts_image* image) {
    if (!image) return;
    const std::shared_ptr<Engine> engine = image->engine;
    engine->give_up(std::shared_ptr<ts_image>(image));
}

int ts_image_is_in_place(const ts_image* image) { return image && image->in_place; }

}  // extern "C"
