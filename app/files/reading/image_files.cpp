#include "app/files/reading/image_files.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/files/bytes/chosen_parts.h"
#include "app/files/bytes/file_io.h"
#include "app/files/bytes/naming.h"
#include "app/files/codecs/codecs.h"
#include "app/files/codecs/oiio_module.h"
#include "app/files/colour/colour_tags.h"
#include "app/files/decoding/decoder.h"
#include "app/files/decoding/decoding.h"
#include "app/files/decoding/printable.h"
#include "app/files/metadata/metadata.h"
#include "app/files/reading/decoders.h"
#include "gpu/core/text.h"

namespace fs = std::filesystem;

namespace texelscope {
namespace {

constexpr size_t most_metadata_bytes = 1000;  // of one text

std::string readable_names() {
    std::string names;
    for (const Codec* codec : codecs())
        if (readable(*codec)) names += fmt::format("{}{}", names.empty() ? "" : ", ", codec->name);
    return names;
}

std::string lower_extension(const fs::path& path) { return lower_case(path.extension().string()); }

bool is_drawing(ByteSpan head, const fs::path& path) {
    const std::string extension = lower_extension(path);
    const std::string_view text = text_of(head);
    const bool is_text = text.substr(0, text.find_first_not_of(" \t\r\n\xef\xbb\xbf") + 1).ends_with('<');
    return extension == ".svg" || extension == ".svgz" || (is_text && text.find("<svg") != text.npos);
}

const Codec& recognised(ByteSpan head, const fs::path& path) {
    const Codec* codec = recognise(head, path);
    if (!codec) {
        if (is_drawing(head, path))
            throw Error(
                "an SVG is a drawing, which has no pixels to interpolate; export it at the size that you need, for "
                "example with rsvg-convert --width 1000 IN.svg -o OUT.png");
        const Codec* claimed = codec_of_extension(path);
        throw Error(fmt::format(
            "{} texelscope can read ({})",
            claimed ? fmt::format("it is no {} file, nor any other that", claimed->name) : "not an image file",
            readable_names()));
    }
    if (!readable(*codec)) throw Error(words_of_unreadable(*codec));
    return *codec;
}

void check_layout(const Codec& codec, const PictureChoice& choice) {
    if (choice.channels_first && !codec.layouts) throw Error("layout=chw is for NumPy arrays of three dimensions");
}

// In this process.
class OwnTarget : public DecodingTarget {
public:
    explicit OwnTarget(const Reading& reading) : reading_(reading) {}

    Image* begin(const PictureShape& shape, const PictureFacts& facts) override {
        if (reading_.told) {
            PictureFacts told = facts;
            told.shape = shape;
            reading_.told(told);
        }
        image = Image(shape.width, shape.height, shape.channels, shape.type, shape.alpha);
        image.set_frame(facts.frame);
        image.set_missing(facts.missing);
        rows_done(0);
        return &image;
    }
    void rows_done(int rows) override {
        if (reading_.cancel.stop_requested()) throw Cancelled("reading it was cancelled");
        if (reading_.progress) reading_.progress(image, rows);
    }

    Image image;

private:
    const Reading& reading_;
};

EncodedFile encoded(const Codec& codec, const InputFile& file, const fs::path& path, const Reading& reading) {
    return {place_of(codec),
            codec.name,
            path.string(),
            file.descriptor(),
            file.size(),
            reading.choice,
            reading.enough,
            codec.modules,
            nullptr,
            &codec == codec_of_extension(path) ? companions_of(file.descriptor(), files_beside(path)) : nullptr};
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
    foreign_decoder().decode(file, target);
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
        const Codec& codec = recognised(file.read(signature_bytes), path);
        check_layout(codec, reading.choice);
        if (codec.parse) {
            PictureFacts facts;
            Image image = codec.parse(file.read(), reading.choice, &facts);
            if (reading.told) reading.told(facts);
            return image;
        }
        EncodedFile whole = encoded(codec, file, path, reading);
        if (!whole.companions) whole.profile = colour_tags(file.descriptor());
        return decode_foreign(whole, reading, in_child);
    });
}

// The facts of a large file with uncompressed samples, from its header alone. Empty: all of it must be read.
std::optional<PictureFacts> facts_of_header(const Codec& codec, const InputFile& file, const PictureChoice& choice) {
    constexpr size_t large = size_t(64) << 20, longest_header = size_t(1) << 20;
    if (file.size() < large || !choice.channels.empty()) return {};
    try {
        const Bytes head = file.read(longest_header);
        const RawSamples samples = codec.raw(head, choice);
        const int channels = int(samples.stored_channels > 0 ? samples.stored_channels : samples.channels);
        PictureFacts facts = facts_of_single(choice, int(samples.width), int(samples.height), channels, samples.alpha);
        const int alpha = samples.alpha == Alpha::none ? -1 : channels - 1;
        facts.channels = chosen_channels(choice, facts.parts[0].channels, alpha).which;
        facts.shape = {int(samples.width), int(samples.height), int(samples.channels), samples.type, samples.alpha};
        if (samples.has_layouts) facts.layout = PictureFacts::Layout::channels_last;
        facts.missing = missing_of(samples, file.size());
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
        const Codec& codec = recognised(file.read(signature_bytes), path);
        check_layout(codec, reading.choice);
        PictureFacts facts;
        if (codec.parse) {
            if (auto told = facts_of_header(codec, file, reading.choice)) facts = std::move(*told);
            else codec.parse(file.read(), reading.choice, &facts);
        } else {
            EncodedFile foreign = encoded(codec, file, path, reading);
            if (!(foreign.modules & of_oiio) && described_by_oiio(codec, file.read(head_for_oiio)))
                foreign.modules |= of_oiio;
            facts = facts_of_foreign(foreign, reading);
            if (facts.may_lack_samples) facts.missing = read_image(path, reading).missing();
        }
        std::vector<MetadataRow> rows = rows_of_file(path, file.descriptor(), codec.name);
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
