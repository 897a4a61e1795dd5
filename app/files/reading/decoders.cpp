#include "app/files/reading/image_files.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

#include <fmt/format.h>
#include <sys/mman.h>

#include "app/files/bytes/rows.h"
#include "app/files/codecs/codecs.h"
#include "app/files/codecs/heif.h"
#include "app/files/codecs/modules.h"
#include "app/files/decoding/decoder.h"
#include "app/files/decoding/picture_in_file.h"
#include "app/files/metadata/metadata.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

// The bytes of an open file without reading them first.

// If the file becomes shorter, looking at what is gone ends the process.
class MappedFile {
public:
    // Throws Error.
    MappedFile(int descriptor, size_t bytes)
        : data_(::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0)), bytes_(bytes) {
        if (data_ == MAP_FAILED) throw Error("the file cannot be mapped into memory");
    }
    ~MappedFile() { ::munmap(data_, bytes_); }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    ByteSpan bytes() const { return {static_cast<const std::byte*>(data_), bytes_}; }

private:
    void* data_;
    size_t bytes_;
};

// The file with the format that its content has, if the extension names another.
EncodedFile as_it_is(const EncodedFile& file) {
    const Codec& named = codec_of(file);
    if (!named.knows || named.knows(file)) return file;
    const Codec* inside = codec_of_signature(bytes_of(file.descriptor)(0, signature_bytes));
    if (!inside || !readable(*inside)) return file;
    EncodedFile result = file;
    result.format = place_of(*inside);
    result.format_name = inside->name;
    return result;
}

void decode(const EncodedFile& named, DecodingTarget& target) {
    const EncodedFile file = as_it_is(named);
    const Codec& codec = codec_of(file);
    const MappedFile content(file.descriptor, file.bytes);
    if (codec.check) codec.check(content.bytes());
    codec.decode(file, content.bytes(), target);
}

bool opens_file(int format) {
    const Codec& codec = *codecs()[size_t(format)];
    return codec.opens_file && codec.opens_file(codec);
}

void prepare(uint32_t modules) {
    const auto load = [modules](uint32_t module, const auto& get) {
        if (modules & module) try {
                get();
            } catch (const Error&) {  // each file that needs it says so
            }
    };
    load(of_oiio, oiio_module);
    load(of_dicom_terms, [] { oiio_module().prepare_dicom(); });  // takes as long as the module itself
    load(of_libjxl, jxl_module);
    load(of_openslide, openslide_module);
    load(of_openjpeg, openjpeg_module);
    load(of_libtiff, tiff_module);
    load(of_openexr, openexr_module);
    load(of_libheif, heif_module);
}

std::vector<MetadataRow> describe(const EncodedFile& named, const PictureFacts& facts) {
    if (named.companions) return {};  // its own bytes are a preview or a list of the others
    const EncodedFile file = as_it_is(named);
    const MappedFile content(file.descriptor, file.bytes);
    return rows_of_content(codec_of(file), file, content.bytes(), facts);
}

std::unique_ptr<const TileSource> open_regions(const EncodedFile& named) {
    const EncodedFile file = as_it_is(named);
    const Codec& codec = codec_of(file);
    if (!codec.open_regions) throw NotInParts(fmt::format("it is a {} file", codec.name));
    return codec.open_regions(file);
}

}  // namespace

const Decoder& foreign_decoder() {
    static constexpr Decoder decoder{prepare, decode, opens_file, describe, answer_profile_question, open_regions};
    return decoder;
}

namespace {

using Bytes = std::vector<std::byte>;
using Kind = ColourConversion::Kind;

constexpr std::chrono::milliseconds patience = std::chrono::seconds(5);  // a table of 33³ colours takes 0.05 s
constexpr size_t most_words = 1000;
constexpr size_t most_answer_bytes = ColourConversion::value_count(Kind::table) * sizeof(float) + 4096;

// Followed by the bytes of the profile and of the screen's.
struct Question {
    enum class What : uint32_t { conversion, name_of_screen } what = What::conversion;
    int32_t colours = 3;
    uint32_t linear_light = 0, applied = 0;
    std::array<double, 8> chromaticities{};
    double exponent = 0;
    uint64_t profile_bytes = 0, screen_bytes = 0;
};

// Followed by name, problem and values.
struct Answer {
    uint32_t kind = 0;
    float matrix[9] = {};
    uint64_t name_bytes = 0, problem_bytes = 0, values = 0;
};

void append(Bytes& bytes, const void* data, size_t count) {
    const auto* begin = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), begin, begin + count);
}

