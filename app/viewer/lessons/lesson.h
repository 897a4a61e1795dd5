#pragma once
// Lessons: text in steps, each with what the program shows beside it. The format is described in docs/lessons.md.

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/session/session.h"
#include "app/viewer/lessons/text_block.h"

namespace texelscope {

// A part of the source that this program was compiled from.
struct SourcePiece {
    std::string file, name;
    int first_line = 1;              // of the file
    std::vector<std::string> lines;  // without the indentation that all have
};

struct LessonStep {
    int line = 0;  // of the file, where its title stands
    std::string title;
    std::vector<TextBlock> text;
    std::shared_ptr<const Session> state;     // null: what is shown stays
    std::vector<TextBlock> question, answer;  // at most one block each; both or none
    std::vector<SourcePiece> sources;
};

struct Lesson {
    std::string name;            // "half-texel"
    std::filesystem::path path;  // where it was read from; empty: it came with the program
    std::string title;
    std::vector<TextBlock> summary;
    std::vector<LessonStep> steps;  // one at least
};

// `file` is what errors call it, and its images are relative to `folder`. Throws Error "FILE:LINE: what is wrong and
// what would be right".
Lesson parse_lesson(std::string_view text, const std::string& file, const std::filesystem::path& folder);

// Throws FileError or Error.
Lesson read_lesson(const std::filesystem::path& path);

// Those that come with the program, in the order of their numbers.
std::span<const Lesson> all_lessons();

// What is wrong with others that came with it, and cannot be read therefore.
std::span<const std::string> lesson_problems();

// A lesson of the program by its name, with or without the number of its file, or else one in a file. Throws UsageError
// where neither is there, and what read_lesson throws.
std::shared_ptr<const Lesson> find_lesson(const std::string& name);

// "03-half-texel.md" → "half-texel"
std::string lesson_name(std::string_view file);

// Without emphasis, paragraphs joined by spaces: for tooltips.
std::string plain_text(std::span<const TextBlock> blocks);

}  // namespace texelscope
