#include "app/files/codecs/tiff/tiff_page.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "app/files/bytes/parts.h"
#include "app/files/decoding/picture_in_file.h"

namespace texelscope {
namespace {

constexpr uint16_t cfa = 32803, linear_raw = 34892;  // colours of DNG

template <class T> T tag_or(TIFF* tiff, uint32_t tag, T otherwise) {
    T value{};
    return TIFFGetField(tiff, tag, &value) ? value : otherwise;
}
template <class T> T tag_of(TIFF* tiff, uint32_t tag) {
    T value{};
    TIFFGetFieldDefaulted(tiff, tag, &value);
    return value;
}

std::string text_of_tag(TIFF* tiff, uint32_t tag) {
    const char* text = nullptr;
    return TIFFGetField(tiff, tag, &text) && text ? printable(text, 1000) : std::string();
}

bool is_fax(uint16_t compression) {
    return compression >= COMPRESSION_CCITTRLE && compression <= COMPRESSION_CCITTFAX4;
}

// The usual meaning if the tag is missing, which has no default: faxes are black on white.
uint16_t photometric_of(TIFF* tiff, uint16_t compression, int samples) {
    const uint16_t usual = is_fax(compression) ? PHOTOMETRIC_MINISWHITE
                           : samples >= 3      ? PHOTOMETRIC_RGB
                                               : PHOTOMETRIC_MINISBLACK;
    return tag_or<uint16_t>(tiff, TIFFTAG_PHOTOMETRIC, usual);
}

bool is_jpeg(const TiffPage& page) { return page.compression == COMPRESSION_JPEG; }

void read_layout(TIFF* tiff, TiffPage& page) {
    const auto width = tag_of<uint32_t>(tiff, TIFFTAG_IMAGEWIDTH), height = tag_of<uint32_t>(tiff, TIFFTAG_IMAGELENGTH);
    check_sides(width, height, 1);
    page.width = int(width);
    page.height = int(height);
    if (tag_or<uint32_t>(tiff, TIFFTAG_IMAGEDEPTH, 1) > 1)
        throw Error("the TIFF holds a volume, not a picture; store one slice");
    const auto orientation = tag_of<uint16_t>(tiff, TIFFTAG_ORIENTATION);
    page.orientation = orientation >= 1 && orientation <= 8 ? orientation : 1;
    page.tiled = TIFFIsTiled(tiff) != 0;
    page.separate = tag_of<uint16_t>(tiff, TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE;
    page.piece_width = page.tiled ? tag_or<uint32_t>(tiff, TIFFTAG_TILEWIDTH, 0) : width;
    page.piece_height = page.tiled ? tag_or<uint32_t>(tiff, TIFFTAG_TILELENGTH, 0)
                                   : std::min(tag_of<uint32_t>(tiff, TIFFTAG_ROWSPERSTRIP), height);
    constexpr auto longest = uint32_t(max_image_side);
    if (page.piece_width < 1 || page.piece_height < 1 || page.piece_width > longest || page.piece_height > longest)
        throw Error("the TIFF is damaged: the size of its strips or tiles makes no sense");
}

void read_numbers(TIFF* tiff, TiffPage& page) {
    page.bits = tag_of<uint16_t>(tiff, TIFFTAG_BITSPERSAMPLE);
    page.samples = tag_of<uint16_t>(tiff, TIFFTAG_SAMPLESPERPIXEL);
    switch (tag_of<uint16_t>(tiff, TIFFTAG_SAMPLEFORMAT)) {
        case SAMPLEFORMAT_INT: page.numbers = TiffNumbers::signed_whole; break;
        case SAMPLEFORMAT_IEEEFP: page.numbers = TiffNumbers::floating; break;
        case SAMPLEFORMAT_COMPLEXINT:
            page.numbers = TiffNumbers::signed_whole;
            page.complex = true;
            break;
        case SAMPLEFORMAT_COMPLEXIEEEFP:
            page.numbers = TiffNumbers::floating;
            page.complex = true;
            break;
        default: break;
    }
    if (page.samples < 1) throw Error("the TIFF is damaged: its pixels have no samples");
    if (page.samples == 1) page.separate = false;
    if (!page.complex) return;
    if (page.separate) throw Error("the TIFF has complex numbers in planes, which are not read; store them together");
    page.bits /= 2;
    page.samples *= 2;
}

SampleType type_of_numbers(const TiffPage& page) {
    using enum SampleType;
    const int bits = page.bits;
    switch (page.numbers) {
        case TiffNumbers::floating:
            if (bits == 16) return f16;
            if (bits == 24 || bits == 32) return f32;
            if (bits == 64) return f64;
            throw Error(fmt::format("the TIFF has floats of {} bits; those of 16, 24, 32 and 64 are read", bits));
        case TiffNumbers::signed_whole:
            if (bits >= 1 && bits <= 64) return bits <= 8 ? i8 : bits <= 16 ? i16 : bits <= 32 ? i32 : i64;
            break;
        case TiffNumbers::whole:
            // To the maximum of 8 bits, 1, 2, 4 and 8 bits are scaled exactly.
            if (bits == 1 || bits == 2 || bits == 4 || bits == 8) return u8;
            if (bits >= 1 && bits <= 64) return bits <= 16 ? u16 : bits <= 32 ? u32 : u64;
            break;
    }
    throw Error(fmt::format("the TIFF has samples of {} bits; those of 1 to 64 are read", bits));
}

[[noreturn]] void throw_unknown(const TiffPage& page, const char* colours, const char* known) {
    throw Error(fmt::format("the TIFF has {} in {} samples of {} bits{}; {}", colours, page.samples, page.bits,
                            page.numbers == TiffNumbers::whole ? "" : ", signed or floating", known));
}

bool has_whole(const TiffPage& page, int least_samples, std::initializer_list<int> bits) {
    return page.numbers == TiffNumbers::whole && page.samples >= least_samples &&
           std::find(bits.begin(), bits.end(), page.bits) != bits.end();
}

// Reds, greens and blues, each a third. libtiff takes only maps with a colour for every index.
std::vector<uint16_t> colour_map(const TiffHandle& handle, int bits) {
    const uint16_t *red = nullptr, *green = nullptr, *blue = nullptr;
    std::vector<uint16_t> map;
    if (TIFFGetField(handle.tiff(), TIFFTAG_COLORMAP, &red, &green, &blue)) {
        for (const uint16_t* colour : {red, green, blue}) map.insert(map.end(), colour, colour + (size_t(1) << bits));
    } else {
        const std::vector<uint32_t> stored = handle.stored_numbers(TIFFTAG_COLORMAP);
        map.assign(stored.begin(), stored.end() - ptrdiff_t(stored.size() % 3));
    }
    if (map.empty()) throw Error("the TIFF has a palette, but its colour map is missing");
    return map;
}

// Reads a palette as u8 if all entries stand for 8 bits, in their lower or in their higher halves.
void read_palette(const TiffHandle& handle, TiffPage& page) {
    if (page.numbers != TiffNumbers::whole || page.bits > 16)
        throw_unknown(page, "a palette", "1 to 16 unsigned bits are read");
    page.map = colour_map(handle, page.bits);
    const auto all = [&](auto is) { return std::ranges::all_of(page.map, is); };
    page.type = SampleType::u8;
    if (all([](uint16_t v) { return v < 256; })) return;
    if (all([](uint16_t v) { return v % 257 == 0; }) || all([](uint16_t v) { return v % 256 == 0; })) {
        for (uint16_t& value : page.map) value = uint16_t(value >> 8);
        return;
    }
    page.type = SampleType::u16;
}

void read_ycbcr(TIFF* tiff, TiffPage& page) {
    if (is_jpeg(page)) return;  // made RGB by libjpeg
    if (!has_whole(page, 3, {8})) throw_unknown(page, "YCbCr", "three of 8 unsigned bits are read");
    page.colours = TiffColours::ycbcr;
    uint16_t across = 1, down = 1;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_YCBCRSUBSAMPLING, &across, &down);
    page.subsampling = {across, down};
    const auto possible = [](int factor) { return factor == 1 || factor == 2 || factor == 4; };
    if (!possible(across) || !possible(down))
        throw Error("the TIFF is damaged: its YCbCr is subsampled by other factors than 1, 2 and 4");
    if (page.subsampled() && (page.separate || page.samples != 3))
        throw Error("the TIFF has subsampled YCbCr in planes or with more samples, which is not read; store it as RGB");
    const float *luma = nullptr, *reference = nullptr;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_YCBCRCOEFFICIENTS, &luma);
    if (luma) std::copy_n(luma, 3, page.luma.begin());
    if (TIFFGetField(tiff, TIFFTAG_REFERENCEBLACKWHITE, &reference) && reference)
        std::copy_n(reference, 6, page.reference.begin());
    const auto sensible = [](float value) { return std::abs(value) < 1e6f; };
    if (!std::ranges::all_of(page.luma, sensible) || !std::ranges::all_of(page.reference, sensible) ||
        page.luma[1] <= 0)
        throw Error("the TIFF is damaged: its YCbCr coefficients make no sense");
}

void read_inks(TIFF* tiff, TiffPage& page) {
    page.stored_colours = std::min(4, page.samples);
    const bool cmyk = tag_of<uint16_t>(tiff, TIFFTAG_INKSET) == INKSET_CMYK;
    if (cmyk && has_whole(page, 4, {8, 16})) page.colours = TiffColours::inks;
    else if (!cmyk) page.stored_colours = page.samples;
}

void read_lab(TiffPage& page) {
    page.stored_colours = page.samples >= 3 ? 3 : 1;
    const bool floats = page.numbers == TiffNumbers::floating && page.bits == 32;
    if (!floats && !has_whole(page, 1, {8, 16}))
        throw_unknown(page, "CIELab", "unsigned ones of 8 and 16 bits and floats of 32 are read");
    page.colours = TiffColours::lab;
    page.icc_lab = page.photometric == PHOTOMETRIC_ICCLAB;
    page.type = SampleType::u16;
}

void read_log(TiffPage& page) {
    const bool grey = page.photometric == PHOTOMETRIC_LOGL;
    if (page.compression != COMPRESSION_SGILOG && page.compression != COMPRESSION_SGILOG24)
        throw Error("the TIFF has LogLuv without its compression, which is not read; store it as floats");
    page.bits = 32;
    page.numbers = TiffNumbers::floating;
    page.samples = page.stored_colours = grey ? 1 : 3;
    page.type = SampleType::f32;
    if (!grey) page.colours = TiffColours::xyz;
}

// libtiff makes a page grey whose colour map it does not take.
bool is_palette_made_grey(const TiffHandle& handle, const TiffPage& page) {
    return page.photometric == PHOTOMETRIC_MINISBLACK &&
           handle.stored_numbers(TIFFTAG_PHOTOMETRIC) == std::vector<uint32_t>{PHOTOMETRIC_PALETTE};
}

void read_colours(const TiffHandle& handle, TiffPage& page) {
    TIFF* const tiff = handle.tiff();
    page.photometric = photometric_of(tiff, page.compression, page.samples);
    if (is_palette_made_grey(handle, page)) page.photometric = PHOTOMETRIC_PALETTE;
    if (page.photometric != PHOTOMETRIC_LOGL && page.photometric != PHOTOMETRIC_LOGLUV)
        page.type = type_of_numbers(page);
    switch (page.photometric) {
        case PHOTOMETRIC_MINISWHITE: page.inverted = page.numbers != TiffNumbers::signed_whole; break;
        case PHOTOMETRIC_MINISBLACK:
        case PHOTOMETRIC_MASK:
        case cfa: break;
        case PHOTOMETRIC_RGB:
        case linear_raw: page.stored_colours = std::min(3, page.samples); break;
        case PHOTOMETRIC_PALETTE:
            page.colours = TiffColours::palette;
            read_palette(handle, page);
            break;
        case PHOTOMETRIC_YCBCR:
            page.stored_colours = std::min(3, page.samples);
            read_ycbcr(tiff, page);
            break;
        case PHOTOMETRIC_SEPARATED: read_inks(tiff, page); break;
        case PHOTOMETRIC_CIELAB:
        case PHOTOMETRIC_ICCLAB: read_lab(page); break;
        case PHOTOMETRIC_LOGL:
        case PHOTOMETRIC_LOGLUV: read_log(page); break;
        default:
            throw Error(
                fmt::format("the TIFF has colours of kind {} (PhotometricInterpretation), which are not read; "
                            "store it as RGB",
                            page.photometric));
    }
}

// Finds the first extra sample that is alpha; unspecified ones are data, and all beside numbers, none of which is opaque.
void read_alpha(TIFF* tiff, TiffPage& page) {
    if (!is_float(page.type) && !is_normalised(page.type)) return;
    uint16_t count = 0;
    const uint16_t* kinds = nullptr;
    if (page.complex || !TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds)) return;
    for (int i = page.stored_colours; i < page.samples; ++i) {
        const int extra = i - (page.samples - int(count));
        if (extra < 0 || (kinds[extra] != EXTRASAMPLE_ASSOCALPHA && kinds[extra] != EXTRASAMPLE_UNASSALPHA)) continue;
        page.alpha_channel = i;
        page.alpha = kinds[extra] == EXTRASAMPLE_ASSOCALPHA ? Alpha::premultiplied : Alpha::straight;
        return;
    }
}

