// DICOM: files of PS3.10, elements of PS3.5, pixels of PS3.3 C.7.6.3, the modality's units of C.11.1.

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "app/files/bytes/parts.h"
#include "app/files/bytes/rows.h"
#include "app/files/codecs/modules.h"

using namespace std::string_view_literals;

namespace texelscope {
namespace {

constexpr size_t first_element = 132;  // behind the preamble and "DICM"
constexpr uint32_t undefined_length = 0xffffffff;

enum Tag : uint32_t {
    transfer_syntax = 0x00020010,
    samples_per_pixel = 0x00280002,
    photometric = 0x00280004,
    planar_configuration = 0x00280006,
    number_of_frames = 0x00280008,
    rows = 0x00280010,
    columns = 0x00280011,
    bits_allocated = 0x00280100,
    bits_stored = 0x00280101,
    high_bit = 0x00280102,
    pixel_representation = 0x00280103,
    rescale_intercept = 0x00281052,
    rescale_slope = 0x00281053,
    modality_table = 0x00283000,
    pixel_data = 0x7fe00010,
    item = 0xfffee000,
    item_end = 0xfffee00d,
    sequence_end = 0xfffee0dd,
};

struct Element {
    uint32_t tag = 0, length = 0;
    size_t value = 0;    // where it begins
    bool typed = false;  // the elements within it have types
};

bool has_long_header(std::string_view type) {
    constexpr std::string_view types = "OB OD OF OL OV OW SQ SV UC UN UR UT UV";
    return types.find(type) != types.npos;
}

// `typed`: elements have types ("explicit VR").
Element element_at(ByteSpan file, size_t at, bool typed) {
    constexpr uint32_t items = 0xfffe;
    const auto need = [&](size_t bytes) {
        if (at > file.size() || file.size() - at < bytes) throw_truncated(file.size(), "DICOM");
    };
    need(8);
    Element element{le16(file, at) << 16 | le16(file, at + 2), le32(file, at + 4), at + 8, typed};
    if (!typed || element.tag >> 16 == items) return element;
    const std::string_view type = text_of(file.subspan(at + 4, 2));
    if (!has_long_header(type)) {
        element.length = le16(file, at + 6);
        return element;
    }
    need(12);
    return {element.tag, le32(file, at + 8), at + 12, type != "UN"};
}

// Where the element ends; those of undefined length hold items, and these elements.
size_t end_of(ByteSpan file, const Element& element, int depth = 0) {
    constexpr int most_depth = 32;
    if (element.length != undefined_length) return element.value + element.length;
    if (depth > most_depth) throw Error("the DICOM is damaged: its sequences are nested too deeply");
    const bool in_item = element.tag == item;
    for (size_t at = element.value;;) {
        Element inner = element_at(file, at, element.typed);
        if (inner.tag == (in_item ? item_end : sequence_end)) return inner.value;
        if (in_item == (inner.tag == item)) throw Error("the DICOM is damaged: its sequences make no sense");
        at = end_of(file, inner, depth + 1);
    }
}

std::string_view text_in(ByteSpan file, const Element& element) {
    std::string_view text = text_of(file.subspan(element.value, element.length));
    text = text.substr(0, text.find('\\'));  // the first of several values
    constexpr std::string_view padding = " \0"sv;
    text.remove_prefix(std::min(text.find_first_not_of(padding), text.size()));
    return text.substr(0, text.find_last_not_of(padding) + 1);
}

double number_in(ByteSpan file, const Element& element) {
    std::string_view text = text_in(file, element);
    if (text.starts_with('+')) text.remove_prefix(1);
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number))
        throw Error("the DICOM is damaged: '" + printable(std::string(text), 40) + "' is not a number");
    return number;
}

struct Header {
    std::string syntax, colours;
    uint32_t width = 0, height = 0, samples = 1, allocated = 0, stored = 0, high = 0;
    bool planes = false, is_signed = false, has_table = false, packed = false;
    double frames = 1, slope = 1, intercept = 0;
    size_t at = 0;  // of the samples
    uint64_t bytes = 0;

    bool rescaled() const { return slope != 1 || intercept != 0; }
    bool inverted() const { return colours == "MONOCHROME1"; }
    // Numbers that are no part of a largest one.
    bool numbers() const { return is_signed || rescaled() || stored > 16; }
};

