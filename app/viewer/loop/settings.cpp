#include "app/viewer/loop/settings.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/files/json_text.h"

namespace texelscope {
namespace {

using nlohmann::json;

template <class T> void take_number(const json& from, const char* key, T& value, T low, T high) {
    const auto at = from.find(key);
    if (at != from.end() && at->is_number()) value = T(std::clamp(at->get<double>(), double(low), double(high)));
}

void take_flag(const json& from, const char* key, bool& value) {
    const auto at = from.find(key);
    if (at != from.end() && at->is_boolean()) value = at->get<bool>();
}

}  // namespace

std::filesystem::path settings_path() {
    const char* config = std::getenv("XDG_CONFIG_HOME");
    if (config && *config) return std::filesystem::path(config) / "texelscope" / "settings.json";
    const char* home = std::getenv("HOME");
    if (home && *home) return std::filesystem::path(home) / ".config" / "texelscope" / "settings.json";
    return {};
}

Settings load_settings(const std::filesystem::path& path, std::string* problem) {
    Settings settings;
    std::error_code none;
    if (path.empty() || !std::filesystem::exists(path, none)) return settings;
    std::ifstream file(path);
    const json root = try_parse_json(std::string(std::istreambuf_iterator<char>(file), {}));
    if (!root.is_object()) {
        if (problem) *problem = fmt::format("{}: cannot be read as settings; the defaults are used", path.string());
        return settings;
    }
    take_number(root, "window_width", settings.window_width, 64, 16384);
    take_number(root, "window_height", settings.window_height, 64, 16384);
    take_number(root, "panel_width", settings.panel_width, 240.0f, 960.0f);
    take_number(root, "dock_width", settings.dock_width, 320.0f, 1600.0f);
    take_number(root, "lesson_width", settings.lesson_width, 240.0f, 960.0f);
    take_flag(root, "animate", settings.animate);
    take_flag(root, "minimap", settings.minimap);
    take_flag(root, "pixel_grid", settings.pixel_grid);
    take_flag(root, "pixel_values", settings.pixel_values);
    take_flag(root, "hint_dismissed", settings.hint_dismissed);
    if (const auto recent = root.find("recent"); recent != root.end() && recent->is_array())
        for (const json& entry : *recent)
            if (entry.is_string() && settings.recent.size() < max_recent)
                settings.recent.push_back(entry.get<std::string>());
    return settings;
}

bool save_settings(const Settings& settings, const std::filesystem::path& path) {
    if (path.empty()) return false;
    const json root = {{"window_width", settings.window_width},
                       {"window_height", settings.window_height},
                       {"panel_width", settings.panel_width},
                       {"dock_width", settings.dock_width},
                       {"lesson_width", settings.lesson_width},
                       {"animate", settings.animate},
                       {"minimap", settings.minimap},
                       {"pixel_grid", settings.pixel_grid},
                       {"pixel_values", settings.pixel_values},
                       {"hint_dismissed", settings.hint_dismissed},
                       {"recent", settings.recent}};
    std::error_code error;
    std::filesystem::create_directories(path.parent_path(), error);
    std::filesystem::path fresh = path;
    fresh += ".new";
    {
        std::ofstream file(fresh);
        // File names need not be UTF-8: better to lose the odd bytes of a name than all settings.
        file << json_text(root, 2) << '\n';
        file.flush();
        if (!file) return false;
    }
    std::filesystem::rename(fresh, path, error);
    return !error;
}

void remember_recent(std::vector<std::string>& recent, const std::string& path) {
    std::erase(recent, path);
    recent.insert(recent.begin(), path);
    if (recent.size() > max_recent) recent.resize(max_recent);
}

}  // namespace texelscope
