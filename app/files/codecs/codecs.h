#pragma once
// The table of file formats: how each is recognised, which library reads it, what it can hold.

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/bytes/raster.h"
#include "app/files/decoding/companions.h"

namespace texelscope {

enum class FormatId { pnm, pam, pfm, npy, png, jpeg, tiff, bmp, gif, tga, hdr, psd, webp, jxl, slide, other };

// The sample types that a format stores, as bits (see bit_of), and which of them it takes for a float image by default.
inline constexpr unsigned holds_u8 = 1, holds_u16 = 2, holds_f16 = 4, holds_f32 = 8, holds_all = ~0u;

struct Format {
    FormatId id;
    std::string_view name;
    std::string_view extensions;  // lower case, separated by one space; the first is the usual one
    std::string_view oiio;        // OpenImageIO's name of it, or empty: it is not asked
    bool stb_reads, stb_writes;
    unsigned types;             // that we write; 0: read only
    std::string_view channels;  // that we write, e.g. "134"
    Alpha alpha;                // how its files store alpha; none: it has no alpha
};

const std::vector<Format>& formats();

// As many first bytes as `recognise` wants; the <svg of a drawing may come after remarks.
inline constexpr size_t signature_bytes = 1024;

// By the first bytes, else by the extension if that format has no signature; nullptr if neither is known.
const Format* recognise(ByteSpan head, const std::filesystem::path& path);
// By the signature alone.
const Format* format_of_signature(ByteSpan head);
// Only by the extension; nullptr if no format has it.
const Format* format_of_extension(const std::filesystem::path& path);

// The library that reads it in this build, and whether it can be read and written at all.
bool is_own(const Format& format);
bool known_to_oiio(const Format& format);    // it may say something of such a file, whoever reads it
bool written_by_oiio(const Format& format);  // if it is written at all
bool by_oiio(const Format& format);
bool by_libwebp(const Format& format);
bool by_libjxl(const Format& format);
bool by_openslide(const Format& format);
bool by_openjpeg(const Format& format);  // by regions, and as a whole if OpenImageIO does not
// The files that belong to one of this name.
Beside files_beside(const std::filesystem::path& path);
// Of the file there; null if there is none, or it has no such files.
std::shared_ptr<const Companions> companions_of(const std::filesystem::path& path);
// The module with that library, if it is one, as in EncodedFile::modules.
inline constexpr uint32_t of_oiio = 1, of_libjxl = 2, of_openslide = 4, of_openjpeg = 8;
uint32_t modules_for(const Format& format);
bool readable(const Format& format);
// What to do about one that this build cannot read.
std::string words_of_unreadable(const Format& format);
bool writable(const Format& format);
// 0: this build cannot write it.
unsigned writable_types(const Format& format);

unsigned bit_of(SampleType type);

// Why a file of this format, as this build writes it, has no room for a picture: "JPEG files have at most 65500 pixels per
// side"; empty if it has. `bytes`: of all samples as the file has them.
std::string why_no_room(const Format& format, int64_t width, int64_t height, uint64_t bytes);

// "png", "jpg", … of every format that `wanted` accepts.
std::vector<std::string> extensions_where(bool (*wanted)(const Format&));

}  // namespace texelscope