// Takes what is known of an element.
void take(ByteSpan file, const Element& element, Header& header) {
    const auto number = [&] { return element.length < 2 ? 0 : le16(file, element.value); };
    if (element.length == 0) return;
    switch (element.tag) {
        case transfer_syntax: header.syntax = text_in(file, element); break;
        case samples_per_pixel: header.samples = number(); break;
        case photometric: header.colours = text_in(file, element); break;
        case planar_configuration: header.planes = number() != 0; break;
        case number_of_frames: header.frames = number_in(file, element); break;
        case rows: header.height = number(); break;
        case columns: header.width = number(); break;
        case bits_allocated: header.allocated = number(); break;
        case bits_stored: header.stored = number(); break;
        case high_bit: header.high = number(); break;
        case pixel_representation: header.is_signed = number() != 0; break;
        case rescale_intercept: header.intercept = number_in(file, element); break;
        case rescale_slope: header.slope = number_in(file, element); break;
        case modality_table: header.has_table = true; break;
        default: break;
    }
}

void check_readable(std::string_view syntax) {
    if (syntax == "1.2.840.10008.1.2.2" || syntax == "1.2.840.10008.1.2.1.99")
        throw Error("the DICOM has big-endian numbers or is deflated as a whole, which is not read; convert it");
}

// Throws Error, also if there are no samples.
Header header_of(ByteSpan file) {
    constexpr std::string_view untyped = "1.2.840.10008.1.2", typed = "1.2.840.10008.1.2.1";
    Header header;
    for (size_t at = first_element;;) {
        if (at + 4 > file.size()) throw_truncated(file.size(), "DICOM");
        const bool about_file = le16(file, at) == 2;  // always with types
        header.packed = header.syntax != untyped && header.syntax != typed;
        if (!about_file) check_readable(header.syntax);
        const Element element = element_at(file, at, about_file || header.syntax != untyped);
        if (element.tag == pixel_data) {
            header.packed = header.packed || element.length == undefined_length;
            header.at = element.value;
            header.bytes = std::min<uint64_t>(element.length, file.size() - element.value);
            return header;
        }
        const size_t end = end_of(file, element);
        if (end > file.size()) throw_truncated(file.size(), "DICOM");
        if (element.length != undefined_length) take(file, element, header);
        else header.has_table = header.has_table || element.tag == modality_table;
        at = end;
    }
}

// Samples that are not compressed.
class DicomPicture {
public:
    DicomPicture(const Header& header, ByteSpan samples) : header_(header), samples_(samples) {
        const auto& [slope, intercept] = std::pair(header.slope, header.intercept);
        constexpr double most = std::numeric_limits<int32_t>::max();
        const bool whole = slope == std::floor(slope) && intercept == std::floor(intercept) &&
                           std::abs(slope) * std::exp2(header.stored) + std::abs(intercept) < most;
        const uint32_t bits = header.stored;
        if (header.rescaled()) type_ = whole ? SampleType::i32 : bits > 16 ? SampleType::f64 : SampleType::f32;
        else if (header.is_signed) type_ = bits <= 8 ? SampleType::i8 : bits <= 16 ? SampleType::i16 : SampleType::i32;
        else type_ = bits <= 8 ? SampleType::u8 : bits <= 16 ? SampleType::u16 : SampleType::u32;
    }

    PictureShape shape() const {
        return {int(header_.width), int(header_.height), int(header_.samples), type_, Alpha::none};
    }
    uint64_t plane_row_bytes() const { return uint64_t(header_.width) * header_.allocated / 8; }
    uint64_t frame_bytes() const { return plane_row_bytes() * header_.samples * header_.height; }

    void choose(uint64_t frame) { frame_ = std::min<uint64_t>(frame * frame_bytes(), samples_.size()); }

    // How many rows of the chosen frame the file has. Throws "truncated" if it has hardly any.
    int rows_there() const {
        const uint64_t left = samples_.size() - frame_, row = plane_row_bytes(), height = header_.height;
        if (!header_.planes) return int(rows_present(left, row * header_.samples, header_.width, height));
        const uint64_t all = left / row, before = height * (header_.samples - 1);
        const int there = int(std::min(all > before ? all - before : 0, height));
        check_enough_rows(there, int(height), samples_.size(), "DICOM");
        return there;
    }

