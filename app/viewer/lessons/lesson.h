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
#include "app/text/glossary.h"
#include "gpu/core/text.h"

namespace texelscope {

// Text with emphasis, for lessons.

struct TextSpan {
    enum class Style { plain, bold, italic, code, live, link } style = Style::plain;
    std::string text;         // live: the name of the value that is shown in its place, "a" or "psnr B"
    std::string target = {};  // of a link: "half-texel#3", "#3", "method:mitchell" or "term:aliasing"
};
struct TextBlock {
    enum class Kind { paragraph, item, note, heading_cell, cell } kind = Kind::paragraph;
    std::vector<TextSpan> spans;
    int column = 0, columns = 0;  // of a cell: the cells of a table follow one another, row by row

    bool is_cell() const { return kind >= Kind::heading_cell; }
};

// How many blocks from the first one on are one table: 0 if that is no cell. A heading begins each table.
size_t cells_of_table(std::span<const TextBlock> blocks);

// An excerpt of the source that this program was compiled from.
struct SourcePiece {
    std::string file, name;
    int first_line = 1;              // of the file
    std::vector<std::string> lines;  // without the common indentation
    std::vector<size_t> marked;      // indices of lines that the step is about
};

// A number that the reader moves, or a picture that the reader may replace: it stands for `{name}` in the step's state and
// text.
struct LessonSlider {
    std::string name;
    double first = 0, low = 0, high = 1;
    double step = 0;           // 0: all numbers between
    bool kept = false;         // begins with the value that the step before had for this name, if it had one
    std::string picture = {};  // the lesson's own source; empty: a number
};

// What a step shows: JSON, in which the names of sliders may stand for numbers.
struct StepState {
    std::string json;                             // empty: the screen stays as it is
    int line = 0;                                 // of the file, at its first line
    std::shared_ptr<const Session> session = {};  // with the sliders at their first values

