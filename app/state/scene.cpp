#include "app/state/scene.h"

#include <filesystem>

#include <fmt/format.h>

#include "app/state/pushed_source.h"
#include "app/state/shrunk_source.h"

namespace texelscope {

namespace {

std::string file_name(const std::string& source) {
    if (const auto pushed = pushed_name(source)) return *pushed;
    return source.starts_with('@') ? source : std::filesystem::path(source).filename().string();
}

}  // namespace

std::string Document::title() const {
    if (const auto shrunk = parse_shrunk_source(source))
        return fmt::format("{} shrunk by {:g}", file_name(shrunk->original), shrunk->factor);
    return file_name(source);
}

std::string pane_name(int index) { return std::string(1, char('A' + index)); }

}  // namespace texelscope