// Names colours, "A", and numbers for the rest; then finds the alpha's place among the delivered channels.
void name_channels(TiffPage& page) {
    const bool made = page.colours != TiffColours::as_stored;
    const bool grey_lab = page.colours == TiffColours::lab && page.stored_colours == 1;
    std::vector<std::string> names;
    const int extras = page.samples - page.stored_colours;
    if (made || page.photometric == PHOTOMETRIC_RGB || page.photometric == PHOTOMETRIC_YCBCR ||
        page.photometric == linear_raw)
        names = {"R", "G", "B"};
    else if (page.photometric == PHOTOMETRIC_SEPARATED && page.stored_colours == 4 && page.samples >= 4)
        names = {"C", "M", "Y", "K"};
    else if (page.stored_colours == 1 && (extras == 0 || page.alpha_channel >= 0)) names = {"Y"};
    if (grey_lab) names = {"Y"};
    const int colours = made && !grey_lab ? 3 : page.stored_colours;
    names.resize(std::min(names.size(), size_t(colours)));
    const int shift = colours - page.stored_colours;
    if (page.alpha_channel >= 0) page.alpha_channel += shift;
    if (page.complex && page.samples == 2) names = {"real", "imaginary"};
    while (int(names.size()) < colours + extras)
        names.push_back(int(names.size()) == page.alpha_channel ? "A" : std::to_string(names.size() + 1));
    page.channels = std::move(names);
}

