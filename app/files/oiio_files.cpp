#if TEXELSCOPE_WITH_OIIO
#include "app/files/oiio_files.h"

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <system_error>

#include <OpenImageIO/filesystem.h>
#include <OpenImageIO/imageio.h>
#include <fmt/format.h>

namespace texelscope {
namespace {

// One line, without the name of the file, which the caller adds in front.
std::string tidy(std::string text, const std::filesystem::path& path) {
    for (const std::string& name : {"\"" + path.string() + "\"", path.string()})
        for (size_t at; !name.empty() && (at = text.find(name)) != text.npos;) text.replace(at, name.size(), "it");
    text = text.substr(0, text.find('\n'));
    while (!text.empty() && (text.back() == '.' || text.back() == ' ' || text.back() == '\r')) text.pop_back();
    return text.empty() ? "reason unknown" : text;
}

[[noreturn]] void throw_damaged(const Format& format, const std::string& reason, const std::filesystem::path& path) {
    throw Error(
        fmt::format("the {} is damaged or of a kind that cannot be read ({})", format.name, tidy(reason, path)));
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
        case SampleType::f32: break;
    }
    return OIIO::TypeDesc::FLOAT;
}

struct Channels {
    int first, count;
    bool alpha;  // the last of them
};

// Up to four neighbouring channels that form a picture: R, G, B and A if they have these names, else the first ones.
Channels choose_channels(const OIIO::ImageSpec& spec) {
    const auto& names = spec.channelnames;
    int first = 0;
    if (spec.nchannels > 4)
        for (int i = 0; i + 2 < int(names.size()) && first == 0; ++i)
            if (names[size_t(i)] == "R" && names[size_t(i) + 1] == "G" && names[size_t(i) + 2] == "B") first = i;
    int count = std::min(4, spec.nchannels - first);
    const bool reaches = spec.alpha_channel >= first && spec.alpha_channel < first + count;
    if (reaches) count = spec.alpha_channel - first + 1;  // channels after alpha are not colours
    else if (spec.nchannels > 4 && spec.alpha_channel >= 0) count = std::min(count, 3);
    return {first, count, reaches && count > 1};
}

void check(const OIIO::ImageSpec& spec, const Channels& channels, const std::filesystem::path& path) {
    if (spec.deep) throw Error("deep images are not supported; flatten the image first");
    if (spec.depth > 1) throw Error("the file holds a volume, not a picture; store one slice");
    std::error_code ignored;
    const uint64_t size = std::filesystem::file_size(path, ignored);
    check_plausible(size, uint64_t(std::max(0, spec.width)), uint64_t(std::max(0, spec.height)),
                    uint64_t(channels.count), sample_type(spec.format));
}

}  // namespace

Image read_with_oiio(const Format& format, const std::filesystem::path& path) {
    const std::unique_ptr<OIIO::ImageInput> input = OIIO::ImageInput::create(std::string(format.oiio));
    if (!input) throw_damaged(format, OIIO::geterror(), path);
    OIIO::ImageSpec spec, hints;
    hints["oiio:UnassociatedAlpha"] = 1;  // straight alpha stays straight: multiplied in 8 bits it would lose levels
    if (!input->open(path.string(), spec, hints)) throw_damaged(format, input->geterror(), path);
    const Channels channels = choose_channels(spec);
    // OpenImageIO 2.4 multiplies by alpha in 8 bits and under a gamma of 2.2, which cannot be undone.
    if (format.id == FormatId::webp && channels.alpha)
        throw Error("WebP with alpha cannot be read exactly here; convert it to PNG");
    check(spec, channels, path);

    const SampleType type = sample_type(spec.format);
    const bool straight = spec.get_int_attribute("oiio:UnassociatedAlpha") != 0;
    Image image(spec.width, spec.height, channels.count, type,
                !channels.alpha ? Alpha::none
                : straight      ? Alpha::straight
                                : Alpha::premultiplied);
    bool complete = false;
    try {
        complete =
            input->read_image(0, 0, channels.first, channels.first + channels.count, type_desc(type), image.data());
    } catch (const std::bad_alloc&) {
        throw OutOfMemory("not enough memory to read it");
    }
    if (!complete || input->has_error()) throw_damaged(format, input->geterror(), path);
    return image;
}

Bytes encode_with_oiio(const Format& format, const Image& image) {
    const auto fail = [&](const std::string& reason) {
        throw Error(fmt::format("cannot be written as {} ({})", format.name, tidy(reason, {})));
    };
    const std::unique_ptr<OIIO::ImageOutput> output = OIIO::ImageOutput::create(std::string(format.oiio));
    if (!output) fail(OIIO::geterror());
    // Written to memory: on a full disk its JPEG writer ends the program, and its PNG writer reports success.
    std::vector<unsigned char> bytes;
    OIIO::Filesystem::IOVecOutput memory(bytes);
    if (!output->set_ioproxy(&memory)) fail("it cannot be written to memory");

    OIIO::ImageSpec spec(image.width(), image.height(), image.channels(), type_desc(image.type()));
    // By default its fourth channel is alpha.
    spec.alpha_channel = image.alpha() == Alpha::none ? -1 : image.channels() - 1;
    if (image.alpha() != Alpha::none && image.channels() == 2) spec.channelnames = {"Y", "A"};
    if (image.alpha() == Alpha::straight) spec.attribute("oiio:UnassociatedAlpha", 1);
    if (format.id == FormatId::jpeg) {
        spec.attribute("compression", "jpeg:95");
        spec.attribute("jpeg:subsampling", "4:4:4");
    }
    if (!output->open("memory", spec)) fail(output->geterror());
    if (!output->write_image(type_desc(image.type()), image.data())) fail(output->geterror());
    if (!output->close()) fail(output->geterror());
    const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
    return {begin, begin + bytes.size()};
}

}  // namespace texelscope
#endif
