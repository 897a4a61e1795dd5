#include "app/cli/file_facts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/files/image_source.h"
#include "app/files/signal.h"

namespace texelscope {
namespace {

PictureFacts facts_of(const std::string& source) {
    if (source.starts_with('@') || file_of(source) == "-" || is_table_name(file_of(source)))
        throw UsageError(fmt::format("{}: info describes image files only", source));
    return load_facts(source);
}

const char* name_of(Alpha alpha) {
    return alpha == Alpha::none ? "none" : alpha == Alpha::straight ? "straight" : "premultiplied";
}

const std::vector<std::string>& channels_of(const PictureFacts& facts) {
    static const std::vector<std::string> unknown;
    return size_t(facts.part) < facts.parts.size() ? facts.parts[size_t(facts.part)].channels : unknown;
}

std::vector<std::string> read_channels(const PictureFacts& facts) {
    std::vector<std::string> names;
    for (const int channel : facts.channels)
        if (size_t(channel) < channels_of(facts).size()) names.push_back(channels_of(facts)[size_t(channel)]);
    return names;
}

std::string words_of_turn(const PictureFacts& facts) {
    if (facts.orientation == 1) return "1 (upright)";
    return fmt::format("{} (stored {}; {})", facts.orientation, words_of_orientation(facts.orientation),
                       facts.upright ? "turned upright" : "left as it is");
}

}  // namespace

std::string file_facts_as_text(const std::string& source) {
    const PictureFacts facts = facts_of(source);
    const PictureShape& shape = facts.shape;
    std::string text;
    const auto row = [&](std::string_view key, const std::string& value) {
        text += fmt::format("{:<24}{}\n", key, value);
    };
    row("file", file_of(source));
    row("picture", fmt::format("{}×{} {}×{}, {} alpha", shape.width, shape.height, texelscope::name_of(shape.type),
                               shape.channels, shape.alpha == Alpha::none ? "no" : name_of(shape.alpha)));
    row("orientation", words_of_turn(facts));
    const std::vector<std::string> read = read_channels(facts);
    row("channels", fmt::format("{}{}", fmt::join(channels_of(facts), ", "),
                                read == channels_of(facts) ? "" : fmt::format(" (read: {})", fmt::join(read, ", "))));
    if (facts.parts.size() < 2) return text;
    row("parts", fmt::format("{} (read: {})", facts.parts.size(), facts.part + 1));
    for (size_t i = 0; i < facts.parts.size(); ++i) {
        const auto& [name, width, height, channels] = facts.parts[i];
        row(fmt::format("  {}", i + 1),
            fmt::format("{}{}{}×{}, {}", name, name.empty() ? "" : ", ", width, height, fmt::join(channels, " ")));
    }
    return text;
}

nlohmann::ordered_json file_facts_as_json(const std::string& source) {
    const PictureFacts facts = facts_of(source);
    nlohmann::ordered_json parts = nlohmann::ordered_json::array();
    for (const auto& [name, width, height, channels] : facts.parts)
        parts.push_back({{"name", name}, {"width", width}, {"height", height}, {"channels", channels}});
    return {{"file", file_of(source)},
            {"width", facts.shape.width},
            {"height", facts.shape.height},
            {"type", texelscope::name_of(facts.shape.type)},
            {"alpha", name_of(facts.shape.alpha)},
            {"orientation", facts.orientation},
            {"turned_upright", facts.upright},
            {"part", facts.part + 1},
            {"channels", read_channels(facts)},
            {"parts", std::move(parts)}};
}

}  // namespace texelscope