PictureFacts::Part part_of(const TiffHandle& handle) {
    PictureFacts::Part part{text_of_tag(handle.tiff(), TIFFTAG_PAGENAME),
                            int(std::min<uint32_t>(tag_of<uint32_t>(handle.tiff(), TIFFTAG_IMAGEWIDTH), INT32_MAX)),
                            int(std::min<uint32_t>(tag_of<uint32_t>(handle.tiff(), TIFFTAG_IMAGELENGTH), INT32_MAX)),
                            {}};
    try {
        part.channels = tiff_page(handle).channels;
    } catch (const Error&) {  // choosing this page reports it
    }
    return part;
}

}  // namespace

void prepare_unpacking(const TiffHandle& handle) {
    TIFF* const tiff = handle.tiff();
    const auto compression = tag_of<uint16_t>(tiff, TIFFTAG_COMPRESSION);
    const auto photometric = tag_or<uint16_t>(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    if (compression == COMPRESSION_JPEG && photometric == PHOTOMETRIC_YCBCR)
        TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    if (compression == COMPRESSION_SGILOG || compression == COMPRESSION_SGILOG24)
        TIFFSetField(tiff, TIFFTAG_SGILOGDATAFMT, SGILOGDATAFMT_FLOAT);
}

TiffPage tiff_page(const TiffHandle& handle) {
    TIFF* const tiff = handle.tiff();
    TiffPage page;
    page.directory = TIFFCurrentDirOffset(tiff);
    page.name = text_of_tag(tiff, TIFFTAG_PAGENAME);
    page.description = text_of_tag(tiff, TIFFTAG_IMAGEDESCRIPTION);
    page.texture = !text_of_tag(tiff, TIFFTAG_PIXAR_TEXTUREFORMAT).empty();
    page.compression = tag_of<uint16_t>(tiff, TIFFTAG_COMPRESSION);
    if (!TIFFIsCODECConfigured(page.compression))
        throw Error(
            fmt::format("the TIFF is compressed by method {}, which libtiff does not read here; store it "
                        "with LZW or Deflate",
                        page.compression));
    read_layout(tiff, page);
    read_numbers(tiff, page);
    read_colours(handle, page);
    read_alpha(tiff, page);
    name_channels(page);
    return page;
}

std::string words_of_samples(const TiffPage& page) {
    const char* numbers = page.numbers == TiffNumbers::floating       ? "floats"
                          : page.numbers == TiffNumbers::signed_whole ? "signed integers"
                                                                      : "unsigned integers";
    const char* colours = page.colours == TiffColours::palette ? ", a palette"
                          : page.colours == TiffColours::inks  ? ", CMYK made sRGB"
                          : page.colours == TiffColours::lab   ? ", CIELab made sRGB"
                          : page.colours == TiffColours::ycbcr || page.photometric == PHOTOMETRIC_YCBCR
                              ? ", YCbCr made RGB"
                          : page.colours == TiffColours::xyz           ? ", LogLuv made linear RGB"
                          : page.photometric == PHOTOMETRIC_LOGL       ? ", LogL made linear"
                          : page.photometric != PHOTOMETRIC_MINISWHITE ? ""
                          : page.inverted                              ? ", 0 is white: inverted"
                                          : ", 0 is white: signed numbers are kept as they are";
    return fmt::format("{}-bit {}{}{}", page.bits, page.complex ? "complex " : "", numbers, colours);
}

namespace {

// A directory that a page refers to: other sizes of it, or what a camera has recorded.
struct SubImage {
    uint64_t directory;
    std::string name;
};

void add_sub_images(const TiffHandle& handle, int page, std::vector<SubImage>& found) {
    uint16_t count = 0;
    const uint64_t* places = nullptr;
    if (!TIFFGetField(handle.tiff(), TIFFTAG_SUBIFD, &count, &places)) return;
    for (int i = 0; i < int(count) && found.size() < size_t(most_listed_parts); ++i)
        found.push_back({places[i], fmt::format("SubIFD {} of page {}", i + 1, page)});
}

// Behind the pages. What is no picture, and what is listed already, is left out.
void list_sub_images(TiffHandle& handle, const std::vector<SubImage>& found, TiffPages& pages) {
    for (const auto& [directory, name] : found) {
        if (pages.count >= most_listed_parts || std::ranges::count(pages.directories, directory) > 0) continue;
        try {
            handle.go_to(directory);
            PictureFacts::Part part = part_of(handle);
            if (part.width < 1 || part.height < 1) continue;
            if (part.name.empty()) part.name = name;
            pages.listed.push_back(std::move(part));
            pages.directories.push_back(directory);
            ++pages.count;
        } catch (const Error&) {
        }
    }
}

}  // namespace

TiffPages tiff_pages(TiffHandle& handle) {
    TiffPages pages;
    std::vector<SubImage> sub_images;
    bool more = true;
    for (pages.count = 0; more && pages.count < most_listed_parts; ++pages.count) {
        pages.listed.push_back(part_of(handle));
        pages.directories.push_back(TIFFCurrentDirOffset(handle.tiff()));
        add_sub_images(handle, pages.count + 1, sub_images);
        const bool texture = pages.count == 0 && !text_of_tag(handle.tiff(), TIFFTAG_PIXAR_TEXTUREFORMAT).empty();
        more = !texture && TIFFReadDirectory(handle.tiff()) != 0;
    }
    if (more) pages.count = std::numeric_limits<int>::max();
    else list_sub_images(handle, sub_images, pages);
    static_cast<void>(handle.complaint());  // drops messages about unreadable pages
    return pages;
}

uint64_t directory_of_page(TiffHandle& handle, const TiffPages& pages, int page) {
    if (size_t(page) < pages.directories.size()) return pages.directories[size_t(page)];
    handle.go_to(pages.directories.back());
    for (int i = int(pages.directories.size()) - 1; i < page; ++i)
        if (!TIFFReadDirectory(handle.tiff())) throw Error(fmt::format("it has no part '{}'", page + 1));
    return TIFFCurrentDirOffset(handle.tiff());
}

}  // namespace texelscope
