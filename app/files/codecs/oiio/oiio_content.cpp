#include "app/files/codecs/oiio/oiio_content.h"

#include <algorithm>
#include <cstring>

#include "app/files/bytes/name_to_open.h"

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

}  // namespace texelscope
