#include "app/cli/file_facts.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/files/metadata/metadata.h"
#include "app/files/reading/image_source.h"
#include "app/files/reading/standard_input.h"
#include "app/files/tables/signal.h"

namespace texelscope {
namespace {

PictureFacts facts_of(const std::string& source) {
    if (source.starts_with('@') || is_table(file_of(source)))
        throw UsageError(fmt::format("{}: info describes image files only", source));
    const auto [file, choice] = parse_picture_source(source);
    if (file != "-") return load_facts(source);
    Reading reading;
    reading.choice = choice;
    return read_standard_input_facts(reading);
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

}  // namespace

std::string file_facts_as_text(const std::string& source) { return text_of(facts_of(source).metadata); }

nlohmann::ordered_json file_facts_as_json(const std::string& source) {
    const PictureFacts facts = facts_of(source);
    nlohmann::ordered_json parts = nlohmann::ordered_json::array();
    for (const auto& [name, width, height, channels] : facts.parts)
        parts.push_back({{"name", name}, {"width", width}, {"height", height}, {"channels", channels}});
    nlohmann::ordered_json metadata = nlohmann::ordered_json::array();
    for (const auto& [group, name, value] : facts.metadata)
        metadata.push_back({{"group", group}, {"name", name}, {"value", value}});
    return {{"file", file_of(source)},
            {"width", facts.shape.width},
            {"height", facts.shape.height},
            {"type", name_of(facts.shape.type)},
            {"alpha", name_of(facts.shape.alpha)},
            {"orientation", facts.orientation},
            {"turned_upright", facts.upright},
            {"part", facts.part + 1},
            {"channels", read_channels(facts)},
            {"parts", std::move(parts)},
            {"metadata", std::move(metadata)}};
}

}  // namespace texelscope
