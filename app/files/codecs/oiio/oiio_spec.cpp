#include "app/files/codecs/oiio/oiio_spec.h"

#include <limits>

#include <fmt/format.h>

#include "app/files/bytes/chosen_parts.h"
#include "app/files/bytes/name_to_open.h"
#include "app/files/decoding/printable.h"

namespace texelscope {
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
