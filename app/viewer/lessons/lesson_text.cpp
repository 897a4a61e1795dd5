// The small parts of a lesson's Markdown: emphasis, sliders, replies, methods in files.

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/state/panes.h"
#include "app/text/text.h"
#include "app/viewer/lessons/lesson.h"
#include "gpu/method/custom_method.h"
#include "gpu/method/kernel_method.h"
#include "gpu/method/spec.h"

namespace texelscope {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> live_figures = {"psnr", "ssim", "rms", "time"};

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

// The end of emphasis or code that begins at `at` with `mark`; npos if there is none.
size_t closing(const std::string& text, size_t at, std::string_view mark) {
    for (size_t end = text.find(mark, at + mark.size() + 1); end != text.npos; end = text.find(mark, end + 1))
        if (mark == "`" || (text[end - 1] != ' ' && text[end - 1] != '\\')) return end;
    return text.npos;
}

}  // namespace

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

std::vector<TextSpan> parse_spans(const std::string& text) {
    using Style = TextSpan::Style;
    std::vector<TextSpan> spans;
    std::string plain;
    const auto flush = [&] {
        if (!plain.empty()) spans.push_back({Style::plain, std::exchange(plain, {})});
    };
    for (size_t i = 0; i < text.size();) {
        const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : ' ';
        if (c == '\\' && std::string_view("*`\\{[|").find(next) != std::string_view::npos) {
            plain += next;
            i += 2;
            continue;
        }
        const size_t named = c == '[' ? text.find("](", i) : text.npos;
        if (const size_t end = named == text.npos ? text.npos : text.find(')', named); end != text.npos) {
            flush();
            spans.push_back({Style::link, text.substr(i + 1, named - i - 1), text.substr(named + 2, end - named - 2)});
            parse_target(spans.back().target);
            i = end + 1;
            continue;
        }
        if (const size_t end = c == '{' ? text.find('}', i) : text.npos; end != text.npos) {
            flush();
            spans.push_back({Style::live, text.substr(i + 1, end - i - 1)});
            i = end + 1;
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
            throw Error(fmt::format(
                "the {0} in this paragraph is not closed; write a second {0}, or \\{0} for a literal one", mark));
        flush();
        const Style style = mark == "`" ? Style::code : mark == "**" ? Style::bold : Style::italic;
        spans.push_back({style, text.substr(i + mark.size(), end - i - mark.size())});
        i = end + mark.size();
    }
    flush();
    return spans;
}

std::vector<std::string> cells_of(std::string_view row) {
    row = trimmed(row);
    if (row.size() < 2 || !row.ends_with('|'))
        throw Error("a row of a table begins and ends with a bar: \"| a | b |\"");
    std::vector<std::string> cells;
    size_t begin = 1;
    bool code = false;
    for (size_t i = 1; i < row.size(); ++i) {
        if (row[i] == '\\') ++i;
        else if (row[i] == '`') code = !code;
        else if (row[i] == '|' && !code) {
            cells.emplace_back(trimmed(row.substr(begin, i - begin)));
            begin = i + 1;
        }
    }
    if (begin < row.size()) throw Error("the ` or the last bar of this row is not closed; write \\| for a literal bar");
    return cells;
}

LinkTarget parse_target(std::string_view target) {
    LinkTarget result;
    constexpr std::string_view method = "method:", term = "term:";
    if (target.starts_with(method)) {
        result.method = &parse_method(target.substr(method.size()));
        return result;
    }
    if (target.starts_with(term)) {
        result.term = find_term(target.substr(term.size()));
        if (!result.term) throw Error(fmt::format("the glossary does not know \"{}\"", target.substr(term.size())));
        return result;
    }
    const size_t hash = target.find('#');
    result.lesson = target.substr(0, hash);
    const auto step = hash == target.npos ? std::optional(1.0) : number_in(target.substr(hash + 1));
    const bool named =
        std::ranges::all_of(result.lesson, [](char c) { return is_word_letter(c) || is_word_digit(c) || c == '-'; });
    if (!named || !step || *step < 1 || *step > 999 || *step != std::floor(*step) || target.empty())
        throw Error(
            fmt::format("\"{}\" is no target of a link; write [text](half-texel#3), [text](#3), "
                        "[text](method:mitchell) or [text](term:aliasing)",
                        target));
    result.step = int(*step) - 1;
    return result;
}

bool is_live_figure(std::string_view word) {
    const std::string_view figure = word.substr(0, word.find(' '));
    const bool of_pane = word.size() == figure.size() + 2 && word.back() >= 'A' && word.back() < 'A' + max_panes;
    return (figure.size() == word.size() || of_pane) && std::ranges::count(live_figures, figure) > 0;
}

LessonSlider parse_slider(std::string_view text) {
    LessonSlider slider;
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
    slider.name = std::string(text.substr(0, text.find(' ')));
    const bool named = !slider.name.empty() && std::ranges::all_of(slider.name, is_letter);
    if (constexpr std::string_view yours = ", or yours"; named && text.ends_with(yours)) {
        const std::string_view rest =
            trimmed(text.substr(slider.name.size(), text.size() - slider.name.size() - yours.size()));
        if (rest.starts_with("= ")) slider.picture = trimmed(rest.substr(2));
        if (slider.picture.empty()) throw Error("this is no picture; write \"picture = @text:128, or yours\"");
        return slider;
    }
    if (constexpr std::string_view kept = ", kept"; text.ends_with(kept)) {
        slider.kept = true;
        text = trimmed(text.substr(0, text.size() - kept.size()));
    }
    const auto number_after = [&](std::string_view word, std::string_view until) {
        const size_t at = text.find(word);
        if (at == text.npos) return std::optional<double>();
        const std::string_view rest = text.substr(at + word.size());
        return number_in(trimmed(rest.substr(0, until.empty() ? rest.npos : rest.find(until))));
    };
    const bool stepped = text.find(" by ") != text.npos;
    const auto start = number_after(" = ", " from "), low = number_after(" from ", " to "),
               high = number_after(" to ", " by "), step = stepped ? number_after(" by ", "") : std::optional(0.0);
    const bool numbers = start && low && high && step && *low < *high && *start >= *low && *start <= *high;
    if (!named || !numbers || *step < 0 || (stepped && *step == 0))
        throw Error(
            "this is no slider; write \"a = -0.5 from -1 to 0\", with \" by 0.1\" for steps and \", kept\" for one that "
            "keeps its value of the step before, or \"picture = @text:128, or yours\"; its name has small letters");
    slider.first = *start;
    slider.low = *low;
    slider.high = *high;
    slider.step = *step;
    return slider;
}

LessonReply parse_number(std::string_view text, bool right, double tolerance) {
    const size_t bar = text.find(" | ");
    std::string_view rest = trimmed(text.substr(0, bar));
    const auto next_number = [&] {
        const size_t end = std::min(rest.find(' '), rest.size());
        const std::optional<double> number = number_in(rest.substr(0, end));
        rest = trimmed(rest.substr(end));
        return number;
    };
    const std::optional<double> value = next_number();
    std::optional<double> within = tolerance;
    if (constexpr std::string_view sign = "±"; value && rest.starts_with(sign)) {
        rest = trimmed(rest.substr(sign.size()));
        within = next_number();
    }
    if (!value || !within || *within < 0)
        throw Error("this is no number; write \"= 7.4 ± 0.1 %\", or \"= 14.8 | a hint\" for a likely mistake");
    if (right && bar != text.npos) throw Error("the first number is the right one and needs no hint");
    if (!right && bar == text.npos)
        throw Error("a number after the first one is a mistake and needs a hint: \"= 14.8 | a hint\"");
    LessonReply reply;
    reply.right = right;
    if (!right) reply.hint = parse_spans(std::string(trimmed(text.substr(bar + 3))));
    reply.value = *value;
    reply.tolerance = std::max(*within, 1e-9 * std::abs(*value));
    reply.unit = std::string(rest);
    return reply;
}

}  // namespace texelscope
