#include "app/viewer/lessons/lesson.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/files/bytes/embedded_files.h"
#include "app/files/bytes/file_io.h"

namespace texelscope {
namespace {

namespace fs = std::filesystem;

constexpr size_t max_bytes = 1 << 20;

struct Collection {
    std::vector<Lesson> lessons;
    std::vector<std::string> problems;

    Collection() {
        std::vector<EmbeddedFile> files(embedded_lessons().begin(), embedded_lessons().end());
        std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
        for (const EmbeddedFile& file : files) try {
                lessons.push_back(parse_lesson(file.text, std::string(file.name), {}));
            } catch (const Error& error) {
                problems.push_back(error.what());
            }
    }
};

const Collection& collection() {
    static const Collection all;
    return all;
}

std::string listed() {
    std::string names;
    for (const Lesson& lesson : all_lessons()) names += (names.empty() ? "" : ", ") + lesson.name;
    return names;
}

}  // namespace

std::string lesson_name(std::string_view file) {
    std::string_view name = file.ends_with(".md") ? file.substr(0, file.size() - 3) : file;
    const size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
    if (digits > 0 && digits + 1 < name.size() && name[digits] == '-') name.remove_prefix(digits + 1);
    return std::string(name);
}

Lesson read_lesson(const fs::path& path) {
    const Bytes bytes = read_prefix(path, max_bytes + 1);
    if (bytes.size() > max_bytes)
        throw FileError(path.string(), fmt::format("is larger than {} MiB, too large for a lesson", max_bytes >> 20));
    std::error_code error;
    const fs::path full = fs::absolute(path, error).lexically_normal();
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    Lesson lesson = parse_lesson(text, path.string(), full.parent_path());
    lesson.path = full;
    return lesson;
}

std::span<const Lesson> all_lessons() { return collection().lessons; }
std::span<const std::string> lesson_problems() { return collection().problems; }

std::shared_ptr<const Lesson> find_lesson(const std::string& name) {
    const std::string wanted = lesson_name(name);
    for (const Lesson& lesson : all_lessons())
        if (lesson.name == wanted && name.find('/') == name.npos) return std::make_shared<const Lesson>(lesson);
    std::error_code none;
    if (!name.empty() && (name.ends_with(".md") || fs::exists(name, none)))
        return std::make_shared<const Lesson>(read_lesson(name));
    throw UsageError(fmt::format("there is no lesson '{}': name a file, or one of {}", name, listed()));
}

std::string plain_text(std::span<const TextBlock> blocks) {
    std::string text;
    for (const TextBlock& block : blocks) {
        if (!text.empty()) text += ' ';
        for (const TextSpan& span : block.spans) text += span.text;
    }
    return text;
}

}  // namespace texelscope
