#include "app/files/writing/written_depth.h"

#include <string_view>

#include <fmt/format.h>

#include "app/files/codecs/codecs.h"
#include "app/files/reading/image_files.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

std::string_view words_of(SampleType type) {
    switch (type) {
        case SampleType::u8: return "8 bits";
        case SampleType::u16: return "16 bits";
        case SampleType::f16: return "half floats";
        case SampleType::f32: return "floats";
        case SampleType::f64: return "64-bit floats";
        default: return name_of(type);
    }
}

// Words for the kind of an image's samples that a format does not have.
std::string_view kind_of(SampleType stored) {
    return stored == SampleType::u16   ? "more"
           : stored == SampleType::f64 ? "64-bit floats"
           : is_float(stored)          ? "floats"
                                       : "integers that are numbers";
}

// Whether `type` loses what samples of type `stored` may say.
bool is_less(SampleType type, SampleType stored) {
    if (type == SampleType::u8) return stored != SampleType::u8;
    if (type == SampleType::u16) return !is_normalised(stored);
    return fits_float(type) && !fits_float(stored);
}

}  // namespace

WrittenDepth written_depth(const std::filesystem::path& path, SampleType stored, std::optional<SampleType> chosen) {
    const WriteOptions options = options_for(path, stored, chosen);
    check_output_name(path, options);
    const SampleType type = written_type(path, options);
    WrittenDepth depth{type, std::string(words_of(type)), is_less(type, stored)};
    if (chosen || !depth.less) return depth;
    const Codec& codec = *codec_of_extension(path);
    try {
        check_output_name(path, {stored});
        depth.words += ": choose another depth to keep more";
    } catch (const UsageError&) {
        depth.words += fmt::format(": {} has no {}", codec.name, kind_of(stored));
    }
    return depth;
}

}  // namespace texelscope
