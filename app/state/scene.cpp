#include "app/state/scene.h"

#include <filesystem>

namespace texelscope {

std::string Document::title() const { return is_file() ? std::filesystem::path(source).filename().string() : source; }

std::string pane_name(int index) { return std::string(1, char('A' + index)); }

}  // namespace texelscope
