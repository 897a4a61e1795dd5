#include "app/files/reading/image_files.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/files/bytes/chosen_parts.h"
#include "app/files/bytes/file_io.h"
#include "app/files/bytes/naming.h"
#include "app/files/codecs/codecs.h"
#include "app/files/codecs/npy.h"
#include "app/files/codecs/oiio_module.h"
#include "app/files/codecs/pfm.h"
#include "app/files/codecs/pnm.h"
#include "app/files/colour/colour_tags.h"
#include "app/files/decoding/decoding.h"
#include "app/files/decoding/not_in_parts.h"
#include "app/files/decoding/printable.h"
#include "app/files/metadata/metadata.h"
#include "app/files/reading/decoders.h"
#include "gpu/core/ascii.h"

namespace fs = std::filesystem;

namespace texelscope {
namespace {

constexpr size_t most_metadata_bytes = 1000;  // of one text

std::string readable_names() {
    std::string names;
    for (const Format& format : formats())
        if (readable(format)) names += fmt::format("{}{}", names.empty() ? "" : ", ", format.name);
    return names;
}

std::string lower_extension(const fs::path& path) { return lower_case(path.extension().string()); }

bool is_drawing(ByteSpan head, const fs::path& path) {
    const std::string extension = lower_extension(path);
    const std::string_view text = text_of(head);
    const bool is_text = text.substr(0, text.find_first_not_of(" \t\r\n\xef\xbb\xbf") + 1).ends_with('<');
    return extension == ".svg" || extension == ".svgz" || (is_text && text.find("<svg") != text.npos);
}

const Format& recognised(ByteSpan head, const fs::path& path) {
    const Format* format = recognise(head, path);
    if (!format) {
        if (is_drawing(head, path))
            throw Error(
                "an SVG is a drawing, which has no pixels to interpolate; export it at the size that you need, for "
                "example with rsvg-convert --width 1000 IN.svg -o OUT.png");
        const Format* claimed = format_of_extension(path);
        throw Error(fmt::format("not {} texelscope can read ({})",
                                claimed ? fmt::format("a {} file, nor any other", claimed->name) : "an image file",
                                readable_names()));
    }
    if (!readable(*format)) throw Error(words_of_unreadable(*format));
    return *format;
}

Image parse_own(const Format& format, ByteSpan bytes) {
    switch (format.id) {
        case FormatId::npy: return parse_npy(bytes);
        case FormatId::pfm: return parse_pfm(bytes);
        default: return parse_pnm(bytes);
    }
}

// As chosen; `facts`, unless null, are what the file says.
Image own_picture(const Format& format, ByteSpan bytes, const PictureChoice& choice, PictureFacts* told = nullptr) {
    const int channels = format.id == FormatId::npy ? count_npy_channels(bytes) : 0;
    if (channels <= 4) return chosen_from(parse_own(format, bytes), choice, told);
    const auto which = chosen_channels(choice, usual_channel_names(channels, Alpha::none), -1).which;
    Image image = parse_npy(bytes, which);
    PictureFacts facts = facts_of_single(choice, image.width(), image.height(), channels, Alpha::none);
    facts.channels = which;
    facts.shape = {image.width(), image.height(), image.channels(), image.type(), image.alpha()};
    if (told) *told = std::move(facts);
    return image;
}

// In this process.
class OwnTarget : public DecodingTarget {
public:
    explicit OwnTarget(const Reading& reading) : reading_(reading) {}

    Image& begin(const PictureShape& shape, const PictureFacts& facts) override {
        if (reading_.told) {
            PictureFacts told = facts;
            told.shape = shape;
            reading_.told(told);
        }
        image = Image(shape.width, shape.height, shape.channels, shape.type, shape.alpha);
        image.set_frame(facts.frame);
        image.set_missing(facts.missing);
        rows_done(0);
        return image;
    }
    void rows_done(int rows) override {
        if (reading_.cancel.stop_requested()) throw Cancelled("reading it was cancelled");
        if (reading_.progress) reading_.progress(image, rows);
    }

    Image image;

private:
    const Reading& reading_;
};

// Takes no picture.
class FactsTarget : public DecodingTarget {
public:
    struct Enough {};

    Image& begin(const PictureShape& shape, const PictureFacts& told) override {
        facts = told;
        facts.shape = shape;
        throw Enough();
    }
    void rows_done(int) override {}

