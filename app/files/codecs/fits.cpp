// FITS, the format of astronomy: the images of a file and of its extensions, each slice of a cube a part.
// FITS Standard 4.0, https://fits.gsfc.nasa.gov/fits_standard.html

#include "app/files/codecs/fits.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/files/bytes/parts.h"
#include "app/files/bytes/rows.h"
#include "app/files/codecs/codecs.h"

namespace texelscope {
namespace {

constexpr size_t card_bytes = 80;

std::string_view without_blanks(std::string_view text) {
    const size_t begin = std::min(text.find_first_not_of(' '), text.size());
    return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

// The value of a card; two quotes in a text stand for one.
std::string value_of(std::string_view card) {
    std::string_view text = without_blanks(card.substr(10));
    if (!text.starts_with('\'')) return std::string(without_blanks(text.substr(0, text.find('/'))));
    std::string value;
    for (size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '\'' && (i + 1 == text.size() || text[++i] != '\'')) break;
        value += text[i];
    }
    value.resize(value.find_last_not_of(' ') + 1);
    return value;
}

template <class T> std::optional<T> number(std::string_view name, std::string_view word) {
    if (word.empty()) return {};
    const std::string_view digits = word.substr(word.starts_with('+') ? 1 : 0);
    T value{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size())
        throw Error(fmt::format("the FITS is damaged: {} is '{}'", name, word.substr(0, 20)));
    return value;
}

}  // namespace

FitsCards::FitsCards(ByteSpan file, uint64_t& at) {
    const std::string_view text = text_of(file);
    bool ended = false;
    for (uint64_t card = at; !ended; card += card_bytes) {
        if (card > text.size() || text.size() - card < card_bytes) throw_truncated(text.size(), "FITS");
        const std::string_view line = text.substr(size_t(card), card_bytes);
        const std::string_view name = without_blanks(line.substr(0, 8));
        ended = name == "END";
        if (line.substr(8, 2) == "= ") values_.emplace(name, value_of(line));
        if (ended) at += (card - at) / fits_block * fits_block + fits_block;
    }
}

std::string FitsCards::text(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? "" : found->second;
}

std::optional<int64_t> FitsCards::integer(std::string_view name) const { return number<int64_t>(name, text(name)); }

std::optional<double> FitsCards::real(std::string_view name) const {
    std::string word = text(name);
    std::replace(word.begin(), word.end(), 'D', 'E');
    return number<double>(name, word);
}

uint64_t FitsCards::count(const std::string& name) const {
    const auto value = integer(name);
    if (!value || *value < 0 || *value > int64_t(farthest_in_fits))
        throw Error(fmt::format("the FITS is damaged: {} is {}", name, value ? text(name) : "missing"));
    return uint64_t(*value);
}

namespace {

// The images that a FITS file holds, as its headers describe them. FITS Standard 4.0, sections 3, 4.4 and 7.1.

// An array of pictures of one shape, one after the other, each from its lowest row.
struct FitsImage {
    std::string name;  // EXTNAME
    int bits = 0;      // BITPIX: 8, 16, 32, 64; −32 and −64 for floats
    uint64_t width = 0, height = 0;
    uint64_t pictures = 1;  // the product of all axes beyond the second
    double scale = 1, zero = 0;
    std::optional<int64_t> blank = {};            // the integer that stands for no value
    uint64_t at = 0;                              // offset of its first sample in the file
    std::shared_ptr<const FitsTiles> tiles = {};  // a packed image's tiles, used instead of `at`