    void row(int y, std::byte* to) const {
        const uint64_t samples = header_.samples;
        for (uint64_t x = 0; x < header_.width; ++x)
            for (uint64_t c = 0; c < samples; ++c) {
                const uint64_t row = uint64_t(y) + (header_.planes ? c * header_.height : 0);
                const uint64_t in_row = header_.planes ? x : x * samples + c;
                write(stored_at(frame_ + row * plane_row_bytes() * (header_.planes ? 1 : samples) +
                                in_row * (header_.allocated / 8)),
                      to + (x * samples + c) * size_t(bytes_per_sample(type_)));
            }
    }

private:
    uint32_t most() const { return uint32_t((uint64_t(1) << header_.stored) - 1); }

    // Without the bits beside it, which are not the picture's.
    uint32_t stored_at(size_t at) const {
        const uint32_t all = header_.allocated == 8    ? byte_at(samples_, at)
                             : header_.allocated == 16 ? le16(samples_, at)
                                                       : le32(samples_, at);
        return all >> (header_.high + 1 - header_.stored) & most();
    }

    void write(uint32_t stored, std::byte* to) const {
        const uint32_t sign = header_.is_signed ? uint32_t(1) << (header_.stored - 1) : 0;
        const int64_t number = int64_t(stored ^ sign) - int64_t(sign);
        const uint64_t shown = header_.inverted() ? most() - stored : stored;
        const double rescaled = header_.slope * double(number) + header_.intercept;
        const auto scaled = [&](uint64_t top) { return (shown * top + most() / 2) / most(); };
        switch (type_) {
            case SampleType::u8: return put(uint8_t(scaled(255)), to);
            case SampleType::u16: return put(uint16_t(scaled(65535)), to);
            case SampleType::u32: return put(uint32_t(shown), to);
            case SampleType::i8: return put(int8_t(number), to);
            case SampleType::i16: return put(int16_t(number), to);
            case SampleType::i32: return put(int32_t(header_.rescaled() ? int64_t(rescaled) : number), to);
            case SampleType::f64: return put(rescaled, to);
            default: return put(float(rescaled), to);
        }
    }
    template <class T> static void put(T number, std::byte* to) { std::memcpy(to, &number, sizeof number); }

    const Header& header_;
    ByteSpan samples_;
    uint64_t frame_ = 0;  // where it begins among the samples
    SampleType type_ = SampleType::u8;
};

// DCMTK, which OpenImageIO calls, maps what it reads to the range of the numbers that happen to be there.
void leave_to_library(const Header& header, const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    if (header.stored > 8 || header.inverted() || header.numbers())
        throw Error(
            "a compressed DICOM is read exactly only with 8 bits and 0 as black; unpack it, for example with gdcmconv "
            "--raw");
    decode_others_by_oiio(file, content, target);
}

void decode(const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    const Header header = header_of(content);
    const uint32_t allocated = header.allocated, stored = header.stored;
    if (header.has_table) throw Error("the DICOM has a table for its modality's units, which cannot be read");
    if (stored < 1 || stored > allocated || header.high >= allocated || header.high + 1 < stored || header.frames < 1)
        throw Error("the DICOM is damaged: its bits or frames make no sense");
    const bool grey = header.samples == 1 && header.colours.starts_with("MONOCHROME");
    const bool rgb = header.samples == 3 && header.colours == "RGB" && !header.numbers();
    if (header.packed || !(grey || rgb) || (allocated != 8 && allocated != 16 && allocated != 32))
        return leave_to_library(header, file, content, target);

    DicomPicture picture(header, content.subspan(header.at, size_t(header.bytes)));
    const PictureShape shape = picture.shape();
    check_dimensions(header.width, header.height, header.samples, shape.type);
    constexpr double most_frames = std::numeric_limits<int>::max();
    const ChosenPicture chosen = chosen_picture(file.choice, shape, int(std::min(header.frames, most_frames)), 1);
    picture.choose(uint64_t(chosen.facts.part));
    const int there = picture.rows_there();
    deliver_rows(
        chosen, shape, target, [&](int y, std::byte* to) { picture.row(y, to); },
        missing_rows(there, int(header.height), false));
}

}  // namespace

extern const Codec dicom_codec;
constinit const Codec dicom_codec = helped_by_oiio({
    .name = "DICOM",
    .extensions = "dcm",
    .samples =
        "1 to 16 bits as 8 or 16, so that the largest value is 1, inverted in MONOCHROME1; longer, signed and rescaled "
        "ones as numbers; frames as parts; compressed ones of 8 bits and palettes need OpenImageIO",
    .signatures = {{{128, "DICM"sv}}},
    .modules = TEXELSCOPE_WITH_OIIO ? of_dicom_terms : 0,
    .decode = decode,
    .oiio = "dicom",
});

}  // namespace texelscope
