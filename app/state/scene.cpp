#include "app/state/scene.h"

#include <filesystem>

#include <fmt/format.h>

#include "app/files/decoding/picture_in_file.h"
#include "app/state/derived_sources.h"

namespace texelscope {

namespace {

std::string file_name(const std::string& source) {
    if (const auto pushed = pushed_name(source)) return *pushed;
    if (source.starts_with('@')) return source;
    const auto [file, choice] = parse_picture_source(source);
    std::string name = std::filesystem::path(file).filename().string();
    if (!choice.part.empty() && choice.part != "1") name += " · part " + choice.part;
    if (!choice.channels.empty()) name += fmt::format(" · {}", fmt::join(choice.channels, ","));
    return name;
}

}  // namespace

std::string Document::title() const {
    if (const auto shrunk = parse_shrunk_source(source))
        return fmt::format("{} shrunk by {:g}", file_name(shrunk->original), shrunk->factor);
    if (const auto resized = parse_resized_source(source))
        return fmt::format("{} at {}×{}", file_name(resized->original), resized->size.width, resized->size.height);
    return file_name(source);
}

void Document::take_samples_of(const Document& open) {
    image = open.image;
    look = open.look;
    loaded = open.loaded;
    seen = open.seen;
}

std::string pane_name(int index) { return std::string(1, char('A' + index)); }

}  // namespace texelscope