    uint64_t sample_bytes() const { return uint64_t(bits < 0 ? -bits : bits) / 8; }
    uint64_t row_bytes() const { return width * sample_bytes(); }
    uint64_t picture_bytes() const { return height * row_bytes(); }
};

constexpr uint64_t most_axes = 999;

// `name`: NAXIS, or ZNAXIS of a packed image.
std::vector<uint64_t> axes_of(const FitsCards& header, const std::string& name) {
    const uint64_t count = header.count(name);
    if (count > most_axes) throw Error(fmt::format("the FITS is damaged: it has {} axes", count));
    std::vector<uint64_t> axes;
    for (uint64_t i = 1; i <= count; ++i) axes.push_back(header.count(fmt::format("{}{}", name, i)));
    return axes;
}

// The product, capped far beyond the size of any file.
uint64_t product(uint64_t a, uint64_t b) { return b != 0 && a > farthest_in_fits / b ? farthest_in_fits : a * b; }

uint64_t data_bytes(const FitsCards& header, const std::vector<uint64_t>& axes, int bits) {
    if (axes.empty()) return 0;
    const bool groups = axes[0] == 0 && header.text("GROUPS") == "T";
    uint64_t values = 1;
    for (size_t i = groups ? 1 : 0; i < axes.size(); ++i) values = product(values, axes[i]);
    values = std::min(values + (header.count("PCOUNT", 0)), farthest_in_fits);
    values = product(values, header.count("GCOUNT", 1));
    const uint64_t bytes = product(values, uint64_t(std::abs(bits)) / 8);
    return (bytes + fits_block - 1) / fits_block * fits_block;
}

int bits_of(const FitsCards& header, const std::string& name) {
    const int64_t bits = header.integer(name).value_or(0);
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64 && bits != -32 && bits != -64)
        throw Error(fmt::format("the FITS is damaged: its {} is {}; 8, 16, 32, 64, -32 and -64 are known", name, bits));
    return int(bits);
}

FitsImage image_of(const FitsCards& header, const std::vector<uint64_t>& axes, int bits, uint64_t at) {
    FitsImage image{header.text("EXTNAME"), bits, axes[0], axes.size() > 1 ? axes[1] : 1};
    for (size_t i = 2; i < axes.size(); ++i) image.pictures = product(image.pictures, axes[i]);
    image.scale = header.real("BSCALE").value_or(1);
    image.zero = header.real("BZERO").value_or(0);
    if (!std::isfinite(image.scale) || !std::isfinite(image.zero) || image.scale == 0)
        throw Error("the FITS is damaged: its BSCALE and BZERO make numbers of nothing");
    if (bits > 0) image.blank = header.integer("BLANK");
    image.at = at;
    return image;
}

bool holds_some(const std::vector<uint64_t>& axes) {
    return !axes.empty() && std::find(axes.begin(), axes.end(), uint64_t(0)) == axes.end();
}

// Adds the image of the unit at `at`, which is moved to the next one. Returns whether the unit is a table, no image.
bool take_unit(ByteSpan file, uint64_t& at, std::vector<FitsImage>& images) {
    const bool first = at == 0;
    const FitsCards header(file, at);
    const int bits = bits_of(header, "BITPIX");
    const std::vector<uint64_t> axes = axes_of(header, "NAXIS");
    const std::string kind = header.text("XTENSION");
    const bool packed = kind == "BINTABLE" && header.text("ZIMAGE") == "T";
    if ((first || kind == "IMAGE") && holds_some(axes)) images.push_back(image_of(header, axes, bits, at));
    if (packed)
        if (const auto its = axes_of(header, "ZNAXIS"); holds_some(its)) {
            FitsImage image = image_of(header, its, bits_of(header, "ZBITPIX"), at);
            image.tiles = std::make_shared<const FitsTiles>(FitsTiles::of(header, at));
            images.push_back(std::move(image));
        }
    at += data_bytes(header, axes, bits);
    return !packed && (kind == "TABLE" || kind == "BINTABLE");
}

// The images in the order of the file, at least one. Throws Error if there are none, or if a header before the first
// one makes no sense.
std::vector<FitsImage> fits_images(ByteSpan file) {
    std::vector<FitsImage> images;
    bool tables = false;
    for (uint64_t at = 0; at < file.size();) {
        // Bytes after the last unit mean nothing, and a damaged unit does not spoil the images before it.
        if (at > 0 && !text_of(file).substr(size_t(at)).starts_with("XTENSION=")) break;
        try {
            tables = take_unit(file, at, images) || tables;
        } catch (const Error&) {
            if (images.empty()) throw;
            break;
        }
    }
    if (images.empty()) throw Error(tables ? "the FITS holds tables, no image" : "the FITS holds no image");
    return images;
}

constexpr int rows_at_once = 64;

// Reads a big-endian number, as FITS stores them.
template <class T> T stored_at(const std::byte* from) {
    using Bits = std::conditional_t<
        sizeof(T) == 1, uint8_t,
        std::conditional_t<sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>;
    Bits bits = 0;
    for (size_t i = 0; i < sizeof(T); ++i) bits = Bits(uint64_t(bits) << 8 | std::to_integer<uint64_t>(from[i]));
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// Calls visit.template operator()<T>() with the stored type.
template <class Visit> auto visit_stored(int bits, Visit visit) {
    switch (bits) {
        case 8: return visit.template operator()<uint8_t>();
        case 16: return visit.template operator()<int16_t>();
        case 32: return visit.template operator()<int32_t>();
        case 64: return visit.template operator()<int64_t>();
        case -32: return visit.template operator()<float>();
        default: return visit.template operator()<double>();
    }
}

// The integer type: by section 5.2.5 of the standard, an offset of half the range changes the sign. Unset: no integers.
std::optional<SampleType> integer_type(const FitsImage& image) {
    if (image.bits < 0 || image.scale != 1) return {};
    const bool plain = image.zero == 0;
    const bool turned = image.zero == (image.bits == 8 ? -128 : std::ldexp(1., image.bits - 1));
    if (!plain && !turned) return {};
    switch (image.bits) {
        case 8: return plain ? SampleType::u8 : SampleType::i8;
        case 16: return plain ? SampleType::i16 : SampleType::u16;
        case 32: return plain ? SampleType::i32 : SampleType::u32;
        default: return plain ? SampleType::i64 : SampleType::u64;
    }
}

// The float type that keeps the steps of the values apart.
SampleType float_type(const FitsImage& image) {
    const double steps = std::ldexp(1., std::min(image.bits, 32)), offset = std::abs(image.zero / image.scale);
    if (image.bits < 0) return image.bits == -32 && image.zero == 0 ? SampleType::f32 : SampleType::f64;
    return steps + offset <= 1 << 24 ? SampleType::f32 : SampleType::f64;
}

bool has_blanks(const FitsImage& image, ByteSpan samples) {
    if (!image.blank) return false;
    return visit_stored(image.bits, [&]<class T>() {
        for (size_t i = 0; i + sizeof(T) <= samples.size(); i += sizeof(T))
            if (std::is_integral_v<T> && int64_t(stored_at<T>(samples.data() + i)) == *image.blank) return true;
        return false;
    });
}

void to_integers(int bits, bool turned, const std::byte* from, size_t count, std::byte* to) {
    visit_stored(bits, [&]<class T>() {
        for (size_t i = 0; i < count; ++i) {
            T value = stored_at<T>(from + i * sizeof(T));
            std::memcpy(to + i * sizeof(T), &value, sizeof value);
            if (turned) to[(i + 1) * sizeof(T) - 1] ^= std::byte(0x80);  // the highest bit, here in the last byte
        }
    });
}

template <class To> void to_floats(const FitsImage& image, const std::byte* from, size_t count, std::byte* to) {
    visit_stored(image.bits, [&]<class T>() {
        for (size_t i = 0; i < count; ++i) {
            const T stored = stored_at<T>(from + i * sizeof(T));
            const bool blank = std::is_integral_v<T> && image.blank && int64_t(stored) == *image.blank;
            const To value = blank                                 ? std::numeric_limits<To>::quiet_NaN()
                             : image.scale == 1 && image.zero == 0 ? To(stored)
                                                                   : To(image.zero + image.scale * double(stored));
            std::memcpy(to + i * sizeof(To), &value, sizeof value);
        }
    });
}

void convert(const FitsImage& image, SampleType type, const std::byte* from, std::byte* to) {
    const size_t count = size_t(image.width);
    if (type == SampleType::f32) return to_floats<float>(image, from, count, to);
    if (type == SampleType::f64) return to_floats<double>(image, from, count, to);
    to_integers(image.bits, image.zero != 0, from, count, to);
}

int side(uint64_t pixels) { return int(std::min<uint64_t>(pixels, std::numeric_limits<int>::max())); }

// A slice of a cube is named after its image, with its number.
std::vector<PictureFacts::Part> parts_of(const std::vector<FitsImage>& images) {
    std::vector<PictureFacts::Part> parts;
    for (const FitsImage& image : images)
        for (uint64_t i = 0; i < image.pictures && parts.size() < size_t(most_listed_parts); ++i) {
            const bool numbered = image.pictures > 1 && !image.name.empty();
            parts.push_back({numbered ? fmt::format("{} {}", image.name, i + 1) : image.name, side(image.width),
                             side(image.height), usual_channel_names(1, Alpha::none)});
        }
    return parts;
}

int count_of(const std::vector<FitsImage>& images) {
    constexpr uint64_t most = std::numeric_limits<int>::max();
    uint64_t count = 0;
    for (const FitsImage& image : images) count = std::min(count + image.pictures, most);
    return int(count);
}

struct FoundPicture {
    const FitsImage& image;
    uint64_t slice = 0;
};

FoundPicture picture_of(const std::vector<FitsImage>& images, int part) {
    auto rest = uint64_t(part);
    for (const FitsImage& image : images) {
        if (rest < image.pictures) return {image, rest};
        rest -= image.pictures;
    }
    throw Error("the FITS has fewer images than it says");
}

// The stored samples of a slice, as many as the file holds.
ByteSpan stored_samples(const FitsImage& image, uint64_t slice, ByteSpan file) {
    if (image.at > file.size()) return {};  // cut within the block of the header's last card
    const uint64_t bytes = image.picture_bytes(), after = file.size() - image.at;
    if (slice > after / bytes) return {};
    const uint64_t offset = slice * bytes;
    return file.subspan(size_t(image.at + offset), size_t(std::min(after - offset, bytes)));
}

// Delivers one channel, the file's first row lowest. BZERO + BSCALE · stored: integers stay integers, unsigned ones too
// (u8 and u16 as brightness from 0 to 1); all others become f32 or, if that would merge steps, f64; BLANK becomes NaN.
// A file that ends early gives its complete rows. Throws Error or OutOfMemory.
void decode(const EncodedFile& file, ByteSpan bytes, DecodingTarget& target) {
    const std::vector<FitsImage> images = fits_images(bytes);
    PictureFacts facts;
    facts.parts = parts_of(images);
    facts.part = chosen_part(file.choice, facts.parts, count_of(images));
    facts.upright = file.choice.upright;
    const ChosenChannels channels = chosen_channels(file.choice, usual_channel_names(1, Alpha::none), -1);
    facts.channels = channels.which;

    const FoundPicture found = picture_of(images, facts.part);
    const FitsImage& image = found.image;
    check_plausible(bytes.size(), image.width, image.height, 1, SampleType::f32);
    const std::vector<std::byte> unpacked =
        image.tiles ? unpacked_fits(*image.tiles, found.slice, bytes) : std::vector<std::byte>();
    const ByteSpan samples = image.tiles ? ByteSpan(unpacked) : stored_samples(image, found.slice, bytes);
    const auto integers = has_blanks(image, samples) ? std::nullopt : integer_type(image);
    const SampleType type = integers.value_or(float_type(image));
    check_plausible(bytes.size(), image.width, image.height, 1, type);
    if (samples.size() < image.row_bytes()) throw_truncated(bytes.size(), "FITS");
    const int width = int(image.width), height = int(image.height);
    const int missing = height - int(samples.size() / image.row_bytes());  // the file's last rows, the upper ones
    facts.missing = {0, 0, missing > 0 ? width : 0, missing};
    Image* const into = target.begin(turned_shape(width, height, channels, type, Alpha::none, facts), facts);
    if (!into) return;
    Image& picture = *into;
    picture.set_missing(facts.missing);
    for (int y = missing; y < height; ++y) {
        convert(image, type, samples.data() + size_t(height - 1 - y) * image.row_bytes(), picture.row(y));
        if ((y + 1) % rows_at_once == 0 || y + 1 == height) target.rows_done(y + 1);
    }
}

}  // namespace

extern const Codec fits_codec;
constinit const Codec fits_codec{
    .name = "FITS",
    .extensions = "fits fit fts fz",
    .samples =
        "integers and floats as stored, or as BSCALE and BZERO say; BLANK as NaN; slices as parts; tiles packed by "
        "Rice's code and gzip",
    .signatures = {{{0, "SIMPLE  ="}}},
    .decode = decode,
    .oiio = "fits",
};

}  // namespace texelscope
