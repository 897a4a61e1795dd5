// A lesson from its Markdown.

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/viewer/lessons/lesson.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/spec.h"

namespace texelscope {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view headings = "use \"# \" for the lesson's title and \"## \" for that of a step";

// Number of valid UTF-8 bytes at the start.
size_t utf8_length(std::string_view text) {
    size_t at = 0;
    while (at < text.size()) {
        const auto lead = static_cast<unsigned char>(text[at]);
        const size_t more = lead < 0x80                   ? 0
                            : lead >= 0xC2 && lead < 0xE0 ? 1
                            : lead >= 0xE0 && lead < 0xF0 ? 2
                            : lead >= 0xF0 && lead < 0xF5 ? 3
                                                          : 9;
        if (lead == 0 || at + more >= text.size()) break;
        const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
        if (!std::all_of(text.begin() + long(at) + 1, text.begin() + long(at + more) + 1, continues)) break;
        at += more + 1;
    }
    return at;
}

std::string text_of_method_file(std::string_view id, const std::string& file) {
    if (id == kernel_id) return kernel_of(kernel_method_of_file(file))->text();
    return custom_method_of_file(file).custom->function().text();
}

// A spec whose method is in a file: with the text of that file, which is named relative to the lesson as images are.
std::string with_method_text(std::string_view spec, const fs::path& folder) {
    const std::string_view id = spec.substr(0, spec.find(':'));
    const bool of_file = std::ranges::find(method_forms, id, &MethodForm::id) != std::end(method_forms);
    if (!of_file || id.size() == spec.size()) return std::string(spec);
    constexpr std::string_view key = "file=";
    std::string result(id);
    for (size_t at = id.size(); at < spec.size();) {
        const size_t end = std::min(spec.find(',', at + 1), spec.size());
        const std::string_view setting = spec.substr(at + 1, end - at - 1);
        result += spec[at];
        if (setting.starts_with(key))
            result += "text=" + encoded_text(text_of_method_file(id, (folder / setting.substr(key.size())).string()));
        else result += setting;
        at = end;
    }
    return result;
}

// A line of JSON with such specs. Strings with escapes stay as they are.
std::string with_method_texts(std::string_view line, const fs::path& folder) {
    std::string result;
    while (!line.empty()) {
        const size_t begin = line.find('"');
        size_t end = begin == line.npos ? line.npos : begin + 1;
        while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
        if (end >= line.size()) return result += line;
        const std::string_view text = line.substr(begin + 1, end - begin - 1);
        result += line.substr(0, begin + 1);
        result += text.find('\\') == text.npos ? with_method_text(text, folder) : std::string(text);
        result += '"';
        line.remove_prefix(end + 1);
    }
    return result;
}

class LessonParser {
public:
    LessonParser(std::string_view text, const std::string& file, const fs::path& folder)
        : text_(text), lines_(lines_of(text)), file_(file), folder_(folder) {}

    Lesson parse() {
        if (const size_t valid = utf8_length(text_); valid < text_.size())
            complain(size_t(std::count(text_.begin(), text_.begin() + long(valid), '\n')),
                     "this is not UTF-8; save the file as UTF-8");
        for (; at_ < lines_.size(); ++at_) take_line(lines_[at_]);
        end_step();
        if (lesson_.title.empty()) complain(0, "there is no title; start with the line \"# Title of the lesson\"");
        if (lesson_.steps.empty())
            complain(lines_.size() - 1, "there is no step; start each one with \"## Title of the step\"");
        return std::move(lesson_);
    }

private:
    // A paragraph, item, note, question or answer that is still being read.
    struct Open {
        TextBlock::Kind kind;
        std::vector<TextBlock>* into;
        std::string text;
        size_t line;
    };

    [[noreturn]] void complain(size_t line, const std::string& what) const {
        throw Error(fmt::format("{}:{}: {}", file_, line + 1, what));
    }

    LessonStep* step() { return lesson_.steps.empty() ? nullptr : &lesson_.steps.back(); }

    void take_line(std::string_view line) {
        if (line.starts_with("```")) return take_fence(trimmed(line.substr(3)));
        if (is_blank(line)) return end_block();
        if (line.starts_with('#')) return take_heading(line);
        if (lesson_.title.empty())
            complain(at_, "there is text before the title; start with the line \"# Title of the lesson\"");
        if (line.starts_with("? ")) return begin_asking(true, line.substr(2));
        if (line.starts_with("! ")) return begin_asking(false, line.substr(2));
        if (line.starts_with("- ")) return begin_text(TextBlock::Kind::item, line.substr(2));
        if (line.starts_with('>')) {
            const std::string_view text = trimmed(line.substr(1));
            if (open_ && open_->kind == TextBlock::Kind::note && !text.empty()) return go_on(text);
            return text.empty() ? end_block() : begin_text(TextBlock::Kind::note, text);
        }
        if (open_) return go_on(trimmed(line));
        begin_text(TextBlock::Kind::paragraph, line);
    }

    void take_heading(std::string_view line) {
        end_block();
        const size_t depth = line.find_first_not_of('#');
        const std::string title(depth == line.npos ? "" : trimmed(line.substr(depth)));
        if (depth == line.npos || depth > 2 || line[depth] != ' ' || title.empty())
            complain(at_, fmt::format("this is not a lesson heading: {}", headings));
        if (depth == 1) {
            if (!lesson_.title.empty()) complain(at_, fmt::format("the lesson already has a title: {}", headings));
            lesson_.title = title;
            return;
        }
        if (lesson_.title.empty())
            complain(at_, "there is a step before the title; start with the line \"# Title of the lesson\"");
        end_step();
        LessonStep next;
        next.line = int(at_) + 1;
        next.title = title;
        lesson_.steps.push_back(std::move(next));
    }

