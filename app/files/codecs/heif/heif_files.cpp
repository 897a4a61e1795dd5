// HEIF and AVIF through libheif; app/files/codecs/heif.h describes these functions.

#include "app/files/codecs/heif/heif_files.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <libheif/heif.h>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/parts.h"
#include "app/files/bytes/rows.h"
#include "app/files/codecs/heif.h"
#include "app/files/decoding/decoder.h"
#include "app/files/decoding/picture_in_file.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

using Weights = std::array<double, 3>;  // shares in R, G and B

// The weights of luminance and of the two chroma planes.
struct Matrix {
    Weights y, cb, cr;
};

// The shares of red and blue in luminance, from the chromaticities of the primaries and of white.
std::array<double, 2> shares_of_primaries(const heif_color_profile_nclx& colour) {
    struct Xyz {
        double x, y, z;
    };
    const auto xyz = [](float x, float y) {
        return Xyz{double(x) / double(y), 1, (1.0 - double(x) - double(y)) / double(y)};
    };
    const Xyz r = xyz(colour.color_primary_red_x, colour.color_primary_red_y),
              g = xyz(colour.color_primary_green_x, colour.color_primary_green_y),
              b = xyz(colour.color_primary_blue_x, colour.color_primary_blue_y),
              w = xyz(colour.color_primary_white_x, colour.color_primary_white_y);
    const auto determinant = [](const Xyz& p, const Xyz& q, const Xyz& s) {
        return p.x * (q.y * s.z - s.y * q.z) - q.x * (p.y * s.z - s.y * p.z) + s.x * (p.y * q.z - q.y * p.z);
    };
    const double all = determinant(r, g, b);
    return {determinant(w, g, b) / all, determinant(r, g, w) / all};
}

Matrix matrix_of_shares(double red, double blue) {
    const double green = 1 - red - blue;
    return {{1, 1, 1},
            {0, -2 * blue * (1 - blue) / green, 2 * (1 - blue)},
            {2 * (1 - red), -2 * red * (1 - red) / green, 0}};
}

// The matrix for its number in H.273; 2, unspecified, means BT.601, as ISO/IEC 23000-22 says.
Matrix matrix_of(const heif_color_profile_nclx& colour) {
    switch (const int number = int(colour.matrix_coefficients); number) {
        case 0: return {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};  // G, B, R
        case 1: return matrix_of_shares(0.2126, 0.0722);
        case 4: return matrix_of_shares(0.30, 0.11);
        case 2:
        case 5:
        case 6: return matrix_of_shares(0.299, 0.114);
        case 7: return matrix_of_shares(0.212, 0.087);
        case 8: return {{1, 1, 1}, {-1, 1, -1}, {1, 0, -1}};  // Y, Cg, Co
        case 9: return matrix_of_shares(0.2627, 0.0593);
        case 12: {
            const auto [red, blue] = shares_of_primaries(colour);
            if (std::isfinite(red) && std::isfinite(blue) && red + blue < 1) return matrix_of_shares(red, blue);
            throw Error("the HEIF is damaged: its primaries make no sense");
        }
        default:
            throw Error(
                fmt::format("its colours are coded by matrix {} of ITU-T H.273, which is not supported; convert it "
                            "to PNG with the program that made it",
                            number));
    }
}

}  // namespace

HeifPlane::HeifPlane(const heif_image* image, heif_channel channel, int width, int height)
    : bits_(heif_image_get_bits_per_pixel_range(image, channel)) {
    int stride = 0;
    data_ = heif_image_get_plane_readonly(image, channel, &stride);
    stride_ = size_t(std::max(stride, 0));
    const bool sensible = data_ && bits_ >= 1 && bits_ <= 16 && heif_image_get_width(image, channel) == width &&
                          heif_image_get_height(image, channel) == height &&
                          stride_ >= size_t(width) * (bits_ > 8 ? 2 : 1);
    if (!sensible) throw Error("the HEIF is damaged: its decoded picture is not of the size that its header says");
}

void HeifPlane::read_row(int y, std::vector<uint16_t>& numbers) const {
    const uint8_t* const row = data_ + size_t(y) * stride_;
    if (bits_ > 8) std::memcpy(numbers.data(), row, numbers.size() * 2);
    else std::copy_n(row, numbers.size(), numbers.data());
}

