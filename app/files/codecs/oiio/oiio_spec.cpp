#include "app/files/codecs/oiio/oiio_spec.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "app/files/bytes/chosen_parts.h"
#include "app/files/decoding/decoder.h"
#include "app/files/decoding/printable.h"

namespace texelscope {

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
