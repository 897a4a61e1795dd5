#pragma once
// Settings kept between runs: $XDG_CONFIG_HOME/texelscope/settings.json.

#include <filesystem>
#include <string>
#include <vector>

#include "app/state/interface.h"

namespace texelscope {

struct Settings : Preferences, Overlays {
    int window_width = 1280, window_height = 800;  // window coordinates
    bool operator==(const Settings&) const = default;
};

inline constexpr size_t max_recent = 12;

// Empty if there is no home folder.
std::filesystem::path settings_path();

// The user's own lessons, beside it; empty if there is no home folder.
std::filesystem::path lessons_folder();

// The contents of the file, with defaults for missing or invalid values. `problem` says why a file was ignored.
Settings load_settings(const std::filesystem::path& path, std::string* problem = nullptr);

// False if the file could not be written. The old file stays until the new one is complete.
bool save_settings(const Settings& settings, const std::filesystem::path& path);

// Moves a file to the front.
void remember_recent(std::vector<std::string>& recent, const std::string& path);

}  // namespace texelscope
