#include "app/files/codecs/npy.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/files/bytes/parts.h"
#include "app/files/codecs/codecs.h"
#include "gpu/core/half.h"

namespace texelscope {
namespace {

struct Kind {
    std::string_view code;  // the descr after the byte order
    SampleType type;
    int numbers = 1;  // per element; 2 for complex

    size_t bytes() const { return size_t(bytes_per_sample(type)); }  // size of one number
};
constexpr Kind kinds[] = {
    {"u1", SampleType::u8},     {"u2", SampleType::u16},     {"f2", SampleType::f16}, {"f4", SampleType::f32},
    {"f8", SampleType::f64},    {"i1", SampleType::i8},      {"i2", SampleType::i16}, {"i4", SampleType::i32},
    {"u4", SampleType::u32},    {"i8", SampleType::i64},     {"u8", SampleType::u64}, {"b1", SampleType::u8},
    {"c8", SampleType::f32, 2}, {"c16", SampleType::f64, 2},
};

const Kind& kind_of(const NpyHeader& header) {
    for (const Kind& kind : kinds)
        if (kind.code == header.code()) return kind;
    throw Error(
        fmt::format("dtype '{}' is not supported; use bool, an integer of 8 to 64 bits, float16, float32, float64, "
                    "complex64 or complex128",
                    header.descr.substr(0, 20)));
}

void store(const Kind& kind, const std::byte* from, bool swap, std::byte* to) {
    if (kind.code == "b1") {
        *to = std::byte(*from == std::byte(0) ? 0 : 255);
    } else {
        std::memcpy(to, from, kind.bytes());
        if (swap) std::reverse(to, to + kind.bytes());
    }
}

struct Layout {
    uint64_t width = 0, height = 1, depth = 1;
    const Kind& kind;