HeifColours::HeifColours(const heif_image* image, int width, int height, bool grey,
                         const heif_color_profile_nclx* coded)
    : image_(image), width_(width), height_(height), colours_(grey ? 1 : 3), numbers_(size_t(width)) {
    const bool colours = has(heif_channel_R) && has(heif_channel_G) && has(heif_channel_B);
    if (has(heif_channel_Y) && (grey || !has(heif_channel_Cb))) {
        add_coded(heif_channel_Y, {1, 1, 1}, false, coded ? coded->full_range_flag != 0 : grey_has_full_range());
    } else if (grey && colours && !coded && colours_are_equal()) {  // so libheif puts tiles together
        add_plane(heif_channel_G, {1, 1, 1}, 0, 1);
    } else if (!colours || grey) {
        throw Error("the HEIF is damaged: its header and its picture differ in their colours");
    } else if (coded) {
        const Matrix matrix = matrix_of(*coded);
        const bool chroma = coded->matrix_coefficients != heif_matrix_coefficients_RGB_GBR;
        const bool full = coded->full_range_flag != 0;
        add_coded(heif_channel_G, matrix.y, false, full);
        add_coded(heif_channel_B, matrix.cb, chroma, full);
        add_coded(heif_channel_R, matrix.cr, chroma, full);
    } else {
        add_plane(heif_channel_R, {1, 0, 0}, 0, 1);
        add_plane(heif_channel_G, {0, 1, 0}, 0, 1);
        add_plane(heif_channel_B, {0, 0, 1}, 0, 1);
    }
}

bool HeifColours::colours_are_equal() const {
    const HeifPlane green(image_, heif_channel_G, width_, height_);
    std::vector<uint16_t> numbers(numbers_.size()), others(numbers_.size());
    for (const heif_channel channel : {heif_channel_R, heif_channel_B}) {
        const HeifPlane other(image_, channel, width_, height_);
        if (other.bits() != green.bits()) return false;
        for (int y = 0; y < height_; ++y) {
            green.read_row(y, numbers);
            other.read_row(y, others);
            if (numbers != others) return false;
        }
    }
    return true;
}

bool HeifColours::grey_has_full_range() const {
    heif_color_profile_nclx* stated = nullptr;
    heif_image_get_nclx_color_profile(image_, &stated);
    const bool full = !stated || stated->full_range_flag != 0;
    if (stated) heif_nclx_color_profile_free(stated);
    return full;
}

// `zero` and `one`: the numbers that stand for 0 and 1, as parts of the largest one.
void HeifColours::add_plane(heif_channel channel, const Weights& weights, double zero, double one) {
    Part part{HeifPlane(image_, channel, width_, height_), {}};
    const size_t numbers = size_t(1) << part.plane.bits();
    for (size_t c = 0; c < colours_; ++c)
        for (size_t number = 0; number < numbers; ++number)
            part.shares[c].push_back(weights[c] * ((double(number) / double(numbers - 1) - zero) / (one - zero)));
    parts_.push_back(std::move(part));
}

// In 8 bits, 128 is no colour; unless the range is full, 16 is black and 235 white. More bits scale these numbers.
void HeifColours::add_coded(heif_channel channel, const Weights& weights, bool chroma, bool full_range) {
    const int bits = heif_image_get_bits_per_pixel_range(image_, channel);
    const auto part_of_largest = [bits](double number) { return number * std::exp2(bits - 8) / (std::exp2(bits) - 1); };
    const double zero = chroma ? part_of_largest(128) : full_range ? 0 : part_of_largest(16);
    add_plane(channel, weights, zero, zero + (full_range ? 1 : part_of_largest(chroma ? 224 : 219)));
}

void HeifColours::read_row(int y, int channels, double* to) {
    for (size_t i = 0; i < parts_.size(); ++i) {
        parts_[i].plane.read_row(y, numbers_);
        for (size_t c = 0; c < colours_; ++c) {
            const double* const shares = parts_[i].shares[c].data();
            double* out = to + c;
            const size_t last = parts_[i].shares[c].size() - 1;
            for (size_t x = 0; x < numbers_.size(); ++x, out += channels) {
                const double share = shares[std::min<size_t>(numbers_[x], last)];
                *out = i == 0 ? share : *out + share;
            }
        }
    }
}

