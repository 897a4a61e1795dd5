#include "app/viewer/lessons/lesson.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/files/bytes/embedded_files.h"
#include "app/files/bytes/file_io.h"
#include "app/files/desktop/folders.h"
#include "app/state/panes.h"
#include "gpu/core/text.h"

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
    std::string_view name = file;
    if (constexpr auto ending = ending_of(FileKind::lesson); name.ends_with(ending)) name.remove_suffix(ending.size());
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
    if (!name.empty() && (kind_of_file(name) == FileKind::lesson || fs::exists(name, none)))
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
        for (const TextSpan& span : block.spans) text += span.style == TextSpan::Style::live ? "…" : span.text;
    }
    return text;
}

size_t cells_of_table(std::span<const TextBlock> blocks) {
    using Kind = TextBlock::Kind;
    size_t count = 0;
    for (bool heading = true; count < blocks.size() && blocks[count].is_cell(); ++count) {
        const bool again = blocks[count].kind == Kind::heading_cell;
        if (again && !heading) break;
        heading = again;
    }
    return count;
}

OwnLessons read_own_lessons(const std::filesystem::path& folder) {
    OwnLessons own;
    own.folder = folder.string();
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (at->path().extension() == ending_of(FileKind::lesson)) files.push_back(at->path());
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

namespace {

using Lines = std::vector<std::string_view>;

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

size_t indentation(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

SourcePiece cut(const Lines& lines, size_t first, size_t end) {
    size_t common = std::string_view::npos;
    for (size_t i = first; i < end; ++i)
        if (!is_blank(lines[i])) common = std::min(common, indentation(lines[i]));
    SourcePiece piece;
    piece.first_line = int(first) + 1;
    for (size_t i = first; i < end; ++i) piece.lines.emplace_back(lines[i].substr(std::min(common, lines[i].size())));
    return piece;
}

std::optional<SourcePiece> marked_region(const Lines& lines, std::string_view name) {
    const std::string begin = fmt::format("// [lesson: {}]", name);
    for (size_t i = 0; i < lines.size(); ++i) {
        if (trimmed(lines[i]) != begin) continue;
        size_t end = i + 1;
        while (end < lines.size() && trimmed(lines[end]) != "// [lesson end]") ++end;
        if (end > i + 1 && end < lines.size()) return cut(lines, i + 1, end);
    }
    return {};
}

// The source with comments, strings and character constants blanked out, so that the remaining braces count.
std::string only_code(std::string_view source) {
    std::string code(source);
    for (size_t i = 0; i < code.size();) {
        size_t end = i + 1;
        const std::string_view rest = source.substr(i);
        // A digit separator (1'000) does not begin a character constant.
        const bool quoted = rest[0] == '"' || (rest[0] == '\'' && (i == 0 || !in_word(source[i - 1])));
        if (rest.starts_with("//")) {
            end = std::min(source.find('\n', i), source.size());
        } else if (rest.starts_with("/*")) {
            end = std::min(source.find("*/", i + 2), source.size() - 2) + 2;
        } else if (quoted) {
            while (end < source.size() && source[end] != rest[0] && source[end] != '\n')
                end += source[end] == '\\' ? 2 : 1;
            end = std::min(end + 1, source.size());
        } else {
            i = end;
            continue;
        }
        for (; i < end; ++i)
            if (code[i] != '\n') code[i] = ' ';
    }
    return code;
}

// One past the bracket that closes the one at `at`.
size_t behind_closing(std::string_view code, size_t at, char open, char close) {
    int depth = 0;
    for (; at < code.size(); ++at) {
        depth += code[at] == open ? 1 : code[at] == close ? -1 : 0;
        if (depth == 0) return at + 1;
    }
    return code.npos;
}

// The end of the body of a definition whose name ends at `at`; npos if it is a use or a declaration.
size_t end_of_definition(std::string_view code, size_t name, size_t at) {
    const std::string_view before = trimmed(code.substr(0, name));
    const bool type = before.ends_with("struct") || before.ends_with("class");
    if (!type) {
        if (at >= code.size() || code[at] != '(') return code.npos;
        at = behind_closing(code, at, '(', ')');
    }
    // Between parameters (or a type's name) and the body: qualifiers, a return type, base classes, initialisers.
    while (at < code.size() && code[at] != '{') {
        const char c = code[at];
        if (c == '(') {
            at = behind_closing(code, at, '(', ')');
            continue;
        }
        if (!in_word(c) && !std::isspace(static_cast<unsigned char>(c)) &&
            std::string_view(":,<>&*-").find(c) == std::string_view::npos)
            return code.npos;
        ++at;
    }
    return at < code.size() ? behind_closing(code, at, '{', '}') : code.npos;
}

// First line of the comment, template line or macro that belongs to the definition in line `first`.
size_t with_heading(const Lines& lines, const Lines& code, size_t first) {
    while (first > 0) {
        const std::string_view above = trimmed(lines[first - 1]), its_code = trimmed(code[first - 1]);
        const bool ends_something =
            !its_code.empty() && std::string_view(";{}:").find(its_code.back()) != std::string_view::npos;
        if (above.empty() || above.starts_with('#') || above.starts_with("// [lesson") || ends_something) break;
        --first;
    }
    return first;
}

std::optional<SourcePiece> definition(std::string_view source, const Lines& lines, std::string_view name) {
    const std::string text = only_code(source);
    const std::string_view code = text;
    for (size_t at = code.find(name); at != code.npos; at = code.find(name, at + 1)) {
        const size_t behind = at + name.size();
        if ((at > 0 && in_word(code[at - 1])) || (behind < code.size() && in_word(code[behind]))) continue;
        const size_t end = end_of_definition(code, at, behind);
        if (end == code.npos) continue;
        const auto line_at = [&](size_t byte) {
            return size_t(std::count(code.begin(), code.begin() + long(byte), '\n'));
        };
        return cut(lines, with_heading(lines, lines_of(code), line_at(at)), line_at(end - 1) + 1);
    }
    return {};
}

}  // namespace

void mark_lines(SourcePiece& piece, std::string_view text) {
    bool found = false;
    for (size_t i = 0; i < piece.lines.size(); ++i) {
        if (piece.lines[i].find(text) == std::string::npos) continue;
        found = true;
        const auto place = std::lower_bound(piece.marked.begin(), piece.marked.end(), i);
        if (place == piece.marked.end() || *place != i) piece.marked.insert(place, i);
    }
    if (!found) throw Error(fmt::format("no line of {} in {} contains \"{}\"", piece.name, piece.file, text));
}

std::optional<SourcePiece> piece_of(std::string_view source, std::string_view name) {
    if (name.empty()) return {};
    const Lines lines = lines_of(source);
    if (auto region = marked_region(lines, name)) return region;
    return definition(source, lines, name);
}

std::vector<std::string> names_of_pieces(std::string_view source) {
    constexpr std::string_view statements[] = {"if", "for", "while", "switch", "catch", "return", "sizeof", "defined"};
    const std::string text = only_code(source);
    const std::string_view code = text;
    std::vector<std::string> names;
    for (size_t at = 0; at < code.size();) {
        size_t end = at;
        while (end < code.size() && in_word(code[end])) ++end;
        if (end == at) {
            ++at;
            continue;
        }
        const std::string_view word = code.substr(at, end - at);
        const bool digit = word[0] >= '0' && word[0] <= '9';
        if (!digit && std::ranges::count(statements, word) == 0 && std::ranges::count(names, word) == 0 &&
            end_of_definition(code, at, end) != code.npos)
            names.emplace_back(word);
        at = end;
    }
    return names;
}

namespace {

// " (it has a, b, c, …)", or nothing.
std::string list_of(const std::vector<std::string>& names) {
    constexpr size_t most = 16;
    if (names.empty()) return {};
    const std::vector<std::string> first(names.begin(), names.begin() + std::ptrdiff_t(std::min(most, names.size())));
    return fmt::format(" (there {}: {}{})", names.size() == 1 ? "is" : "are", fmt::join(first, ", "),
                       names.size() > most ? ", …" : "");
}

// The files of the same folder; of all folders, if there is none of that name.
std::vector<std::string> sources_beside(std::string_view file) {
    const std::string_view folder = file.substr(0, file.rfind('/') == file.npos ? 0 : file.rfind('/') + 1);
    std::vector<std::string> beside, folders;
    for (const EmbeddedFile& each : embedded_sources()) {
        const std::string_view name = each.name, its = name.substr(0, name.rfind('/') + 1);
        if (!folder.empty() && its == folder) beside.emplace_back(name.substr(its.size()));
        if (std::ranges::count(folders, its) == 0) folders.emplace_back(its);
    }
    return beside.empty() ? folders : beside;
}

}  // namespace

SourcePiece find_source_piece(std::string_view reference) {
    const size_t colon = reference.find(':');
    if (colon == reference.npos || trimmed(reference.substr(colon + 1)).empty())
        throw Error(fmt::format("\"{}\" must be a file and a name in it, such as \"gpu/methods/bilinear.cpp: weights\"",
                                reference));
    const std::string_view file = trimmed(reference.substr(0, colon)), name = trimmed(reference.substr(colon + 1));
    const EmbeddedFile* source = find_file(embedded_sources(), file);
    if (!source)
        throw Error(fmt::format(
            "there is no source file {}; it must be in gpu/ or shaders/, written relative to the project's root{}",
            file, list_of(sources_beside(file))));
    auto piece = piece_of(source->text, name);
    if (!piece)
        throw Error(fmt::format("{} has neither a function or struct {} nor a region marked \"// [lesson: {}]\"{}",
                                file, name, name, list_of(names_of_pieces(source->text))));
    piece->file = file;
    piece->name = name;
    return *piece;
}

}  // namespace texelscope
