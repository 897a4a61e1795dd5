#if TEXELSCOPE_WITH_OIIO
#include "app/files/oiio_files.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <new>
#include <string>

#include <OpenImageIO/filesystem.h>
#include <OpenImageIO/imageio.h>
#include <fmt/format.h>

namespace texelscope {
namespace {

// One line, without the names of the file, which the caller adds in front.
std::string tidy(std::string text, std::initializer_list<std::string> names) {
    for (const std::string& name : names)
        for (const std::string& word : {"\"" + name + "\"", name})
            for (size_t at; !name.empty() && (at = text.find(word)) != text.npos;) text.replace(at, word.size(), "it");
    text = text.substr(0, text.find('\n'));
    while (!text.empty() && (text.back() == '.' || text.back() == ' ' || text.back() == '\r')) text.pop_back();
    return text.empty() ? "reason unknown" : text;
}

// For readers that take names only.
std::string name_to_open(const EncodedFile& file) { return fmt::format("/proc/self/fd/{}", file.descriptor); }

[[noreturn]] void throw_damaged(const Format& format, const std::string& reason, const EncodedFile& file) {
    throw Error(fmt::format("the {} is damaged or of a kind that cannot be read ({})", format.name,
                            tidy(reason, {file.name, name_to_open(file)})));
}

// The mapped file. OpenImageIO's own IOMemReader trusts positions that a damaged file gives.
class ContentProxy : public OIIO::Filesystem::IOProxy {
public:
    ContentProxy(const std::string& name, ByteSpan content) : IOProxy(name, Read), content_(content) {}

    const char* proxytype() const override { return "texelscope"; }
    size_t size() const override { return content_.size(); }
    size_t read(void* to, size_t bytes) override {
        const size_t count = pread(to, bytes, m_pos);
        m_pos += int64_t(count);
        return count;
    }
    size_t pread(void* to, size_t bytes, int64_t offset) override {
        if (offset < 0 || uint64_t(offset) >= content_.size()) return 0;
        const size_t count = std::min(bytes, content_.size() - size_t(offset));
        std::memcpy(to, content_.data() + offset, count);
        return count;
    }

private:
    ByteSpan content_;
};

struct Progress {
    DecodingTarget& target;
    int height;

    static bool report(void* self, float portion) {
        const auto& [target, height] = *static_cast<Progress*>(self);
        target.rows_done(int(std::clamp(portion, 0.0f, 1.0f) * float(height)));
        return false;  // go on
    }
};

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

void check(const OIIO::ImageSpec& spec, const Channels& channels, size_t bytes) {
    if (spec.deep) throw Error("deep images are not supported; flatten the image first");
    if (spec.depth > 1) throw Error("the file holds a volume, not a picture; store one slice");
    check_plausible(bytes, uint64_t(std::max(0, spec.width)), uint64_t(std::max(0, spec.height)),
                    uint64_t(channels.count), sample_type(spec.format));
}

constexpr int rows_at_once = 64;  // whole strips of TIFF and blocks of EXR

}  // namespace

void decode_with_oiio(const Format& format, const EncodedFile& file, ByteSpan content, DecodingTarget& target) {
    ContentProxy proxy(file.name, content);  // outlives the reader
    const std::unique_ptr<OIIO::ImageInput> input = OIIO::ImageInput::create(std::string(format.oiio));
    if (!input) throw_damaged(format, OIIO::geterror(), file);
    const bool from_memory = input->supports("ioproxy") && input->set_ioproxy(&proxy);
    OIIO::ImageSpec spec, hints;
    hints["oiio:UnassociatedAlpha"] = 1;  // straight alpha stays straight: multiplied in 8 bits it would lose levels
    if (!input->open(from_memory ? file.name : name_to_open(file), spec, hints))
        throw_damaged(format, input->geterror(), file);
    const Channels channels = choose_channels(spec);
    // OpenImageIO 2.4 multiplies by alpha in 8 bits and under a gamma of 2.2, which cannot be undone.
    if (format.id == FormatId::webp && channels.alpha)
        throw Error("WebP with alpha cannot be read exactly here; convert it to PNG");
    check(spec, channels, file.bytes);

    const SampleType type = sample_type(spec.format);
    const bool straight = spec.get_int_attribute("oiio:UnassociatedAlpha") != 0;
    const Alpha alpha = !channels.alpha ? Alpha::none : straight ? Alpha::straight : Alpha::premultiplied;
    Image& image = target.begin({spec.width, spec.height, channels.count, type, alpha});
    Progress progress{target, image.height()};
    const auto automatic = OIIO::AutoStride;
    bool complete = false;
    try {
        complete = input->read_image(0, 0, channels.first, channels.first + channels.count, type_desc(type),
                                     image.data(), automatic, automatic, automatic, Progress::report, &progress);
    } catch (const std::bad_alloc&) {
        throw OutOfMemory("not enough memory to read it");
    }
    if (!complete || input->has_error()) throw_damaged(format, input->geterror(), file);
}

bool oiio_reads_memory(const Format& format) {
    const std::unique_ptr<OIIO::ImageInput> input = OIIO::ImageInput::create(std::string(format.oiio));
    return input && input->supports("ioproxy");
}

void prepare_oiio() { static_cast<void>(OIIO::ImageInput::create("png")); }

Bytes encode_with_oiio(const Format& format, const RowSource& image) {
    Image rows = image.rows(0, std::min(rows_at_once, image.height));  // before: an unused JPEG writer ends the program
    const auto fail = [&](const std::string& reason) {
        throw Error(fmt::format("cannot be written as {} ({})", format.name, tidy(reason, {})));
    };
    // Written to memory: on a full disk its JPEG writer ends the program, and its PNG writer reports success.
    // Outlives the writer, which completes the file even when it is destroyed early.
    std::vector<unsigned char> bytes;
    OIIO::Filesystem::IOVecOutput memory(bytes);
    const std::unique_ptr<OIIO::ImageOutput> output = OIIO::ImageOutput::create(std::string(format.oiio));
    if (!output) fail(OIIO::geterror());
    if (!output->set_ioproxy(&memory)) fail("it cannot be written to memory");

    const auto type = type_desc(rows.type());
    OIIO::ImageSpec spec(rows.width(), image.height, rows.channels(), type);
    // By default its fourth channel is alpha.
    spec.alpha_channel = rows.alpha() == Alpha::none ? -1 : rows.channels() - 1;
    if (rows.alpha() != Alpha::none && rows.channels() == 2) spec.channelnames = {"Y", "A"};
    if (rows.alpha() == Alpha::straight) spec.attribute("oiio:UnassociatedAlpha", 1);
    if (format.id == FormatId::jpeg) {
        spec.attribute("compression", "jpeg:95");
        spec.attribute("jpeg:subsampling", "4:4:4");
    }
    if (!output->open("memory", spec)) fail(output->geterror());
    for (int y = 0; y < image.height; y += rows_at_once) {
        const int end = std::min(y + rows_at_once, image.height);
        if (y > 0) rows = image.rows(y, end);
        if (!output->write_scanlines(y, end, 0, type, rows.data())) fail(output->geterror());
    }
    if (!output->close()) fail(output->geterror());
    const auto* begin = reinterpret_cast<const std::byte*>(bytes.data());
    return {begin, begin + bytes.size()};
}

}  // namespace texelscope
#endif