namespace {

void check(const heif_error& error) {
    if (error.code == heif_error_Ok) return;
    if (error.code == heif_error_Memory_allocation_error) throw OutOfMemory("not enough memory to read it");
    constexpr size_t most = 300;
    throw Error(fmt::format("the HEIF is damaged or of a kind that cannot be read ({})",
                            printable(error.message ? error.message : "reason unknown", most)));
}

template <class T, void (*Release)(T*)> struct Releases {
    void operator()(T* which) const { Release(which); }
};
using Context = std::unique_ptr<heif_context, Releases<heif_context, heif_context_free>>;
using Handle = std::unique_ptr<const heif_image_handle, Releases<const heif_image_handle, heif_image_handle_release>>;
using Decoded = std::unique_ptr<const heif_image, Releases<const heif_image, heif_image_release>>;
using Options = std::unique_ptr<heif_decoding_options, Releases<heif_decoding_options, heif_decoding_options_free>>;

// The pictures of a file, its main one first.
class Pictures {
public:
    explicit Pictures(ByteSpan file) : context_(heif_context_alloc()) {
        if (!context_) throw OutOfMemory("not enough memory to read it");
        check(heif_context_read_from_memory_without_copy(context_.get(), file.data(), file.size(), nullptr));
        check(heif_context_get_primary_image_ID(context_.get(), &main_));
        numbers_.resize(size_t(std::max(heif_context_get_number_of_top_level_images(context_.get()), 0)));
        heif_context_get_list_of_top_level_image_IDs(context_.get(), numbers_.data(), int(numbers_.size()));
        std::erase(numbers_, main_);
        numbers_.insert(numbers_.begin(), main_);
    }

