#include "app/files/codecs/openexr/exr_stream.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>

#include "app/files/decoding/printable.h"

namespace texelscope {

bool ContentStream::read(char to[], int count) {
    const uint64_t wanted = uint64_t(std::max(count, 0));
    if (at_ > content_.size() || wanted > content_.size() - at_) throw Iex::InputExc("the file ends early");
    std::memcpy(to, content_.data() + at_, wanted);
    at_ += wanted;
    return at_ < content_.size();
}

bool DescriptorStream::read(char to[], int count) {
    const uint64_t wanted = uint64_t(std::max(count, 0));
    for (uint64_t done = 0; done < wanted;) {
        const ssize_t got = ::pread(descriptor_, to + done, wanted - done, off_t(at_ + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) throw Iex::InputExc("the file ends early");
        done += uint64_t(got);
    }
    at_ += wanted;
    return at_ < bytes_;
}

void throw_damaged_exr(const std::string& reason) {
    constexpr size_t most = 400;  // letters of one line, which may quote the file
    std::string text = reason.substr(0, reason.find('\n'));
    // Messages such as: Error reading pixel data from image file "it". Cause.
    for (size_t at; (at = text.find("\"it\"")) != text.npos;) text.replace(at, 4, "it");
    for (const std::string words : {"image file it", "file it"})
        if (const size_t at = text.find(words); at != text.npos) text.replace(at, words.size(), "it");
    text = printable(text, most);
    while (text.ends_with('.')) text.pop_back();
    throw Error(fmt::format("the OpenEXR is damaged or of a kind that cannot be read ({})", text));
}

}  // namespace texelscope
