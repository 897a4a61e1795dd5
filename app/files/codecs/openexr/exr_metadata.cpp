// The metadata in the header of a part of an OpenEXR file.

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>

#include <ImfBoxAttribute.h>
#include <ImfChannelList.h>
#include <ImfChromaticitiesAttribute.h>
#include <ImfDoubleAttribute.h>
#include <ImfEnvmapAttribute.h>
#include <ImfFloatAttribute.h>
#include <ImfHeader.h>
#include <ImfIntAttribute.h>
#include <ImfKeyCodeAttribute.h>
#include <ImfMatrixAttribute.h>
#include <ImfMultiPartInputFile.h>
#include <ImfRationalAttribute.h>
#include <ImfStringAttribute.h>
#include <ImfStringVectorAttribute.h>
#include <ImfTimeCodeAttribute.h>
#include <ImfVecAttribute.h>
#include <fmt/format.h>

#include "app/files/codecs/openexr/exr_channels.h"
#include "app/files/codecs/openexr/exr_files.h"
#include "app/files/codecs/openexr/exr_stream.h"

namespace texelscope {
namespace {

using namespace std::string_view_literals;

constexpr size_t most_rows = 1000;

// Attributes that are shown elsewhere: how the samples are stored, the windows and the colours.
constexpr std::array said_elsewhere = {"channels"sv,          "chromaticities"sv, "chunkCount"sv, "compression"sv,
                                       "dataWindow"sv,        "displayWindow"sv,  "lineOrder"sv,  "name"sv,
                                       "preview"sv,           "tiles"sv,          "type"sv,       "version"sv,
                                       "maxSamplesPerPixel"sv};

template <class... Numbers> std::string joined(const Numbers&... numbers) {
    std::string text;
    ((text += fmt::format("{}{}", text.empty() ? "" : ", ", numbers)), ...);
    return text;
}

std::string words_of(const std::string& text) { return text; }
std::string words_of(int number) { return joined(number); }
std::string words_of(float number) { return joined(number); }
std::string words_of(double number) { return joined(number); }
template <class T> std::string words_of(const Imath::Vec2<T>& v) { return joined(v.x, v.y); }
template <class T> std::string words_of(const Imath::Vec3<T>& v) { return joined(v.x, v.y, v.z); }
template <class V> std::string words_of(const Imath::Box<V>& box) {
    return fmt::format("({}) to ({})", words_of(box.min), words_of(box.max));
}
template <class T> std::string words_of(const Imath::Matrix33<T>& m) {
    return joined(m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2], m[2][0], m[2][1], m[2][2]);
}
template <class T> std::string words_of(const Imath::Matrix44<T>& m) {
    return joined(m[0][0], m[0][1], m[0][2], m[0][3], m[1][0], m[1][1], m[1][2], m[1][3], m[2][0], m[2][1], m[2][2],
                  m[2][3], m[3][0], m[3][1], m[3][2], m[3][3]);
}
std::string words_of(const Imf::Rational& number) { return fmt::format("{}/{}", number.n, number.d); }
std::string words_of(const Imf::TimeCode& time) {
    return fmt::format("{:02}:{:02}:{:02}:{:02}", time.hours(), time.minutes(), time.seconds(), time.frame());
}
std::string words_of(const Imf::KeyCode& code) {
    return joined(code.filmMfcCode(), code.filmType(), code.prefix(), code.count(), code.perfOffset(),
                  code.perfsPerFrame(), code.perfsPerCount());
}
std::string words_of(const Imf::Envmap& map) { return map == Imf::ENVMAP_CUBE ? "cube" : "latitude and longitude"; }
std::string words_of(const Imf::StringVector& texts) { return fmt::format("{}", fmt::join(texts, ", ")); }

// The attribute's value in words, if it is of one of these types; else the name of its type.
template <class... Types> std::string words_among(const Imf::Attribute& attribute) {
    std::string words = fmt::format("of the type {}", attribute.typeName());
    const auto take = [&](const auto* typed) {
        if (typed) words = words_of(typed->value());
        return typed != nullptr;
    };
    static_cast<void>((take(dynamic_cast<const Imf::TypedAttribute<Types>*>(&attribute)) || ...));
    return words;
}

std::string words_of_attribute(const Imf::Attribute& attribute) {
    return words_among<std::string, int, float, double, Imath::V2i, Imath::V2f, Imath::V2d, Imath::V3i, Imath::V3f,
                       Imath::V3d, Imath::Box2i, Imath::Box2f, Imath::M33f, Imath::M33d, Imath::M44f, Imath::M44d,
                       Imf::Rational, Imf::TimeCode, Imf::KeyCode, Imf::Envmap, Imf::StringVector>(attribute);
}

std::string words_of_window(const Imath::Box2i& window) {
    return fmt::format("{} × {} pixels from ({}, {}) to ({}, {})", int64_t(window.max.x) - window.min.x + 1,
                       int64_t(window.max.y) - window.min.y + 1, window.min.x, window.min.y, window.max.x,
                       window.max.y);
}

const char* words_of_compression(Imf::Compression compression) {
    constexpr const char* names[] = {"none", "runs", "zip, row by row", "zip", "piz", "pxr24", "b44", "b44a",
                                     "dwaa", "dwab"};
    return compression >= 0 && size_t(compression) < std::size(names) ? names[compression] : "unknown";
}

bool has_chroma(const Imf::Header& header) { return header.channels().findChannel("RY") != nullptr; }

}  // namespace

std::vector<MetadataRow> describe_exr(ByteSpan content, int part) {
    return in_our_words([&] {
        ContentStream stream(content);
        const Imf::MultiPartInputFile input(stream);
        std::vector<MetadataRow> rows;
        if (part < 0 || part >= input.parts()) return rows;
        const Imf::Header& header = input.header(part);
        rows.push_back({"Picture", "Data window", words_of_window(header.dataWindow())});
        rows.push_back({"Picture", "Display window", words_of_window(header.displayWindow())});
        if (has_chroma(header))
            rows.push_back({"Picture", "Stored as", "luminance and chroma (Y, RY, BY), chroma with fewer samples"});
        rows.push_back({"OpenEXR", "compression", words_of_compression(header.compression())});
        if (header.hasTileDescription()) {
            const Imf::TileDescription& tiles = header.tileDescription();
            rows.push_back({"OpenEXR", "tiles", fmt::format("{} × {}", tiles.xSize, tiles.ySize)});
        }
        for (auto each = header.begin(); each != header.end() && rows.size() < most_rows; ++each)
            if (std::ranges::find(said_elsewhere, std::string_view(each.name())) == said_elsewhere.end())
                rows.push_back({"OpenEXR", each.name(), words_of_attribute(each.attribute())});
        return rows;
    });
}

}  // namespace texelscope