    int count() const { return int(numbers_.size()); }
    uint32_t number(int part) const { return numbers_.at(size_t(part)); }
    Handle handle(int part) const {
        heif_image_handle* handle = nullptr;
        check(heif_context_get_image_handle(context_.get(), number(part), &handle));
        return Handle(handle);
    }

private:
    Context context_;
    heif_item_id main_ = 0;
    std::vector<heif_item_id> numbers_;
};

int bits_of(const heif_image_handle* picture) {
    const int bits = heif_image_handle_get_luma_bits_per_pixel(picture);
    if (bits < 1 || bits > 16) throw Error("the HEIF is damaged: it does not say how many bits its samples have");
    return bits;
}

PictureShape shape_of(ByteSpan file, const Pictures& pictures, int part) {
    const Handle handle = pictures.handle(part);
    const heif_image_handle* const picture = handle.get();
    const bool has_alpha = heif_image_handle_has_alpha_channel(picture) != 0;
    const Alpha alpha = !has_alpha                                               ? Alpha::none
                        : heif_image_handle_is_premultiplied_alpha(picture) != 0 ? Alpha::premultiplied
                                                                                 : Alpha::straight;
    const int colours = is_grey_in_heif(file, pictures.number(part)) ? 1 : 3;
    return {heif_image_handle_get_width(picture), heif_image_handle_get_height(picture), colours + (has_alpha ? 1 : 0),
            bits_of(picture) > 8 ? SampleType::u16 : SampleType::u8, alpha};
}

struct Chosen {
    PictureFacts facts;
    PictureShape stored;
    ChosenChannels channels;
};

Chosen chosen_from(ByteSpan file, const Pictures& pictures, const PictureChoice& choice) {
    Chosen chosen;
    for (int part = 0; part < std::min(pictures.count(), most_listed_parts); ++part) {
        const PictureShape shape = shape_of(file, pictures, part);
        chosen.facts.parts.push_back({"", shape.width, shape.height, usual_channel_names(shape.channels, shape.alpha)});
    }
    chosen.facts.part = chosen_part(choice, chosen.facts.parts, pictures.count());
    chosen.facts.upright = choice.upright;
    chosen.stored = shape_of(file, pictures, chosen.facts.part);
    const PictureShape& shape = chosen.stored;
    check_plausible(file.size(), uint64_t(std::max(shape.width, 0)), uint64_t(std::max(shape.height, 0)),
                    uint64_t(shape.channels), shape.type);
    chosen.channels = chosen_channels(choice, usual_channel_names(shape.channels, shape.alpha),
                                      shape.alpha == Alpha::none ? -1 : shape.channels - 1);
    chosen.facts.channels = chosen.channels.which;
    return chosen;
}

// libheif converts all colours to R, G and B, with errors if their range is limited. If a picture states how its
// colours are coded, a copy of the file tells libheif that they already are G, B and R, so that it leaves them alone.
Bytes told_otherwise(ByteSpan file, const HeifCoding& coding) {
    Bytes copy(file.begin(), file.end());
    copy[coding.matrix_at] = copy[coding.matrix_at + 1] = std::byte(heif_matrix_coefficients_RGB_GBR);
    copy[coding.matrix_at + 2] |= std::byte(0x80);  // the full range
    return copy;
}

using Colour =
    std::unique_ptr<heif_color_profile_nclx, Releases<heif_color_profile_nclx, heif_nclx_color_profile_free>>;

Colour colour_of(const HeifCoding& coding) {
    Colour colour(heif_nclx_color_profile_alloc());
    if (!colour) throw OutOfMemory("not enough memory to read it");
    heif_nclx_color_profile_set_color_primaries(colour.get(), coding.primaries);
    colour->matrix_coefficients = heif_matrix_coefficients(coding.matrix);
    colour->full_range_flag = coding.full_range;
    return colour;
}

// The decoded picture, cropped and turned, in the file's own depth.
Decoded decoded(const heif_image_handle* picture) {
    const Options options(heif_decoding_options_alloc());
    if (!options) throw OutOfMemory("not enough memory to read it");
    options->convert_hdr_to_8bit = 0;
    heif_image* image = nullptr;
    check(heif_decode_image(picture, &image, heif_colorspace_undefined, heif_chroma_undefined, options.get()));
    return Decoded(image);
}

template <class T> void store(const std::vector<double>& values, std::vector<std::byte>& row) {
    constexpr double largest = double(T(~T(0)));
    auto* const to = reinterpret_cast<T*>(row.data());
    for (size_t i = 0; i < values.size(); ++i) to[i] = T(std::clamp(values[i], 0.0, 1.0) * largest + 0.5);
}

// Registers the decoders, which may open files.
void prepare_heif() { heif_init(nullptr); }

int bits_of_heif(ByteSpan file, int part) {
    const Pictures pictures(file);
    return bits_of(pictures.handle(part).get());
}

void decode_heif(const PictureChoice& choice, ByteSpan file, DecodingTarget& target) {
    const Pictures pictures(file);
    const auto [facts, stored, channels] = chosen_from(file, pictures, choice);
    const auto& [width, height, stored_channels, type, alpha] = stored;
    Image* const into = target.begin(turned_shape(width, height, channels, type, alpha, facts), facts);
    if (!into) return;
    Image& image = *into;

    const auto coding = coding_in_heif(file, pictures.number(facts.part));
    const Bytes copy = coding ? told_otherwise(file, *coding) : Bytes();
    const Colour coded = coding ? colour_of(*coding) : nullptr;
    const Decoded picture = decoded((coding ? Pictures(copy) : Pictures(file)).handle(facts.part).get());
    const int colours = stored_channels - (alpha == Alpha::none ? 0 : 1);
    HeifColours colour(picture.get(), width, height, colours == 1, coded.get());
    std::optional<HeifPlane> alpha_plane;
    if (alpha != Alpha::none) alpha_plane.emplace(picture.get(), heif_channel_Alpha, width, height);
    std::vector<double> values(size_t(width) * size_t(stored_channels));
    std::vector<uint16_t> numbers(alpha_plane ? size_t(width) : 0);
    std::vector<std::byte> row(values.size() * size_t(bytes_per_sample(type)));
    for (int y = 0; y < height; ++y) {
        colour.read_row(y, stored_channels, values.data());
        if (alpha_plane) {
            alpha_plane->read_row(y, numbers);
            const double largest = std::exp2(alpha_plane->bits()) - 1;
            for (size_t x = 0; x < numbers.size(); ++x)
                values[(x + 1) * size_t(stored_channels) - 1] = numbers[x] / largest;
        }
        if (type == SampleType::u8) store<uint8_t>(values, row);
        else store<uint16_t>(values, row);
        place_rows({row.data(), width, y, 1, stored_channels, channels.which}, 1, image);
        target.rows_done(y + 1);
    }
}

}  // namespace
}  // namespace texelscope

// The functions of the module; null if the program is of another version.
extern "C" __attribute__((visibility("default"))) const texelscope::HeifModule* texelscope_heif(const char* version) {
    using namespace texelscope;
    if (std::string_view(version) != TEXELSCOPE_VERSION) return nullptr;
    prepare_heif();
    static constexpr HeifModule module{decode_heif, bits_of_heif};
    return &module;
}
