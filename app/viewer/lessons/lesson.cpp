#include "app/viewer/lessons/lesson.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/files/bytes/embedded_files.h"
#include "app/files/bytes/file_io.h"
#include "app/state/pane_views.h"
#include "gpu/core/near_names.h"

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
    std::vector<std::string_view> names;
    for (const Lesson& lesson : all_lessons()) names.push_back(lesson.name);
    throw UsageError(
        fmt::format("there is no lesson '{}'{}: name a file, or one of {}", name, did_you_mean(name, names), listed()));
}

std::string plain_text(std::span<const TextBlock> blocks) {
    std::string text;
    for (const TextBlock& block : blocks) {
        if (!text.empty()) text += ' ';
        for (const TextSpan& span : block.spans) text += span.text;
    }
    return text;
}

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

const LessonStep* current_step(const LessonState& lesson) {
    if (!lesson.lesson || lesson.step < 0 || size_t(lesson.step) >= lesson.lesson->steps.size()) return nullptr;
    return &lesson.lesson->steps[size_t(lesson.step)];
}

bool has_next_step(const LessonState& lesson) {
    return current_step(lesson) && size_t(lesson.step) + 1 < lesson.lesson->steps.size();
}

bool has_previous_step(const LessonState& lesson) { return current_step(lesson) && lesson.step > 0; }

void ask_for_step(const LessonState& lesson, Tasks& tasks, int step) {
    if (lesson.lesson && step >= 0 && size_t(step) < lesson.lesson->steps.size()) tasks.push_back(task::ShowStep{step});
}

bool has_left_step(const AppState& state) {
    return current_step(state.lesson) && state.lesson.shown && !still_shows(state.scene, state.ui, *state.lesson.shown);
}

const Lesson* next_lesson(const LessonState& lesson) {
    const auto& now = lesson.lesson;
    if (!now || !now->path.empty()) return nullptr;
    const auto all = all_lessons();
    for (size_t i = 0; i + 1 < all.size(); ++i)
        if (all[i].name == now->name) return &all[i + 1];
    return nullptr;
}

void begin_lesson(AppState& state, std::shared_ptr<const Lesson> lesson) {
    LessonState& now = state.lesson;
    if (!now.lesson) now.before = std::make_shared<const Session>(session_of(state.scene, state.ui));
    now.lesson = std::move(lesson);
    now.step = -1;
    now.shown.reset();
    now.list = now.controls = false;
}

int step_to_show(const Lesson& lesson, int step, int from) {
    if (!lesson.steps[size_t(step)].state && from >= 0 && step == from + 1) return -1;
    while (step >= 0 && !lesson.steps[size_t(step)].state) --step;
    return step;
}

bool enter_step(AppState& state, int step) {
    LessonState& now = state.lesson;
    const Lesson& lesson = *now.lesson;
    step = std::clamp(step, 0, int(lesson.steps.size()) - 1);
    const int shown = step_to_show(lesson, step, now.step);
    now.step = step;
    now.answer = now.scrolled = now.list = now.controls = false;
    if (shown >= 0) {
        const bool panels = state.ui.panels;
        restore(state, *lesson.steps[size_t(shown)].state);
        state.ui.panels = panels;  // the text is in a caption
    }
    // A step that says nothing of plots does not mean those of the step before.
    const bool has_source = !lesson.steps[size_t(step)].sources.empty(),
               has_state = lesson.steps[size_t(step)].state != nullptr;
    Dock& dock = state.ui.dock;
    if (has_source && (dock == Dock::none || !has_state)) dock = Dock::source;
    if (!has_source && dock == Dock::source) dock = Dock::none;
    return shown >= 0;
}

ViewBefore view_before(const AppState& state) {
    const Document* document = state.scene.document();
    return document && document->image ? ViewBefore{document->source, shown_view(state)} : ViewBefore{};
}

void note_shown(AppState& state, const ViewBefore& before) {
    state.lesson.shown = std::make_shared<const Session>(session_of(state.scene, state.ui));
    const Document* document = state.scene.document();
    if (state.ui.animate && document && document->source == before.source)
        state.transition = Transition{before.view, state.now};
}

bool leave_lesson(AppState& state) {
    const auto before = state.lesson.before;
    const bool list = state.lesson.list;
    state.lesson = {};
    state.lesson.list = list;
    if (state.ui.dock == Dock::source) state.ui.dock = Dock::none;
    if (!before) return false;
    const bool panels = state.ui.panels;
    restore(state, *before);
    state.ui.panels = panels;
    return true;
}

}  // namespace texelscope
