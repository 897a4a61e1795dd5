#include "app/files/metadata/metadata.h"

#include <algorithm>
#include <ctime>
#include <iterator>
#include <string>

#include <fmt/format.h>
#include <sys/stat.h>

#include "app/files/bytes/naming.h"
#include "app/files/bytes/parts.h"
#include "app/files/codecs/codecs.h"
#include "app/files/codecs/heif.h"
#include "app/files/codecs/modules.h"
#include "app/files/colour/icc_conversion.h"

namespace texelscope {
namespace {

using Rows = std::vector<MetadataRow>;

constexpr size_t most_listed = 100;  // of parts

void append(Rows& rows, Rows more) {
    rows.insert(rows.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

std::string grouped(uint64_t number) {
    std::string text = std::to_string(number);
    for (int at = int(text.size()) - 3; at > 0; at -= 3) text.insert(size_t(at), " ");
    return text;
}

std::string words_of_size(uint64_t bytes) {
    const std::string exact = grouped(bytes) + " bytes";
    if (bytes < 1000) return exact;
    double value = double(bytes);
    const char* const units[] = {"kB", "MB", "GB", "TB"};
    size_t unit = 0;
    for (value /= 1000; value >= 1000 && unit < 3; value /= 1000) ++unit;
    return fmt::format("{:.3g} {} ({})", value, units[unit], exact);
}

std::string words_of_time(time_t time) {
    std::tm parts{};
    char text[64] = {};
    if (!::localtime_r(&time, &parts) || std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts) == 0) return {};
    return text;
}

std::string words_of_type(SampleType type) {
    const int bits = 8 * bytes_per_sample(type);
    const char* loss = fits_float(type) ? "" : "; computed as 32-bit floats";
    if (is_float(type)) return fmt::format("{}-bit floats{}", bits, loss);
    if (is_normalised(type)) return fmt::format("{}-bit integers", bits);
    return fmt::format("{} {}-bit integers, kept as numbers{}", name_of(type)[0] == 'i' ? "signed" : "unsigned", bits,
                       fits_float(type) ? "" : "; computed as 32-bit floats, exact up to 16777216");
}

std::string words_of_part(const PictureFacts::Part& part) {
    return fmt::format("{}{}{} × {}, {}", part.name, part.name.empty() ? "" : ", ", part.width, part.height,
                       fmt::join(part.channels, " "));
}

// Rows of one group together, where its first one is.
Rows together(const Rows& rows) {
    std::vector<std::string> groups;
    for (const MetadataRow& row : rows)
        if (std::ranges::find(groups, row.group) == groups.end()) groups.push_back(row.group);
    Rows sorted;
    for (const std::string& group : groups)
        std::ranges::copy_if(rows, std::back_inserter(sorted),
                             [&](const MetadataRow& row) { return row.group == group; });
    return sorted;
}

void append_channels(Rows& rows, const PictureFacts& facts) {
    if (size_t(facts.part) >= facts.parts.size()) return;
    const std::vector<std::string>& names = facts.parts[size_t(facts.part)].channels;
    rows.push_back({"Picture", "Channels", fmt::format("{}: {}", names.size(), fmt::join(names, ", "))});
    std::vector<std::string> layers;
    for (const ChannelLayer& layer : layers_of(names))
        if (!layer.name.empty()) layers.push_back(layer.name);
    if (!layers.empty()) rows.push_back({"Picture", "Layers", fmt::format("{}", fmt::join(layers, ", "))});
    if (facts.channels.size() >= names.size()) return;
    std::vector<std::string> read;
    for (const int channel : facts.channels)
        if (size_t(channel) < names.size()) read.push_back(names[size_t(channel)]);
    rows.push_back({"Picture", "Channels read", fmt::format("{}", fmt::join(read, ", "))});
}

// Words for how an array of three dimensions is read, and how else it could be.
const char* words_of_layout(PictureFacts::Layout layout) {
    return layout == PictureFacts::Layout::channels_first
               ? "as channels, height, width; with #layout=hwc behind the name as height, width, channels"
               : "as height, width, channels; with #layout=chw behind the name as channels, height, width";
}

}  // namespace

Rows rows_of_content(const Codec& codec, const EncodedFile& file, ByteSpan content, const PictureFacts& facts) {
    Rows rows;
    // First: it belongs to what is said of the picture.
    if (const int turned = codec.turned_by_library && facts.part == 0 ? orientation_in_heif(content) : 1; turned != 1)
        rows.push_back({"Picture", "Turned",
                        fmt::format("by its decoder, as the format demands; stored {} ({})",
                                    words_of_orientation(turned), turned)});
    if (codec.describe) append(rows, codec.describe(content, facts.part));
    append(rows, colour_rows(content));
    const bool is_tiff = first_tiff_directory(content).has_value();  // camera raw files too
    Rows exif =
        is_tiff ? exif_rows(content, "TIFF", facts.part) : exif_rows(codec.exif ? codec.exif(content) : ByteSpan());
    const bool own_exif = !exif.empty();
    append(rows, std::move(exif));
    if (codec.texts) append(rows, codec.texts(content, facts.part));
    if (described_by_oiio(codec, content)) try {
            append(rows, oiio_module().describe(codec, file, content, facts.part, own_exif));
        } catch (const Error& error) {  // what others have found is not lost
            rows.push_back({"Metadata", "Problem", error.what()});
        }
    return together(rows);
}

Rows rows_of_file(const std::filesystem::path& path, int descriptor, std::string_view format) {
    std::error_code unknown;
    const std::filesystem::path absolute = std::filesystem::absolute(path, unknown).lexically_normal();
    Rows rows = {{"File", "Name", path.filename().string()},
                 {"File", "Folder", absolute.parent_path().string()},
                 {"File", "Format", std::string(format)}};
    struct stat about {};
    if (::fstat(descriptor, &about) != 0) return rows;
    rows.push_back({"File", "File size", words_of_size(uint64_t(about.st_size))});
    if (const auto companions = companions_of(descriptor, files_beside(path))) {
        const std::vector<std::string> files = companions->files();
        FileState state;
        state.add(*companions, files);
        rows.push_back({"File", "Files beside it", fmt::format("{}, {}", files.size(), words_of_size(state.bytes))});
    }
    rows.push_back({"File", "Changed", words_of_time(about.st_mtime)});
    return rows;
}

Rows rows_of_picture(const PictureFacts& facts) {
    const PictureShape& shape = facts.shape;
    const double pixels = double(shape.width) * double(shape.height);
    Rows rows = {{"Picture", "Size",
                  pixels < 1e5
                      ? fmt::format("{} × {} pixels", shape.width, shape.height)
                      : fmt::format("{} × {} pixels ({:.3g} megapixels)", shape.width, shape.height, pixels / 1e6)}};
    append_channels(rows, facts);
    if (facts.layout != PictureFacts::Layout::fixed)
        rows.push_back({"Picture", "Array", words_of_layout(facts.layout)});
    rows.push_back({"Picture", "Samples", words_of_type(shape.type)});
    rows.push_back({"Picture", "Alpha", std::string(name_of(shape.alpha))});
    rows.push_back({"Picture", "Orientation",
                    facts.orientation == 1
                        ? "upright"
                        : fmt::format("stored {} ({}); {}", words_of_orientation(facts.orientation), facts.orientation,
                                      facts.upright ? "turned upright" : "shown as stored")});
    if (!facts.missing.empty())
        rows.push_back({"Picture", "Missing", words_of_missing(facts.missing, shape.width, shape.height)});
    if (facts.parts.size() < 2) return rows;
    rows.push_back({"Picture", "Parts", fmt::format("{} (shown: {})", facts.parts.size(), facts.part + 1)});
    for (size_t i = 0; i < std::min(facts.parts.size(), most_listed); ++i)
        rows.push_back({"Picture", fmt::format("Part {}", i + 1), words_of_part(facts.parts[i])});
    if (facts.parts.size() > most_listed)
        rows.push_back({"Picture", "More parts", fmt::format("{}", facts.parts.size() - most_listed)});
    return rows;
}

std::string text_of(const Rows& rows) {
    std::string text, group;
    for (const MetadataRow& row : rows) {
        if (row.group != group) text += row.group + '\n';
        group = row.group;
        text += fmt::format("  {:<28}{}\n", row.name, row.value);
    }
    return text;
}

namespace {

// Four letters in the header of a profile.
std::string letters(const std::vector<std::byte>& icc, size_t at) {
    if (icc.size() < at + 4) return {};
    std::string text(text_of(icc).substr(at, 4));
    while (text.ends_with(' ')) text.pop_back();
    return text;
}

std::string words_of_class(const std::string& kind) {
    if (kind == "mntr") return "a screen";
    if (kind == "scnr") return "a camera or scanner";
    if (kind == "prtr") return "a printer";
    if (kind == "spac") return "a colour space";
    return kind;
}

void append_icc(std::vector<MetadataRow>& rows, const std::vector<std::byte>& icc) {
    rows.push_back({"Colour", "Profile", name_of_profile(icc)});
    const bool whole_header = icc.size() >= 128 && letters(icc, 36) == "acsp";  // the signature of every profile
    if (whole_header) {
        const ByteSpan bytes = icc;
        rows.push_back({"Colour", "Profile for", words_of_class(letters(icc, 12)) + ", " + letters(icc, 16)});
        rows.push_back({"Colour", "Profile version", fmt::format("{}.{}", byte_at(bytes, 8), byte_at(bytes, 9) >> 4)});
    }
    rows.push_back({"Colour", "Profile size", fmt::format("{} bytes", icc.size())});
}

}  // namespace

std::vector<MetadataRow> colour_rows(ByteSpan file) {
    const auto tags = colour_tags(file);
    if (!tags) return {{"Colour", "Profile", "none in the file"}};
    std::vector<MetadataRow> rows;
    if (!tags->icc.empty()) {
        append_icc(rows, tags->icc);
        return rows;
    }
    const ColourProfile standard;
    const bool srgb = tags->exponent == 0 && !tags->linear_light && tags->chromaticities == standard.chromaticities;
    rows.push_back({"Colour", "Profile", srgb ? "sRGB, as the file says" : "none; the file describes its colours"});
    if (srgb) return rows;
    rows.push_back({"Colour", "Gamma",
                    tags->linear_light    ? "linear light"
                    : tags->exponent == 0 ? "that of sRGB"
                                          : fmt::format("{:.4g}", tags->exponent)});
    const char* names[] = {"Red", "Green", "Blue", "White"};
    for (size_t i = 0; i < 4; ++i)
        rows.push_back(
            {"Colour", names[i],
             fmt::format("x {:.4f}, y {:.4f}", tags->chromaticities[2 * i], tags->chromaticities[2 * i + 1])});
    return rows;
}

}  // namespace texelscope