    explicit operator bool() const { return session != nullptr; }
    const Session* operator->() const { return session.get(); }
    const Session& operator*() const { return *session; }
};

// One of the answers to choose from; or a number to be typed, whose first one is right and the others are likely mistakes.
struct LessonReply {
    std::vector<TextSpan> text;  // of a choice
    bool right = false;
    std::vector<TextSpan> hint;       // for those that are not right
    double value = 0, tolerance = 0;  // of a number
    std::string unit = {};            // behind the field
};

struct LessonStep {
    int line = 0;  // of the file, at its title
    std::string title;
    std::vector<TextBlock> text;
    StepState state;
    std::vector<LessonSlider> sliders;
    std::vector<TextBlock> question, answer;  // at most one block each; both or none
    std::vector<LessonReply> replies;         // empty: the question is not checked
    bool typed = false;                       // replies are numbers
    StepState answer_state;                   // is shown with the answer
    std::vector<SourcePiece> sources;
};

struct Lesson {
    std::string name;                   // "half-texel"
    std::filesystem::path path;         // its source; empty: built in
    std::filesystem::path folder = {};  // that files in it are relative to; empty: built in
    std::string title;
    std::vector<TextBlock> summary;
    std::string part, goal;                      // of a course; empty: not said
    int minutes = 0;                             // 0: not said
    std::vector<std::string> after;              // names of lessons that should be known
    std::vector<std::vector<TextSpan>> sources;  // references
    std::vector<LessonStep> steps;               // at least one
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

// The step's state with these values of its sliders, and this source for its pictures if it is not empty. Throws Error for
// values that its images or methods do not take.
Session session_of_state(const Lesson& lesson, const LessonStep& step, const StepState& state,
                         std::span<const double> values, const std::string& own_picture = {});

// Whether the step takes a picture of the reader's.
bool takes_picture(const LessonState& lesson);

// The picture that was looked at before the lesson; empty if it was one of ours.
std::string picture_before(const LessonState& lesson);

// From now on, steps that take a picture show this one; empty: the lesson's. The step is shown again.
void use_picture(AppState& state, const std::string& source);

// The values that a step's sliders begin with, coming from a step with these.
std::vector<double> first_values(const LessonStep& step, const LessonStep* before, std::span<const double> values);

// What a live word is now: a slider's value or a pane's figure, "…" while that is not known. A time is the median of the
// renderings so far.
std::string live_text(const AppState& state, std::string_view word);

// Whether the step's words tell the time of a pane.
bool tells_times(const LessonState& lesson);

// The blocks with live words replaced by what they are now.
std::vector<TextBlock> with_live_texts(std::span<const TextBlock> blocks, const AppState& state);

// The reader's reply to the step's question: the index of a choice, or a number as it was typed. It is compared, counted in
// Preferences::answered, and its answer is shown if it is right. An answer that is no number is not counted.
void choose_reply(AppState& state, int index);
void type_reply(AppState& state, const std::string& text);

// Shows the answer to the step's question or hides it, with its state if it has one.
void toggle_answer(AppState& state);

// The key of a step's entry in Preferences::answered: "half-texel#3".
std::string answer_key(const Lesson& lesson, int step);

// What was answered in the built-in lessons, as a table of tab-separated columns: lesson, step, question, replies up to the
// right one. Empty if nothing was.
std::string results_text(const Preferences& kept);

// Requests the step; does nothing beyond the lesson's ends.
void ask_for_step(const LessonState& lesson, Tasks& tasks, int step);

// Whether the reader has changed the step's state or moved its sliders.
bool has_left_step(const AppState& state);

// The built-in lesson after this one; null after the last, and for one from a file.
const Lesson* next_lesson(const LessonState& lesson);

// Opens a lesson, at no step yet; saves the current state for leave_lesson if no other lesson was open.
void begin_lesson(AppState& state, std::shared_ptr<const Lesson> lesson);

// The step whose state belongs on the screen at `step`, coming from `from` (−1: from elsewhere): the step itself, or if
// it has no state, the nearest one before it. −1: the screen stays as it is.
int step_to_show(const Lesson& lesson, int step, int from);

// Goes to a step (the nearest existing one) and sets its state. True if there is a state, whose documents must still
// be shown; then call note_shown. `again`: only the state is set, since a slider was moved or the answer is shown; the view
// stays as the reader has it unless the state's own is another one now. Throws Error, as session_of_state does.
bool enter_step(AppState& state, int step, bool again = false);

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

// Marks the lines of an excerpt that contain this text. Throws Error if none does.
void mark_lines(SourcePiece& piece, std::string_view text);

// The small parts of a lesson's Markdown. Internal to this folder. Those that parse throw Error with what would be right.

// Number of valid UTF-8 bytes at the start.
size_t utf8_length(std::string_view text);

// A line of JSON in which the texts of methods stand for the files that their specs name, relative to the lesson. Strings
// with escapes stay as they are.
std::string with_method_texts(std::string_view line, const std::filesystem::path& folder);

std::vector<TextSpan> parse_spans(const std::string& text);

// "| a | b |" → "a", "b". A bar behind a backslash, which stays, or in code, ends no cell. Throws Error without a last bar.
std::vector<std::string> cells_of(std::string_view row);

// A link's place: a lesson and its step, a method, a term of the glossary.
struct LinkTarget {
    std::string lesson;  // empty: the one that the link is in
    int step = 0;        // from 0
    const MethodInfo* method = nullptr;
    const GlossaryEntry* term = nullptr;
};

// Throws Error if there is no such method or term, or if it is no target. Whether the lesson and its step exist is not known.
LinkTarget parse_target(std::string_view target);

// Whether {word} is a figure of a pane: "psnr", "psnr B".
bool is_live_figure(std::string_view word);

// "a = -0.5 from -1 to 0", "turns = 3 from 1 to 36 by 1", "s = 1 from 1 to 4, kept", "picture = @text:128, or yours"
LessonSlider parse_slider(std::string_view text);

// "7.4 ± 0.1 %" if it is the right one, else "14.8 | a hint", which `tolerance` applies to.
LessonReply parse_number(std::string_view text, bool right, double tolerance);

// Text line by line.

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