    PictureFacts facts;
};

EncodedFile encoded(const Format& format, const InputFile& file, const fs::path& path, const Reading& reading) {
    return {int(&format - formats().data()),
            format.name,
            path.string(),
            file.descriptor(),
            file.size(),
            reading.choice,
            reading.enough,
            modules_for(format),
            nullptr,
            companions_of(file.descriptor(), files_beside(path))};
}

Image decode_foreign(const EncodedFile& file, const Reading& reading, bool in_child) {
    if (in_child) return decode_in_child(file, reading);
    OwnTarget target(reading);
    foreign_decoder().decode(file, target);
    target.image.set_profile(file.profile);
    return std::move(target.image);
}

PictureFacts facts_of_foreign(const EncodedFile& file, const Reading& reading) {
    if (decodes_in_child()) return facts_in_child(file, reading);
    FactsTarget target;
    try {
        foreign_decoder().decode(file, target);
    } catch (const FactsTarget::Enough&) {}
    try {
        target.facts.metadata = foreign_decoder().describe(file, target.facts);
    } catch (const std::exception& error) {
        target.facts.metadata = {{"Metadata", "Problem", error.what()}};
    }
    return target.facts;
}

Image read(const fs::path& path, const Reading& reading, bool in_child) {
    return naming(path, [&] {
        const InputFile file(path);
        const Format& format = recognised(file.read(signature_bytes), path);
        if (is_own(format)) {
            PictureFacts facts;
            Image image = own_picture(format, file.read(), reading.choice, &facts);
            if (reading.told) reading.told(facts);
            return image;
        }
        EncodedFile whole = encoded(format, file, path, reading);
        if (!whole.companions) whole.profile = colour_tags(file.descriptor());
        return decode_foreign(whole, reading, in_child);
    });
}

// Of a large file whose samples lie as they are, which are not read. Empty: it must be read for that.
std::optional<PictureFacts> facts_of_header(const Format& format, const InputFile& file, const PictureChoice& choice) {
    constexpr size_t large = size_t(64) << 20, longest_header = size_t(1) << 20;
    if (file.size() < large || !choice.channels.empty()) return {};
    try {
        const Bytes head = file.read(longest_header);
        const bool npy = format.id == FormatId::npy;
        const int stored = npy ? count_npy_channels(head) : 0;
        const std::vector<int> which =
            chosen_channels(choice, usual_channel_names(std::max(stored, 1), Alpha::none), -1).which;
        const RawSamples samples = npy                          ? raw_npy(head, which)
                                   : format.id == FormatId::pfm ? raw_pfm(head)
                                                                : raw_pnm(head);
        const int channels = npy ? stored : int(samples.channels);
        PictureFacts facts = facts_of_single(choice, int(samples.width), int(samples.height), channels, samples.alpha);
        const int alpha = samples.alpha == Alpha::none ? -1 : channels - 1;
        facts.channels = chosen_channels(choice, facts.parts[0].channels, alpha).which;
        facts.shape = {int(samples.width), int(samples.height), int(samples.channels), samples.type, samples.alpha};
        return facts;
    } catch (const NotInParts&) {
        return {};
    }
}

}  // namespace

Image read_image(const fs::path& path, const Reading& reading) { return read(path, reading, decodes_in_child()); }

Image read_image_in_process(const fs::path& path, const Reading& reading) { return read(path, reading, false); }

PictureFacts read_facts(const fs::path& path, const Reading& reading) {
    return naming(path, [&] {
        const InputFile file(path);
        const Format& format = recognised(file.read(signature_bytes), path);
        PictureFacts facts;
        if (is_own(format)) {
            if (auto told = facts_of_header(format, file, reading.choice)) facts = std::move(*told);
            else own_picture(format, file.read(), reading.choice, &facts);
        } else {
            EncodedFile foreign = encoded(format, file, path, reading);
            if (!(foreign.modules & of_oiio) && known_to_oiio(format) &&
                described_by_oiio(format, file.read(head_for_oiio)))
                foreign.modules |= of_oiio;
            facts = facts_of_foreign(foreign, reading);
        }
        std::vector<MetadataRow> rows = rows_of_file(path, file.descriptor(), format.name);
        for (const std::vector<MetadataRow>& more : {rows_of_picture(facts), facts.metadata})
            rows.insert(rows.end(), more.begin(), more.end());
        for (auto& [group, name, value] : rows)
            for (std::string* text : {&group, &name, &value}) *text = printable(*text, most_metadata_bytes);
        facts.metadata = std::move(rows);
        return facts;
    });
}

std::vector<std::string> readable_extensions() { return extensions_where(readable); }

}  // namespace texelscope
