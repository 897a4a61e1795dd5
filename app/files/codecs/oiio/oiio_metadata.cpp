#include "app/files/codecs/oiio/oiio_files.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include <OpenImageIO/imageio.h>
#include <OpenImageIO/tiffutils.h>
#include <fmt/format.h>

#include "app/files/bytes/parts.h"
#include "app/files/codecs/heif.h"
#include "app/files/decoding/decoder.h"
#include "app/files/decoding/picture_in_file.h"

namespace texelscope {
namespace {

using namespace std::string_view_literals;

// What the library makes out of EXIF and TIFF tags, and what this program says in its own words.
constexpr std::array said_elsewhere = {"Make"sv,
                                       "Model"sv,
                                       "Orientation"sv,
                                       "DateTime"sv,
                                       "ImageDescription"sv,
                                       "Software"sv,
                                       "Artist"sv,
                                       "Copyright"sv,
                                       "XResolution"sv,
                                       "YResolution"sv,
                                       "ResolutionUnit"sv,
                                       "ExposureTime"sv,
                                       "FNumber"sv,
                                       "DocumentName"sv,
                                       "HostComputer"sv,
                                       "PixelAspectRatio"sv,
                                       "compression"sv,
                                       "planarconfig"sv,
                                       "tiff:Compression"sv,
                                       "tiff:PhotometricInterpretation"sv,
                                       "tiff:PlanarConfiguration"sv,
                                       "tiff:RowsPerStrip"sv,
                                       "tiff:bitspersample"sv};

// About the library's own work, data for machines, and the profile, which is described as one.
bool is_internal(std::string_view name) {
    constexpr std::array begins = {
        "ICCProfile"sv,       "oiio:ColorSpace"sv, "oiio:subimage"sv,      "oiio:UnassociatedAlpha"sv,
        "tiff:subfiletype"sv, "thumbnail"sv,       "oiio:BitsPerSample"sv, "jpeg:subsampling"sv};
    return std::ranges::any_of(begins, [name](std::string_view begin) { return name.starts_with(begin); });
}

std::string group_of(std::string_view name, const Codec& codec) {
    const std::string_view prefix = name.substr(0, std::min(name.find(':'), name.size()));
    if (prefix.size() == name.size()) return std::string(codec.name);
    if (prefix == "Exif" || prefix == "GPS" || prefix == "IPTC") return prefix == "Exif" ? "EXIF" : std::string(prefix);
    constexpr std::array of_xmp = {"xmp"sv, "xmpMM"sv,        "xmpRights"sv, "dc"sv,  "photoshop"sv, "aux"sv,
                                   "crs"sv, "Iptc4xmpCore"sv, "stEvt"sv,     "rdf"sv, "exif"sv,      "exifEX"sv,
                                   "lr"sv};
    return std::ranges::find(of_xmp, prefix) != of_xmp.end() ? "XMP" : std::string(codec.name);
}

// Without the prefix that the group says.
std::string name_in(const std::string& group, const std::string& name) {
    for (const std::string_view prefix : {"Exif:"sv, "GPS:"sv, "IPTC:"sv, "openexr:"sv, "tiff:"sv, "png:"sv, "jpeg:"sv})
        if (name.starts_with(prefix) && group != "XMP") return name.substr(prefix.size());
    return name;
}

MetadataRow row_of(const OIIO::ParamValue& attribute, const Codec& codec) {
    constexpr int most_numbers = 16;
    const std::string name = attribute.name().string(), group = group_of(name, codec);
    const OIIO::TypeDesc type = attribute.type();
    const bool text = type == OIIO::TypeDesc::STRING;
    std::string value = text ? attribute.get_string(0)
                        : type.numelements() * type.aggregate > most_numbers
                            ? fmt::format("{} numbers", type.numelements() * type.aggregate)
                            : OIIO::ImageSpec::metadata_val(attribute, true);
    return {group, name_in(group, name), std::move(value)};
}

std::vector<MetadataRow> rows_of(const OIIO::ImageSpec& spec, const Codec& codec, bool own_exif) {
    constexpr size_t most = 1000;
    std::vector<MetadataRow> rows;
    for (const OIIO::ParamValue& attribute : spec.extra_attribs) {
        const std::string name = attribute.name().string();
        const bool known = std::ranges::find(said_elsewhere, name) != said_elsewhere.end() ||
                           name.starts_with("Exif:") || name.starts_with("GPS:");
        // OpenImageIO 2.4 reads that of a PSD wrongly; a JPEG's is in jpeg_texts.
        const bool resolution = (codec.oiio == "jpeg" || codec.oiio == "psd") && name.find("esolution") != name.npos;
        if (is_internal(name) || resolution || (known && own_exif)) continue;
        rows.push_back(row_of(attribute, codec));
        if (rows.size() == most) break;
    }
    return rows;
}

}  // namespace

std::vector<MetadataRow> oiio_rows(const Codec& codec, const EncodedFile& file, ByteSpan content, int part,
                                   bool own_exif) {
    if (codec.oiio == "heif") {  // our own readers show everything else
        OIIO::ImageSpec described;
        OIIO::decode_xmp(std::string(text_of(xmp_of_heif(content))), described);
        return rows_of(described, codec, own_exif);
    }
    ContentProxy proxy(file.name, content);  // both outlive the reader
    OIIO::Filesystem::IOMemReader memory(const_cast<std::byte*>(content.data()), content.size());
    const bool jpeg = codec.oiio == "jpeg";  // its reader knows no other proxy
    OIIO::Filesystem::IOProxy& source = jpeg ? static_cast<OIIO::Filesystem::IOProxy&>(memory) : proxy;
    OIIO::ImageSpec spec;
    const std::unique_ptr<OIIO::ImageInput> input = opened_by_oiio(codec, file, source, spec);
    if (!input || !input->seek_subimage(part, 0)) return {};
    return rows_of(input->spec(), codec, own_exif);
}

size_t ContentProxy::read(void* to, size_t bytes) {
    const size_t count = pread(to, bytes, m_pos);
    m_pos += int64_t(count);
    return count;
}

size_t ContentProxy::pread(void* to, size_t bytes, int64_t offset) {
    if (offset < 0 || uint64_t(offset) >= content_.size()) return 0;
    const size_t count = std::min(bytes, content_.size() - size_t(offset));
    std::memcpy(to, content_.data() + offset, count);
    return count;
}

std::unique_ptr<OIIO::ImageInput> opened_by_oiio(const Codec& codec, const EncodedFile& file,
                                                 OIIO::Filesystem::IOProxy& proxy, OIIO::ImageSpec& spec,
                                                 std::string* problem) {
    std::unique_ptr<OIIO::ImageInput> input = OIIO::ImageInput::create(std::string(codec.oiio));
    if (!input) {
        if (problem) *problem = OIIO::geterror();
        return nullptr;
    }
    const bool from_memory = input->supports("ioproxy") && input->set_ioproxy(&proxy);
    OIIO::ImageSpec hints;
    hints["oiio:UnassociatedAlpha"] = 1;  // straight alpha stays straight: multiplied in 8 bits it would lose levels
    if (input->open(from_memory ? file.name : name_to_open(file), spec, hints)) return input;
    if (problem) *problem = input->geterror();
    return nullptr;
}

namespace {

// The name of a part.
std::string name_of_part(const OIIO::ImageSpec& spec) {
    for (const char* key : {"oiio:subimagename", "PageName"})
        if (const std::string name(spec.get_string_attribute(key)); !name.empty()) return name;
    return {};
}

PictureFacts::Part part_of(const OIIO::ImageSpec& spec) {
    return {name_of_part(spec), spec.width, spec.height, spec.channelnames};
}

// The frames of a WebP cannot be named without decoding all before.
bool lists_parts(const Codec& codec) { return codec.oiio != "webp"; }

}  // namespace

std::string tidy(std::string text, std::initializer_list<std::string> names) {
    for (const std::string& name : names)
        for (const std::string& word :
             {"image file \"" + name + "\"", "file \"" + name + "\"", "\"" + name + "\"", name})
            for (size_t at; !name.empty() && (at = text.find(word)) != text.npos;) text.replace(at, word.size(), "it");
    constexpr size_t most = 800;  // of one line, which may quote the file
    text = printable(text.substr(0, text.find('\n')), most);
    while (!text.empty() && (text.back() == '.' || text.back() == ' ' || text.back() == '\r')) text.pop_back();
    return text.empty() ? "reason unknown" : text;
}

void throw_damaged(const Codec& codec, const std::string& reason, const EncodedFile& file) {
    throw Error(fmt::format("the {} is damaged or of a kind that cannot be read ({})", codec.name,
                            tidy(reason, {file.name, name_to_open(file)})));
}

SampleType sample_type(OIIO::TypeDesc format) {
    switch (format.basetype) {
        case OIIO::TypeDesc::UINT8: return SampleType::u8;
        case OIIO::TypeDesc::UINT16: return SampleType::u16;
        case OIIO::TypeDesc::HALF: return SampleType::f16;
        default: return SampleType::f32;
    }
}

OIIO::TypeDesc type_desc(SampleType type) {
    switch (type) {
        case SampleType::u8: return OIIO::TypeDesc::UINT8;
        case SampleType::u16: return OIIO::TypeDesc::UINT16;
        case SampleType::f16: return OIIO::TypeDesc::HALF;
        default: break;
    }
    return OIIO::TypeDesc::FLOAT;
}

Parts parts_of(OIIO::ImageInput& input, const Codec& codec) {
    Parts parts{{part_of(input.spec())}};
    if (lists_parts(codec)) {
        while (parts.count < most_listed_parts && input.seek_subimage(parts.count, 0)) {
            parts.listed.push_back(part_of(input.spec()));
            ++parts.count;
        }
        static_cast<void>(input.geterror());  // of the part that is not there
        if (parts.count == most_listed_parts) parts.count = std::numeric_limits<int>::max();
    }
    return parts;
}

}  // namespace texelscope