    uint64_t channels() const { return depth * uint64_t(kind.numbers); }
};

// Throws Error if the product is beyond what a file can hold.
uint64_t product(std::span<const uint64_t> sides) {
    uint64_t result = 1;
    for (const uint64_t side : sides) {
        if (side > 0 && result > std::numeric_limits<int64_t>::max() / side)
            throw Error(fmt::format("an array of shape ({}) is too large", fmt::join(sides, ", ")));
        result *= side;
    }
    return result;
}

// The axes before the last three of an array that has more.
std::span<const uint64_t> first_axes(const NpyHeader& header) {
    return std::span(header.shape).first(header.shape.size() - std::min<size_t>(header.shape.size(), 3));
}

// The header of one picture of an array, whose shape has at most three axes. Throws Error.
NpyHeader header_of_picture(ByteSpan bytes, int picture) {
    NpyHeader header = parse_npy_header(bytes);
    const std::span<const uint64_t> first = first_axes(header);
    if (first.empty()) return header;
    if (header.fortran_order && product(first) > 1)
        throw Error(
            "the pictures of an array in Fortran order lie among each other: numpy.ascontiguousarray makes it C order");
    const Kind& kind = kind_of(header);
    const std::vector<uint64_t> shape(header.shape.begin() + std::ptrdiff_t(first.size()), header.shape.end());
    const uint64_t before[] = {uint64_t(picture), product(shape), kind.bytes() * uint64_t(kind.numbers)};
    const uint64_t skipped = product(before);
    if (skipped > bytes.size() - header.data_at) throw Error("the file ends before this picture of the array");
    header.data_at += size_t(skipped);
    header.shape = shape;
    return header;
}

Layout layout_of(const NpyHeader& header, bool channels_first) {
    const size_t dimensions = header.shape.size();
    if (dimensions < 1) throw Error("the array is a single number; (N,), (H, W), (H, W, C) or (C, H, W) is expected");
    if (channels_first && dimensions != 3)
        throw Error(fmt::format("layout=chw is for arrays of three dimensions, and this one has {}", dimensions));
    Layout layout{header.shape[dimensions == 1 ? 0 : 1], 1, 1, kind_of(header)};
    if (dimensions > 1) layout.height = header.shape[0];
    if (dimensions > 2) layout.depth = header.shape[2];
    if (!channels_first) return layout;
    return {header.shape[2], header.shape[1], header.shape[0], layout.kind};
}

bool in_order(const std::vector<int>& channels, uint64_t count) {
    for (size_t i = 0; i < channels.size(); ++i)
        if (channels[i] != int(i)) return false;
    return channels.size() == count;
}

// The chosen channels. If those of a pixel do not lie together (Fortran order, channels first), use image_of_strides.
RawSamples raw_samples(const NpyHeader& header, const Layout& layout, const std::vector<int>& channels) {
    const Kind& kind = layout.kind;
    RawSamples samples{layout.width, layout.height, channels.size(), kind.type, Alpha::none, header.data_at};
    samples.pixel_bytes = layout.channels() * kind.bytes();
    samples.dimensions = int(header.shape.size());
    const bool swap = header.big_endian();
    const bool as_stored = !swap && kind.code != "b1" && in_order(channels, layout.channels());
    samples.convert = [&kind, swap, as_stored, channels, pixel_bytes = samples.pixel_bytes](
                          const std::byte* from, size_t pixels, std::byte* to) {
        if (as_stored) {
            std::memcpy(to, from, pixels * pixel_bytes);
            return;
        }
        for (size_t x = 0; x < pixels; ++x, from += pixel_bytes)
            for (const int channel : channels) {
                store(kind, from + size_t(channel) * kind.bytes(), swap, to);
                to += kind.bytes();
            }
    };
    return samples;
}

// Distances between neighbours, in elements.
struct Strides {
    size_t x, y, channel;
};

Strides strides_of(const NpyHeader& header, const Layout& layout, bool channels_first) {
    const auto width = size_t(layout.width), height = size_t(layout.height), depth = size_t(layout.depth);
    if (header.fortran_order)
        return channels_first ? Strides{depth * height, depth, 1} : Strides{height, 1, width * height};
    return channels_first ? Strides{1, width, width * height} : Strides{depth, width * depth, 1};
}

// The image if the channels of a pixel, or the pixels of a row, do not lie together.
Image image_of_strides(ByteSpan bytes, const NpyHeader& header, const Layout& layout, const Strides& strides,
                       const std::vector<int>& channels) {
    const auto& [width, height, depth, kind] = layout;
    check_dimensions(width, height, channels.size(), kind.type);
    check_present(bytes.size() - header.data_at, width * height * layout.channels() * kind.bytes(), width, height);

    Image image(int(width), int(height), int(channels.size()), kind.type);
    const bool swap = header.big_endian();
    const size_t numbers = size_t(kind.numbers), element = kind.bytes() * numbers;
    const std::byte* data = bytes.data() + header.data_at;
    std::vector<size_t> offsets;  // channel offsets from the pixel
    for (const int channel : channels)
        offsets.push_back(size_t(channel) / numbers * strides.channel * element +
                          size_t(channel) % numbers * kind.bytes());
    for (size_t y = 0; y < height; ++y) {
        std::byte* to = image.row(int(y));
        for (size_t x = 0; x < width; ++x) {
            const std::byte* pixel = data + (y * strides.y + x * strides.x) * element;
            for (const size_t offset : offsets) {
                store(kind, pixel + offset, swap, to);
                to += kind.bytes();
            }
        }
    }
    return image;
}

Image parse(ByteSpan bytes, const NpyHeader& header, const Layout& layout, const std::vector<int>& channels,
            bool channels_first) {
    Image image = header.fortran_order || channels_first
                      ? image_of_strides(bytes, header, layout, strides_of(header, layout, channels_first), channels)
                      : image_of(raw_samples(header, layout, channels), bytes);
    image.set_dimensions(int(header.shape.size()));
    return image;
}

}  // namespace

int count_npy_pictures(ByteSpan head) {
    constexpr uint64_t most = std::numeric_limits<int>::max();
    const NpyHeader header = parse_npy_header(head);
    const uint64_t pictures = product(first_axes(header));
    if (pictures < 1 || pictures > most)
        throw Error(fmt::format("an array of shape ({}) holds {} pictures; 1 to {} can be",
                                fmt::join(header.shape, ", "), pictures, most));
    return int(pictures);
}

Image parse_npy(ByteSpan bytes, bool channels_first, int picture) {
    const NpyHeader header = header_of_picture(bytes, picture);
    const Layout layout = layout_of(header, channels_first);
    check_dimensions(layout.width, layout.height, layout.channels(), layout.kind.type);
    std::vector<int> all(size_t(layout.channels()));
    std::iota(all.begin(), all.end(), 0);
    return parse(bytes, header, layout, all, channels_first);
}

Image parse_npy(ByteSpan bytes, const std::vector<int>& channels, bool channels_first, int picture) {
    const NpyHeader header = header_of_picture(bytes, picture);
    return parse(bytes, header, layout_of(header, channels_first), channels, channels_first);
}

RawSamples raw_npy(ByteSpan head, const std::vector<int>& channels) {
    const NpyHeader header = header_of_picture(head, 0);
    if (header.shape.size() == 1) throw NotInParts("it is a signal");
    if (header.fortran_order && header.shape.size() > 1)
        throw NotInParts("it is in Fortran order, column after column; numpy.ascontiguousarray makes it C order");
    return raw_samples(header, layout_of(header, false), channels);
}

int count_npy_channels(ByteSpan bytes, bool channels_first) {
    constexpr uint64_t most = 65535;
    const uint64_t channels = layout_of(header_of_picture(bytes, 0), channels_first).channels();
    if (channels > most) throw Error(fmt::format("its header claims {} channels; at most {} can be", channels, most));
    return int(channels);
}

bool has_npy_layouts(ByteSpan bytes) { return parse_npy_header(bytes).shape.size() >= 3; }

void encode_npy(const RowSource& image, const ByteSink& sink) {
    std::vector<uint64_t> shape = {uint64_t(image.height), uint64_t(image.width), uint64_t(image.channels)};
    if (image.dimensions < 3 && image.channels == 1) shape.pop_back();
    if (image.dimensions == 1 && image.height == 1) shape.erase(shape.begin());
    sink(bytes_of_text(encode_npy_header(shape, image.type)));
    for_each_band(image, [&](const Image& rows, int, int) { sink({rows.data(), rows.size_bytes()}); });
}

namespace {

// Whether the channels of an array of three axes come first: as chosen, or by the sides. Few rows of pixels with many channels
// are more likely grey or colour with the channels first, as PyTorch has it.
bool is_channels_first(ByteSpan head, const PictureChoice& choice) {
    if (choice.channels_first) return *choice.channels_first;
    const std::vector<uint64_t> shape = header_of_picture(head, 0).shape;
    constexpr uint64_t most_channels_last = 16;
    return shape.size() == 3 && (shape[0] == 1 || shape[0] == 3 || shape[0] == 4) && shape[2] > most_channels_last;
}

std::vector<int> chosen(ByteSpan head, const PictureChoice& choice) {
    const int channels = count_npy_channels(head, is_channels_first(head, choice));
    return chosen_channels(choice, usual_channel_names(channels, Alpha::none), -1).which;
}

PictureFacts::Layout layout_of(ByteSpan file, const PictureChoice& choice) {
    if (!has_npy_layouts(file)) return PictureFacts::Layout::fixed;
    return is_channels_first(file, choice) ? PictureFacts::Layout::channels_first : PictureFacts::Layout::channels_last;
}

// All pictures of the array have one shape.
Image parse(ByteSpan file, const PictureChoice& asked, PictureFacts* told) {
    const bool first = is_channels_first(file, asked);
    const int channels = count_npy_channels(file, first), pictures = count_npy_pictures(file),
              picture = chosen_part(asked, {}, pictures);
    PictureChoice choice = asked;
    choice.part.clear();
    PictureFacts facts;
    Image image;
    if (channels <= 4) {
        image = chosen_from(parse_npy(file, first, picture), choice, &facts);
    } else {
        facts = facts_of_single(choice, 1, 1, channels, Alpha::none);
        facts.channels = chosen(file, choice);
        image = parse_npy(file, facts.channels, first, picture);
        facts.parts[0].width = image.width();
        facts.parts[0].height = image.height();
        facts.shape = {image.width(), image.height(), image.channels(), image.type(), image.alpha()};
        facts.missing = image.missing();
    }
    facts.layout = layout_of(file, choice);
    facts.part = picture;
    facts.parts.resize(size_t(std::min(pictures, most_listed_parts)), PictureFacts::Part(facts.parts[0]));
    if (told) *told = std::move(facts);
    return image;
}

RawSamples raw(ByteSpan head, const PictureChoice& choice) {
    if (count_npy_pictures(head) > 1) throw NotInParts("it holds several pictures");
    facts_of_single(choice, 1, 1, 1, Alpha::none);  // throws if another part is chosen
    if (is_channels_first(head, choice)) throw NotInParts("its channels lie one behind the other");
    const int channels = count_npy_channels(head);
    std::vector<int> all(size_t(std::max(channels, 0)));
    std::iota(all.begin(), all.end(), 0);
    RawSamples samples = raw_npy(head, channels <= 4 && choice.channels.empty() ? all : chosen(head, choice));
    samples.stored_channels = uint64_t(channels);
    samples.has_layouts = has_npy_layouts(head);
    return samples;
}

void encode(const Codec&, const RowSource& rows, OutputFile& file) {
    encode_npy(rows, [&](ByteSpan bytes) { file.write(bytes); });
}

}  // namespace

extern const Codec npy_codec;
constinit const Codec npy_codec{
    .name = "NumPy",
    .extensions = "npy",
    .samples = "every type of number as stored; complex numbers as two channels",
    .recognise = is_npy,
    .parse = parse,
    .raw = raw,
    .layouts = true,
    .writing = {.types = holds_all, .channels = "1234", .alpha = Alpha::straight, .encode = encode, .data = true},
};

namespace {

using Load = double (*)(const std::byte* from, bool swap);

template <class T> double as_double(const std::byte* from, bool swap) { return double(load_number<T>(from, swap)); }
double half_as_double(const std::byte* from, bool swap) { return half_to_float(load_number<uint16_t>(from, swap)); }

struct NumberKind {
    std::string_view code;
    size_t bytes;
    Load load;
};
constexpr NumberKind number_kinds[] = {
    {"f2", 2, half_as_double},      {"f4", 4, as_double<float>},    {"f8", 8, as_double<double>},
    {"i1", 1, as_double<int8_t>},   {"u1", 1, as_double<uint8_t>},  {"i2", 2, as_double<int16_t>},
    {"u2", 2, as_double<uint16_t>}, {"i4", 4, as_double<int32_t>},  {"u4", 4, as_double<uint32_t>},
    {"i8", 8, as_double<int64_t>},  {"u8", 8, as_double<uint64_t>},
};

const NumberKind& number_kind_of(const NpyHeader& header) {
    for (const NumberKind& kind : number_kinds)
        if (kind.code == header.code()) return kind;
    throw Error(fmt::format("dtype '{}' does not hold coordinates; use float32, float64 or integers",
                            header.descr.substr(0, 20)));
}

// Throws if the file holds fewer numbers than its header claims.
size_t checked_count(const NpyHeader& header, size_t number_bytes, size_t file_bytes) {
    const size_t present = (file_bytes - header.data_at) / number_bytes;
    size_t count = 1;
    for (const uint64_t side : header.shape)
        if (side == 0) throw Error(fmt::format("the array of shape ({}) is empty", fmt::join(header.shape, ", ")));
    bool enough = present >= 1;  // also if the shape is (), one number
    for (const uint64_t side : header.shape) {
        enough = enough && side <= present / count;
        if (enough) count *= size_t(side);
    }
    if (!enough)
        throw Error(fmt::format("the file is truncated: its header claims shape ({}), but it holds only {} numbers",
                                fmt::join(header.shape, ", "), present));
    return count;
}

// Calls visit(k) with the index in Fortran order of each element, in C order.
template <class Visit> void for_each_in_c_order(const std::vector<uint64_t>& shape, size_t count, Visit visit) {
    std::vector<size_t> step(shape.size()), index(shape.size());
    size_t stride = 1;
    for (size_t d = 0; d < shape.size(); stride *= size_t(shape[d++])) step[d] = stride;
    size_t place = 0;
    for (size_t done = 0; done < count; ++done) {
        visit(place);
        for (size_t d = shape.size(); d-- > 0;) {
            place += step[d];
            if (++index[d] < shape[d]) break;
            place -= step[d] * index[d];
            index[d] = 0;
        }
    }
}

}  // namespace

NumberArray parse_npy_numbers(ByteSpan bytes) {
    const NpyHeader header = parse_npy_header(bytes);
    const NumberKind& kind = number_kind_of(header);
    const size_t count = checked_count(header, kind.bytes, bytes.size());
    const std::byte* data = bytes.data() + header.data_at;
    NumberArray array{header.shape, {}, kind.code == "f4" || kind.code == "f2"};
    array.values.reserve(count);
    const auto take = [&](size_t place) {
        array.values.push_back(kind.load(data + place * kind.bytes, header.big_endian()));
    };
    if (header.fortran_order) for_each_in_c_order(header.shape, count, take);
    else
        for (size_t place = 0; place < count; ++place) take(place);
    return array;
}

}  // namespace texelscope
