#include "gpu/weights/weight_words.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gpu/core/text.h"

namespace texelscope {
namespace {

constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_function(std::string_view word) {
    return std::find(formula_functions.begin(), formula_functions.end(), word) != formula_functions.end();
}

// Goes through a formula from left to right and stops at the first word that does not belong there.
class Words {
public:
    explicit Words(const WeightFile& file) : file_(file), text_(file.formula) {}

    std::optional<WeightProblem> problem() {
        while (!problem_ && at_ < text_.size()) next();
        if (!problem_ && !open_.empty())
            refuse(open_.back(), "this parenthesis is not closed: write ) at the end of what it encloses");
        return problem_;
    }

private:
    void refuse(size_t at, std::string sentence) {
        problem_ = {file_.formula_line, file_.formula_column + int(at), std::move(sentence)};
    }

    void next() {
        const char c = text_[at_];
        if (c == ' ' || c == '\t') ++at_;
        else if (is_letter(c)) word();
        else if (is_digit(c) || c == '.') number();
        else sign(c);
    }

    void word() {
        size_t end = at_;
        while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
        const std::string_view word = text_.substr(at_, end - at_);
        size_t after = end;
        while (after < text_.size() && text_[after] == ' ') ++after;
        const bool called = after < text_.size() && text_[after] == '(';
        const bool parameter = std::any_of(file_.parameters.begin(), file_.parameters.end(),
                                           [&](const WeightParameter& p) { return p.id == word; });
        if (word == "w" && !parameter) {
            refuse(at_, "w cannot be used in its own formula: write what it is of x and the parameters");
        } else if (is_function(word)) {
            if (!called) refuse(at_, fmt::format("{} needs its values in parentheses, as in {}(x)", word, word));
        } else if (!parameter && word != "x" && word != "pi") {
            refuse(at_, fmt::format("unknown word '{}': use x, pi, a parameter of this file, or one of {}", word,
                                    fmt::join(formula_functions, ", ")));
        } else if (called) {
            refuse(at_, fmt::format("{} is a number, not a function: write {}·(…) as {}*(…)", word, word, word));
        }
        at_ = end;
    }

    // Digits, a point, an exponent: 1, .5, 2e-3.
    void number() {
        const size_t begin = at_;
        int points = 0;
        while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) points += text_[at_++] == '.';
        if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
            size_t end = at_ + 1;
            if (end < text_.size() && (text_[end] == '-' || text_[end] == '+')) ++end;
            const size_t digits = end;
            while (end < text_.size() && is_digit(text_[end])) ++end;
            if (end > digits) at_ = end;
        }
        if (points > 1 || at_ - begin == size_t(points))
            refuse(begin, fmt::format("'{}' is not a number", text_.substr(begin, at_ - begin)));
        else if (at_ < text_.size() && is_letter(text_[at_]))
            refuse(at_, "a * is missing between the number and the word after it");
    }

    void sign(char c) {
        const std::string_view two = text_.substr(at_, 2);
        if (two == "<=" || two == ">=" || two == "==" || two == "!=" || two == "&&" || two == "||") {
            at_ += 2;
            return;
        }
        switch (c) {
            case '(':
                open_.push_back(at_);
                if (open_.size() > size_t(WeightFile::most_depth))
                    refuse(at_, fmt::format("parentheses are nested deeper than {}", WeightFile::most_depth));
                break;
            case ')':
                if (open_.empty()) refuse(at_, "this parenthesis closes none");
                else open_.pop_back();
                break;
            case '?':
                if (++choices_ > WeightFile::most_depth)
                    refuse(at_, fmt::format("there are more than {} choices ?:", WeightFile::most_depth));
                break;
            case '=': refuse(at_, "= sets nothing inside a formula: compare by =="); break;
            case '+':
            case '-':
            case '*':
            case '/':
            case '^':
            case ',':
            case ':':
            case '<':
            case '>': break;
            default:
                refuse(at_, c >= ' ' && c < 127
                                ? fmt::format("'{}' has no meaning in a formula", c)
                                : "only letters, digits and signs of ASCII have a meaning in a formula");
        }
        ++at_;
    }

    const WeightFile& file_;
    std::string_view text_;
    size_t at_ = 0;
    int choices_ = 0;
    std::vector<size_t> open_;
    std::optional<WeightProblem> problem_;
};

}  // namespace

bool is_identifier(std::string_view word) {
    return !word.empty() && word.size() <= 32 && is_letter(word[0]) && word[0] != '_' &&
           std::all_of(word.begin(), word.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

bool is_reserved(std::string_view word) {
    constexpr std::array<std::string_view, 9> others = {
        "x", "w", "pi", "path", "address", "prefilter", "coefficients", "file", "text"};
    return is_function(word) || std::find(others.begin(), others.end(), word) != others.end();
}

std::optional<WeightProblem> problem_of_words(const WeightFile& file) { return Words(file).problem(); }

bool parse_number(std::string_view text, double& value) {
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

std::string shown(std::string_view text) {
    std::string result;
    for (const char c : text.substr(0, 40)) result += c >= ' ' && c < 127 ? c : '?';
    return text.size() > 40 ? result + "…" : result;
}

bool is_shown_name(std::string_view name) {
    const auto printable = [](char c) { return (unsigned char)c >= ' ' && c != 127; };
    return name.size() <= WeightFile::most_name_bytes && std::all_of(name.begin(), name.end(), printable);
}

std::string bad_name_sentence() {
    return fmt::format("a name has at most {} printable characters", WeightFile::most_name_bytes);
}

ParameterLine parse_parameter(std::string_view id, std::string_view value) {
    ParameterLine line;
    WeightParameter& parameter = line.parameter;
    parameter.id = id;
    const size_t from = value.find(" from "), to = value.find(" to ");
    const bool shaped = from != std::string_view::npos && to != std::string_view::npos && to > from + 5 &&
                        parse_number(trimmed(value.substr(0, from)), parameter.standard) &&
                        parse_number(trimmed(value.substr(from + 6, to - from - 6)), parameter.minimum) &&
                        parse_number(trimmed(value.substr(to + 4)), parameter.maximum);
    line.at_id = !is_identifier(id);
    if (line.at_id)
        line.problem = fmt::format("'{}' is no name: up to 32 letters, digits and _, a letter first", shown(id));
    else if (!shaped) line.problem = "write its default and range: parameter a = 0.5 from 0 to 1";
    else if (!(parameter.minimum < parameter.maximum && parameter.minimum <= parameter.standard &&
               parameter.standard <= parameter.maximum))
        line.problem = "the default must be within the range, and the range must not be empty";
    return line;
}

}  // namespace texelscope
