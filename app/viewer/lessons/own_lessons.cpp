#include "app/viewer/lessons/own_lessons.h"

#include <algorithm>

#include "app/viewer/lessons/lesson.h"

namespace texelscope {

OwnLessons read_own_lessons(const std::filesystem::path& folder) {
    OwnLessons own;
    own.folder = folder.string();
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (at->path().extension() == ".md") files.push_back(at->path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) try {
            const Lesson lesson = read_lesson(file);
            own.lessons.push_back({lesson.path.string(), lesson.title, plain_text(lesson.summary)});
        } catch (const Error& problem) {
            const std::string text = problem.what(), within = own.folder + '/';
            own.problems.push_back(text.starts_with(within) ? text.substr(within.size()) : text);
        }
    return own;
}

}  // namespace texelscope
