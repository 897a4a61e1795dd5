// HEIF and AVIF through libheif; app/files/codecs/heif.h describes these functions.

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <libheif/heif.h>

#include "app/files/bytes/chosen_parts.h"
#include "app/files/bytes/file_io.h"
#include "app/files/bytes/raster.h"
#include "app/files/bytes/rows.h"
#include "app/files/codecs/heif.h"
#include "app/files/codecs/heif/heif_colours.h"
#include "app/files/decoding/decoder.h"
#include "app/files/decoding/printable.h"

namespace texelscope {
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
