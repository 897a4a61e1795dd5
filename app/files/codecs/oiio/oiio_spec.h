#pragma once
// What OpenImageIO says of a file, in our words.

#include <initializer_list>
#include <string>
#include <vector>

#include "app/files/codecs/oiio/oiio_content.h"

namespace texelscope {

// One printable line, without the names of the file, which the caller adds in front.
std::string tidy(std::string text, std::initializer_list<std::string> names);

[[noreturn]] void throw_damaged(const Codec& codec, const std::string& reason, const EncodedFile& file);

// u8, u16, f16 and f32 as stored, anything else as f32.
SampleType sample_type(OIIO::TypeDesc format);
OIIO::TypeDesc type_desc(SampleType type);

struct Parts {
    std::vector<PictureFacts::Part> listed;
    int count = 1;
};

// Leaves the reader at the last one.
Parts parts_of(OIIO::ImageInput& input, const Codec& codec);

}  // namespace texelscope