    void begin(TextBlock::Kind kind, std::vector<TextBlock>& into, std::string_view text) {
        end_block();
        open_ = Open{kind, &into, std::string(trimmed(text)), at_};
    }

    void begin_text(TextBlock::Kind kind, std::string_view text) {
        begin(kind, step() ? step()->text : lesson_.summary, text);
    }

    void begin_asking(bool question, std::string_view text) {
        if (!step()) complain(at_, "a question must be inside a step; start one with \"## Title of the step\"");
        end_block();
        auto& into = question ? step()->question : step()->answer;
        if (!into.empty())
            complain(at_, question ? "this step already has a question; only one is allowed"
                                   : "this question already has an answer");
        if (!question && step()->question.empty())
            complain(at_, "this answer has no question; write one before it, as \"? The question\"");
        begin(TextBlock::Kind::paragraph, into, text);
    }

    void go_on(std::string_view text) { open_->text += fmt::format(" {}", text); }

    void end_block() {
        if (!open_) return;
        const Open block = *std::exchange(open_, {});
        block.into->push_back({block.kind, spans_of(block.text, block.line)});
    }

    void end_step() {
        end_block();
        if (!step()) return;
        if (step()->text.empty())
            complain(size_t(step()->line) - 1, "this step has no text; add a paragraph below its title");
        if (!step()->question.empty() && step()->answer.empty())
            complain(size_t(step()->line) - 1,
                     "the question of this step has no answer; write one below it, as \"! The answer\"");
    }

    void take_fence(std::string_view kind) {
        end_block();
        const size_t first = at_ + 1;
        if (kind != "state" && kind != "source")
            complain(at_, fmt::format("a block must be ```state or ```source, not ```{}", kind));
        if (!step()) complain(at_, "a block must be inside a step; start one with \"## Title of the step\"");
        while (++at_ < lines_.size() && trimmed(lines_[at_]) != "```") {}
        if (at_ >= lines_.size()) complain(first - 1, "this block is not closed; end it with a line of ```");
        if (kind == "state") take_state(first);
        else take_sources(first);
    }

    void take_state(size_t first) {
        if (step()->state) complain(first - 1, "this step already has a state; only one is allowed");
        std::string json;
        for (size_t i = first; i < at_; ++i) try {
                json += (folder_.empty() ? std::string(lines_[i]) : with_method_texts(lines_[i], folder_)) + "\n";
            } catch (const Error& error) {
                complain(i, error.what());
            }
        try {
            step()->state = std::make_shared<const Session>(step_from_json(json, folder_));
        } catch (const StepError& error) {
            complain(first + size_t(error.line) - 1, error.what());
        }
    }

    void take_sources(size_t first) {
        const size_t before = step()->sources.size();
        for (size_t i = first; i < at_; ++i) try {
                if (!is_blank(lines_[i])) step()->sources.push_back(find_source_piece(trimmed(lines_[i])));
            } catch (const Error& error) {
                complain(i, error.what());
            }
        if (step()->sources.size() == before)
            complain(first - 1, "this block does not name a source; write \"FILE: NAME\" in it");
    }

    // The end of emphasis or code that begins at `at` with `mark`; npos if there is none.
    static size_t closing(const std::string& text, size_t at, std::string_view mark) {
        for (size_t end = text.find(mark, at + mark.size() + 1); end != text.npos; end = text.find(mark, end + 1))
            if (mark == "`" || (text[end - 1] != ' ' && text[end - 1] != '\\')) return end;
        return text.npos;
    }

    std::vector<TextSpan> spans_of(const std::string& text, size_t line) const {
        using Style = TextSpan::Style;
        std::vector<TextSpan> spans;
        std::string plain;
        const auto flush = [&] {
            if (!plain.empty()) spans.push_back({Style::plain, std::exchange(plain, {})});
        };
        for (size_t i = 0; i < text.size();) {
            const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : ' ';
            if (c == '\\' && std::string_view("*`\\").find(next) != std::string_view::npos) {
                plain += next;
                i += 2;
                continue;
            }
            const std::string_view mark = c == '`' ? "`" : c != '*' ? "" : next == '*' ? "**" : "*";
            const char inner = i + mark.size() < text.size() ? text[i + mark.size()] : ' ';
            // A star between spaces or within a word is literal: 2 * 3, a*b.
            const bool literal =
                mark == "*" && (inner == ' ' || (i > 0 && std::isalnum(static_cast<unsigned char>(text[i - 1]))));
            if (mark.empty() || literal) {
                plain += c;
                ++i;
                continue;
            }
            const size_t end = closing(text, i, mark);
            if (end == text.npos)
                complain(line,
                         fmt::format(
                             "the {0} in this paragraph is not closed; write a second {0}, or \\{0} for a literal one",
                             mark));
            flush();
            const Style style = mark == "`" ? Style::code : mark == "**" ? Style::bold : Style::italic;
            spans.push_back({style, text.substr(i + mark.size(), end - i - mark.size())});
            i = end + mark.size();
        }
        flush();
        return spans;
    }

    std::string_view text_;
    std::vector<std::string_view> lines_;
    const std::string& file_;
    const fs::path& folder_;
    size_t at_ = 0;
    std::optional<Open> open_;
    Lesson lesson_;
};

}  // namespace

Lesson parse_lesson(std::string_view text, const std::string& file, const fs::path& folder) {
    if (constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF"; text.starts_with(byte_order_mark))
        text.remove_prefix(byte_order_mark.size());
    Lesson lesson = LessonParser(text, file, folder).parse();
    lesson.name = lesson_name(fs::path(file).filename().string());
    return lesson;
}

}  // namespace texelscope
