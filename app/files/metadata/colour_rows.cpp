#include "app/files/metadata/colour_rows.h"

#include <string>

#include <fmt/format.h>

#include "app/files/colour/colour_tags.h"
#include "app/files/colour/icc_conversion.h"

namespace texelscope {
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
