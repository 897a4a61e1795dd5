#pragma once
// Lessons: text in steps, each with a state that the program shows beside it. The format is described in
// docs/lessons.md.

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/session/session.h"
#include "app/viewer/lessons/text_block.h"

namespace texelscope {

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

}  // namespace texelscope