// Takes from the front.
class Reader {
public:
    explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    std::span<const std::byte> take(uint64_t count) {
        if (count > bytes_.size()) throw Error("its decoder was stopped: what it said made no sense");
        const auto part = bytes_.first(size_t(count));
        bytes_ = bytes_.subspan(size_t(count));
        return part;
    }
    template <class T> T plain() {
        static_assert(std::is_trivially_copyable_v<T>);
        T value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    Bytes block(uint64_t count) {
        const auto part = take(count);
        return {part.begin(), part.end()};
    }
    std::string words(uint64_t count) {
        const auto part = take(count);
        return printable({reinterpret_cast<const char*>(part.data()), part.size()}, most_words);
    }

private:
    std::span<const std::byte> bytes_;
};

Bytes question_about(Question::What what, const ColourProfile& profile, int colours, const Bytes& screen) {
    const Question head{what,
                        colours,
                        profile.linear_light,
                        profile.applied,
                        profile.chromaticities,
                        profile.exponent,
                        profile.icc.size(),
                        screen.size()};
    Bytes bytes;
    append(bytes, &head, sizeof head);
    append(bytes, profile.icc.data(), profile.icc.size());
    append(bytes, screen.data(), screen.size());
    return bytes;
}

Bytes answer_of(const ProfileConversion& made) {
    Answer head;
    head.kind = uint32_t(made.conversion.kind);
    std::copy(std::begin(made.conversion.matrix), std::end(made.conversion.matrix), head.matrix);
    head.name_bytes = std::min(made.name.size(), most_words);
    head.problem_bytes = std::min(made.problem.size(), most_words);
    head.values = made.values.size();
    Bytes bytes;
    append(bytes, &head, sizeof head);
    append(bytes, made.name.data(), size_t(head.name_bytes));
    append(bytes, made.problem.data(), size_t(head.problem_bytes));
    append(bytes, made.values.data(), made.values.size() * sizeof(float));
    return bytes;
}

// The decoder may have been taken over by the profile.
ProfileConversion checked(std::span<const std::byte> bytes) {
    Reader reader(bytes);
    const auto head = reader.plain<Answer>();
    ProfileConversion made;
    made.conversion.kind = Kind(head.kind);
    std::copy(std::begin(head.matrix), std::end(head.matrix), made.conversion.matrix);
    made.name = reader.words(head.name_bytes);
    made.problem = reader.words(head.problem_bytes);
    const bool known = head.kind <= uint32_t(Kind::table);
    if (!known || head.values != ColourConversion::value_count(made.conversion.kind))
        throw Error("its decoder was stopped: what it said made no sense");
    made.values.resize(size_t(head.values));
    const auto values = reader.take(head.values * sizeof(float));
    if (!values.empty()) std::memcpy(made.values.data(), values.data(), values.size());
    const auto finite = [](float v) { return std::isfinite(v); };
    if (!std::all_of(made.values.begin(), made.values.end(), finite) ||
        !std::all_of(std::begin(head.matrix), std::end(head.matrix), finite))
        throw Error("its decoder was stopped: what it said made no sense");
    return made;
}

Bytes asked(const Bytes& question) {
    return decodes_in_child() ? compute_in_child(question, most_answer_bytes, patience)
                              : answer_profile_question(question);
}

}  // namespace

ProfileConversion ask_conversion(const ColourProfile& profile, int colours, const Bytes& screen) {
    try {
        return checked(asked(question_about(Question::What::conversion, profile, colours, screen)));
    } catch (const Error& error) {
        ProfileConversion made;
        made.name = "damaged profile";
        made.problem = fmt::format("The colour profile cannot be used: {}. Colours are shown as stored.", error.what());
        return made;
    }
}

std::string ask_name_of_screen(const Bytes& icc) {
    try {
        return checked(asked(question_about(Question::What::name_of_screen, {}, 3, icc))).name;
    } catch (const Error&) {
        return {};
    }
}

Bytes answer_profile_question(std::span<const std::byte> bytes) {
    Reader reader(bytes);
    const auto head = reader.plain<Question>();
    ColourProfile profile;
    profile.icc = reader.block(head.profile_bytes);
    profile.chromaticities = head.chromaticities;
    profile.exponent = head.exponent;
    profile.linear_light = head.linear_light != 0;
    profile.applied = head.applied != 0;
    const Bytes screen = reader.block(head.screen_bytes);
    if (head.what == Question::What::conversion) return answer_of(make_conversion(profile, head.colours, screen));
    ProfileConversion made;
    made.name = name_of_screen(screen);
    return answer_of(made);
}

}  // namespace texelscope
