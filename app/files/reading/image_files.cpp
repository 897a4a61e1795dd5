#include "app/files/reading/image_files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "app/files/bytes/file_io.h"
#include "app/files/bytes/naming.h"
#include "app/files/bytes/parts.h"
#include "app/files/codecs/codecs.h"
#include "app/files/codecs/modules.h"
#include "app/files/colour/icc_conversion.h"
#include "app/files/decoding/decoder.h"
#include "app/files/decoding/picture_in_file.h"
#include "app/files/metadata/metadata.h"
#include "app/files/tables/tables.h"
#include "app/files/test_images/test_images.h"
#include "gpu/core/machine.h"
#include "gpu/core/text.h"

namespace fs = std::filesystem;

namespace texelscope {
namespace {

constexpr size_t most_metadata_bytes = 1000;  // of one text

// Without control characters but those of lines and columns.
bool has_only_text(ByteSpan head) {
    return std::ranges::none_of(text_of(head), [](char c) { return uint8_t(c) < ' ' && (c < '\t' || c > '\r'); });
}

std::string lower_extension(const fs::path& path) { return lower_case(path.extension().string()); }

bool is_drawing(ByteSpan head, const fs::path& path) {
    const std::string extension = lower_extension(path);
    const std::string_view text = text_of(head);
    const bool is_markup = text.substr(0, text.find_first_not_of(" \t\r\n\xef\xbb\xbf") + 1).ends_with('<');
    return extension == ".svg" || extension == ".svgz" || (is_markup && text.find("<svg") != text.npos);
}

const Codec& recognised(ByteSpan head, const fs::path& path) {
    const Codec* codec = recognise(head, path);
    if (!codec) {
        if (is_drawing(head, path))
            throw Error(
                "an SVG is a drawing, which has no pixels to interpolate; export it at the size that you need, for "
                "example with rsvg-convert --width 1000 IN.svg -o OUT.png");
        const Codec* claimed = codec_of_extension(path);
        const std::string what = claimed               ? fmt::format("it is no {} file, nor any other", claimed->name)
                                 : has_only_text(head) ? "this is a text, not an image file"
                                                       : "not an image file";
        throw Error(what + " that texelscope can read; texelscope info lists the formats");
    }
    if (!readable(*codec)) throw Error(words_of_unreadable(*codec));
    return *codec;
}

void check_layout(const Codec& codec, const PictureChoice& choice) {
    if (choice.channels_first && !codec.layouts) throw Error("layout= is for NumPy arrays of three dimensions");
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

std::string readable_formats() {
    std::string names;
    for (const Codec* codec : codecs())
        if (readable(*codec)) names += fmt::format("{}{}", names.empty() ? "" : ", ", codec->name);
    return names;
}

std::vector<std::string> readable_extensions() { return extensions_where(readable); }

Image load_image(const std::string& source, SignalGrid* grid, const Reading& reading) {
    if (const auto line = parse_sample_line(source)) {
        if (grid) *grid = {line->from, 1 / line->rate};
        return samples_of(*line);
    }
    if (source.starts_with('@')) return make_test_image(source);
    const auto [file, choice] = parse_picture_source(source);
    Reading chosen = reading;
    chosen.choice = choice;
    if (file == "-") return read_standard_input(chosen);
    if (!is_table(file)) return read_image(file, chosen);
    Signal signal = read_signal(file);
    if (grid) *grid = {signal.origin, signal.spacing};
    return std::move(signal.samples);
}

std::string typed_source(const std::string& typed) {
    constexpr std::string_view code = "%23";
    const auto is_there = [](const std::string& file) {
        std::error_code none;
        const auto kind = std::filesystem::status(file, none).type();
        return kind != std::filesystem::file_type::not_found && kind != std::filesystem::file_type::none &&
               kind != std::filesystem::file_type::directory;
    };
    if (typed.starts_with('@')) return typed;
    if (typed.find('#') != typed.npos && is_there(typed)) return with_choice(typed, {});
    auto [file, choice] = parse_picture_source(typed);
    if (file.find(code) == file.npos || is_there(file)) return typed;
    for (size_t at = 0; (at = file.find(code, at)) != file.npos; ++at) file.replace(at, code.size(), "#");
    return is_there(file) ? with_choice(file, choice) : typed;
}

std::string words_of_source(const std::string& source) {
    const bool is_input = !source.starts_with('@') && file_of(source) == "-";
    return is_input ? "standard input" + source.substr(1) : source;
}

PictureFacts load_facts(const std::string& source) {
    const auto [file, choice] = parse_picture_source(source);
    if (source.starts_with('@') || file == "-" || is_table(file)) return {};
    Reading reading;
    reading.choice = choice;
    return read_facts(file, reading);
}

namespace {

constexpr const char* standard_input_words = "standard input";
constexpr size_t piece_bytes = size_t(1) << 16;

// A file in memory: readers want to know its size and to begin again.
class MemoryFile {
public:
    MemoryFile() : descriptor_(::memfd_create("texelscope", MFD_CLOEXEC)) {
        if (descriptor_ < 0) throw Error(std::string("there is no memory for it: ") + std::strerror(errno));
    }
    ~MemoryFile() { ::close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

    void append(const char* bytes, size_t count) {
        while (count > 0) {
            const ssize_t written = ::write(descriptor_, bytes, count);
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) throw OutOfMemory(std::string("there is no memory for it: ") + std::strerror(errno));
            bytes += written;
            count -= size_t(written);
        }
    }

private:
    int descriptor_;
};

void copy_all(int descriptor, MemoryFile& file, size_t at_most) {
    std::array<char, piece_bytes> piece;
    size_t total = 0;
    for (;;) {
        const ssize_t count = ::read(descriptor, piece.data(), piece.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw Error(std::string("cannot be read: ") + std::strerror(errno));
        if (count == 0) break;
        total += size_t(count);
        if (total > at_most)
            throw Error(fmt::format("is larger than {}, the most that is read from a pipe; store it as a file",
                                    words_of_bytes(at_most)));
        file.append(piece.data(), size_t(count));
    }
    if (total == 0) throw Error("is empty");
}

std::string without_beginning(std::string_view text, const std::string& beginning) {
    if (text.starts_with(beginning)) text.remove_prefix(beginning.size());
    return std::string(text);
}

// `read` gets the path of a file with these bytes.
template <class Read> auto reading_from(int descriptor, size_t at_most, Read read) {
    MemoryFile file;
    copy_all(descriptor, file, at_most);
    const std::string name = file.path() + ": ";
    try {
        return read(file.path());
    } catch (const OutOfMemory& error) {
        throw OutOfMemory(without_beginning(error.what(), name));
    } catch (const Error& error) {
        throw Error(without_beginning(error.what(), name));
    }
}

template <class Read> auto reading_standard_input(Read read) {
    return naming(standard_input_words, [&read] {
        if (::isatty(STDIN_FILENO)) throw Error("is a terminal; pipe an image file into texelscope, or name one");
        return reading_from(STDIN_FILENO, most_piped_bytes, read);
    });
}

}  // namespace

Image read_image_from(int descriptor, size_t at_most, const Reading& reading) {
    return reading_from(descriptor, at_most, [&](const std::string& path) { return read_image(path, reading); });
}

Image read_standard_input(const Reading& reading) {
    return reading_standard_input([&](const std::string& path) { return read_image(path, reading); });
}

PictureFacts read_standard_input_facts(const Reading& reading) {
    return reading_standard_input([&](const std::string& path) {
        PictureFacts facts = read_facts(path, reading);
        // The copy's place and time say nothing of the picture.
        std::erase_if(facts.metadata, [](const MetadataRow& row) {
            return row.group == "File" && (row.name == "Folder" || row.name == "Changed");
        });
        for (MetadataRow& row : facts.metadata)
            if (row.group == "File" && row.name == "Name") row.value = standard_input_words;
        return facts;
    });
}

}  // namespace texelscope
