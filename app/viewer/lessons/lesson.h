#pragma once
// Lessons: text in steps, each with a state that the program shows beside it. The format is described in
// docs/lessons.md.

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/app_state.h"
#include "app/state/session/session.h"
#include "gpu/core/text.h"

namespace texelscope {

// Text with emphasis, for lessons.

struct TextSpan {
    enum class Style { plain, bold, italic, code } style = Style::plain;
    std::string text;
};
struct TextBlock {
    enum class Kind { paragraph, item, note } kind = Kind::paragraph;
    std::vector<TextSpan> spans;
};

// An excerpt of the source that this program was compiled from.
struct SourcePiece {
    std::string file, name;
    int first_line = 1;              // of the file
    std::vector<std::string> lines;  // without the common indentation
};

struct LessonStep {
    int line = 0;  // of the file, at its title
    std::string title;
    std::vector<TextBlock> text;
    std::shared_ptr<const Session> state;     // null: the screen stays as it is
    std::vector<TextBlock> question, answer;  // at most one block each; both or none
    std::vector<SourcePiece> sources;
};

struct Lesson {
    std::string name;            // "half-texel"
    std::filesystem::path path;  // its source; empty: built in
    std::string title;
    std::vector<TextBlock> summary;
    std::vector<LessonStep> steps;  // at least one
};

// Errors call it `file`; its images are relative to `folder`. Throws Error "FILE:LINE: what is wrong and what would be
// right".
Lesson parse_lesson(std::string_view text, const std::string& file, const std::filesystem::path& folder);

// Throws FileError or Error.
Lesson read_lesson(const std::filesystem::path& path);

// The built-in lessons, in the order of their numbers.
std::span<const Lesson> all_lessons();

// Why built-in lessons that failed to parse are missing.
std::span<const std::string> lesson_problems();

// A built-in lesson by its name, with or without the number of its file, or else one in a file. Throws UsageError if
// there is neither, and whatever read_lesson throws.
std::shared_ptr<const Lesson> find_lesson(const std::string& name);

// "03-half-texel.md" → "half-texel"
std::string lesson_name(std::string_view file);

// Without emphasis, paragraphs joined by spaces: for tooltips.
std::string plain_text(std::span<const TextBlock> blocks);

// Lessons in a folder of the user's.

// The lessons (*.md) in this folder, by file name; none if it does not exist.
OwnLessons read_own_lessons(const std::filesystem::path& folder);

// Going through a lesson: pure functions of the state. Work that needs images is requested, done between two frames.

// The reader's current step; null if no lesson is open.
const LessonStep* current_step(const LessonState& lesson);

bool has_next_step(const LessonState& lesson);
bool has_previous_step(const LessonState& lesson);

// Requests the step; does nothing beyond the lesson's ends.
void ask_for_step(const LessonState& lesson, Tasks& tasks, int step);

// Whether the reader has changed the step's state.
bool has_left_step(const AppState& state);

// The built-in lesson after this one; null after the last, and for one from a file.
const Lesson* next_lesson(const LessonState& lesson);

// Opens a lesson, at no step yet; saves the current state for leave_lesson if no other lesson was open.
void begin_lesson(AppState& state, std::shared_ptr<const Lesson> lesson);

// The step whose state belongs on the screen at `step`, coming from `from` (−1: from elsewhere): the step itself, or if
// it has no state, the nearest one before it. −1: the screen stays as it is.
int step_to_show(const Lesson& lesson, int step, int from);

// Goes to a step (the nearest existing one) and sets its state. True if there is a state, whose documents must still
// be shown; then call note_shown.
bool enter_step(AppState& state, int step);

// Call when the documents of the step's scene exist: from now on, changes are the reader's. The view is animated from
// `before` if that was a view of the same image.
struct ViewBefore {
    std::string source;
    View view;
};
ViewBefore view_before(const AppState& state);
void note_shown(AppState& state, const ViewBefore& before);

// Closes the lesson. True if the earlier state is restored and its documents must still be shown.
bool leave_lesson(AppState& state);

// Excerpts of our own source, by the name of a marked region or of a definition.

// The lines between the comments "// [lesson: NAME]" and "// [lesson end]", or else the function, struct or class of
// that name with the comment and the template line above it; the caller sets its file. Empty if there is none.
std::optional<SourcePiece> piece_of(std::string_view source, std::string_view name);

// The functions, structs and classes that it finds there, in their order.
std::vector<std::string> names_of_pieces(std::string_view source);

// "gpu/methods/bilinear.cpp: weights" among the sources in this program. Throws Error with what is missing.
SourcePiece find_source_piece(std::string_view reference);

// Text line by line. Internal to this folder.

inline bool is_blank(std::string_view text) { return trimmed(text).empty(); }

// Without their ends, "\n" or "\r\n".
inline std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
    return lines;
}

}  // namespace texelscope
