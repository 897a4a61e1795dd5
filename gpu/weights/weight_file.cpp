#include "gpu/weights/weights.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gpu/core/text.h"
#include "gpu/weights/poles.h"

namespace texelscope {
namespace {

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}

    ParsedWeights read() {
        if (text_.size() > WeightFile::most_bytes) {
            refuse(fmt::format("the text has {} bytes: at most {} are read", text_.size(), WeightFile::most_bytes));
            return result_;
        }
        if (text_.find('\0') != std::string_view::npos) {
            refuse("this is no text: it contains a zero byte");
            return result_;
        }
        for (std::string_view rest = text_; number_ == 1 || !rest.empty(); ++number_) {
            const size_t end = std::min(rest.find('\n'), rest.size());
            line_ = rest.substr(0, end);
            read_line();
            rest.remove_prefix(std::min(end + 1, rest.size()));
            if (rest.empty()) break;
        }
        check_whole();
        return result_;
    }

private:
    WeightFile& file() { return result_.file; }

    void refuse(std::string sentence) { refuse(line_, std::move(sentence)); }

    // At a part of this line.
    void refuse(std::string_view at, std::string sentence) {
        const bool inside = at.data() >= line_.data() && at.data() <= line_.data() + line_.size() && line_.data();
        refuse(number_, inside ? int(at.data() - line_.data()) + 1 : 1, std::move(sentence));
    }

    void refuse(int line, int column, std::string sentence) {
        for (const WeightProblem& problem : result_.problems)
            if (problem.line == line) return;
        result_.problems.push_back({line, column, std::move(sentence)});
    }

    void read_line() {
        const std::string_view text = trimmed(line_.substr(0, line_.find('#')));
        if (text.empty()) return;
        const size_t equals = text.find('=');
        const std::string_view key = trimmed(text.substr(0, equals));
        if (equals == std::string_view::npos)
            return refuse_line(text, fmt::format("'{}' is not of the form key = value", shown(text)));
        const std::string_view value = trimmed(text.substr(equals + 1));
        const bool parameter = key.starts_with("parameter ") || key.starts_with("parameter\t");
        const std::string once = parameter ? "parameter " + std::string(trimmed(key.substr(10))) : std::string(key);
        if (value.empty()) refuse_line(text, fmt::format("nothing stands after the = of {}", shown(key)));
        else if (!seen_.insert(once).second) refuse(text, fmt::format("{} is given twice: keep one", shown(once)));
        else if (key == "name") read_name(value);
        else if (key == "radius") read_radius(value);
        else if (key == "normalise") read_choice(value, "yes", "no", file().normalise);
        else if (key == "prefilter") read_prefilter(value);
        else if (key == "w(x)") read_formula(value);
        else if (parameter) read_parameter(trimmed(key.substr(10)), value);
        else
            refuse_line(text, fmt::format("unknown key '{}': choose one of name, radius, parameter NAME, normalise, "
                                          "prefilter, w(x)",
                                          shown(key)));
    }

    // One that may be meant for what is missing.
    void refuse_line(std::string_view text, std::string sentence) {
        other_lines_ = true;
        refuse(text, std::move(sentence));
    }

    void read_name(std::string_view value) {
        if (is_shown_name(value)) file().name = value;
        else refuse(value, bad_name_sentence());
    }

    void read_radius(std::string_view value) {
        double radius = 0;
        if (!parse_number(value, radius) || !is_radius(radius)) refuse(value, bad_radius_sentence(shown(value)));
        else file().radius = radius;
    }

    void read_choice(std::string_view value, std::string_view yes, std::string_view no, bool& chosen,
                     std::string_view others = "") {
        if (value == yes || value == no) chosen = value == yes;
        else refuse(value, fmt::format("choose {} or {}{}, not '{}'", yes, no, others, shown(value)));
    }

    void read_formula(std::string_view value) {
        if (value.size() > WeightFile::most_formula_bytes) {
            refuse(value, fmt::format("the formula has {} characters: at most {} are read", value.size(),
                                      WeightFile::most_formula_bytes));
            return;
        }
        file().formula = value;
        file().formula_line = number_;
        file().formula_column = int(value.data() - line_.data()) + 1;
    }

    // auto · none · poles Z, Z, … · taps B, B, … · taps N of B
    void read_prefilter(std::string_view value) {
        const size_t end = std::min(value.find_first_of(" \t"), value.size());
        const std::string_view word = value.substr(0, end), rest = trimmed(value.substr(end));
        StatedPrefilter& stated = file().stated;
        stated.recursive = word == "poles";
        if (rest.empty() || (!stated.recursive && word != "taps"))
            return read_choice(value, "auto", "none", file().prefilter, ", or poles or taps with their values");
        const size_t of = rest.find(" of ");
        const bool one = !stated.recursive && of != std::string_view::npos;
        size_t count = 0;
        if (one) {
            double taps = 0;
            if (!parse_number(trimmed(rest.substr(0, of)), taps) || !(taps >= 0 && taps <= 1e6) || taps != int(taps))
                return refuse(rest, "write how many taps there are: taps 15 of a formula of x");
            count = size_t(stated.count = int(taps));
        }
        stated.line = number_;
        for (const std::string_view each : one ? std::vector{trimmed(rest.substr(of + 4))} : parts_of(rest)) {
            if (each.empty()) return refuse(rest, "a value is missing before or after a comma");
            if (each.size() > WeightFile::most_formula_bytes) return refuse(each, "this formula is too long");
            stated.values.push_back({std::string(each), int(each.data() - line_.data()) + 1});
        }
        if (!one) count = stated.values.size();
        if (stated.recursive && count > size_t(most_poles))
            return refuse(rest, fmt::format("{} poles are too many: up to {} can be computed", count, most_poles));
        constexpr int most = 2 * most_inverse_taps + 1;
        if (!stated.recursive && (count % 2 == 0 || count < 3 || count > size_t(most)))
            refuse(rest, fmt::format("a filter of {} taps {}: write an odd number of them, from 3 to {}", count,
                                     count % 2 == 0 ? "has none in its middle" : "cannot be computed", most));
    }

    // Between commas that are not within parentheses.
    static std::vector<std::string_view> parts_of(std::string_view text) {
        std::vector<std::string_view> parts;
        size_t begin = 0;
        int depth = 0;
        for (size_t at = 0; at <= text.size(); ++at) {
            const char c = at < text.size() ? text[at] : ',';
            depth += (c == '(') - (c == ')');
            if (c != ',' || (depth > 0 && at < text.size())) continue;
            parts.push_back(trimmed(text.substr(begin, at - begin)));
            begin = at + 1;
        }
        return parts;
    }

    // 0.5 from 0 to 1
    void read_parameter(std::string_view id, std::string_view value) {
        const ParameterLine line = parse_parameter(id, value);
        if (line.at_id) return refuse(line.problem);
        if (is_reserved(id)) return refuse(fmt::format("a parameter cannot be called {}: the word has a meaning", id));
        if (file().parameters.size() >= WeightFile::most_parameters)
            return refuse(fmt::format("there are more than {} parameters", WeightFile::most_parameters));
        if (!line.problem.empty()) refuse(value, line.problem);
        file().parameters.push_back(line.parameter);  // even if its range is wrong, its name is right in the formula
    }

    void check_whole() {
        if (!file().formula.empty())
            if (const auto problem = problem_of_words(file()))
                refuse(problem->line, problem->column, problem->sentence);
        for (size_t k = 0; k < file().stated.values.size(); ++k)
            if (const auto problem = problem_of_words(file().with_value(k), file().stated.count > 0))
                refuse(problem->line, problem->column, problem->sentence);
        const auto missing = [&](const char* key) {  // of a line that could be read or was refused
            return !other_lines_ && seen_.count(key) == 0;
        };
        if (missing("radius")) refuse_whole("the radius is missing: write radius = 2 for a function on −2 … 2");
        else if (missing("w(x)")) refuse_whole("the formula is missing: write w(x) = and the weight at distance x");
        std::stable_sort(result_.problems.begin(), result_.problems.end(),
                         [](const WeightProblem& a, const WeightProblem& b) { return a.line < b.line; });
    }

    // At the end; in no line if the last one has the formula, or a problem of its own.
    void refuse_whole(std::string sentence) {
        const bool taken =
            (!file().formula.empty() && file().formula_line == number_) ||
            std::ranges::any_of(result_.problems, [&](const WeightProblem& p) { return p.line == number_; });
        refuse(taken ? 0 : number_, 1, std::move(sentence));
    }

    std::string_view text_, line_;
    int number_ = 1;
    std::set<std::string> seen_;
    bool other_lines_ = false;  // that are no key = value of a known key: what is missing may be one of them
    ParsedWeights result_;
};

}  // namespace

ParsedWeights parse_weights(std::string_view text) { return Reader(text).read(); }

std::string to_string(const WeightProblem& problem) {
    if (problem.line < 1) return problem.sentence;
    return fmt::format("line {}, column {}: {}", problem.line, problem.column, problem.sentence);
}

namespace {

bool is_function(std::string_view word) {
    return std::find(formula_functions.begin(), formula_functions.end(), word) != formula_functions.end();
}

// Goes through a formula from left to right and stops at the first word that does not belong there.
class Words {
public:
    Words(const WeightFile& file, bool has_x) : file_(file), text_(file.formula), has_x_(has_x) {}

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
        else if (is_word_letter(c)) word();
        else if (is_word_digit(c) || c == '.') number();
        else sign(c);
    }

    void word() {
        size_t end = at_;
        while (end < text_.size() && (is_word_letter(text_[end]) || is_word_digit(text_[end]))) ++end;
        const std::string_view word = text_.substr(at_, end - at_);
        size_t after = end;
        while (after < text_.size() && text_[after] == ' ') ++after;
        const bool called = after < text_.size() && text_[after] == '(';
        const bool parameter = std::any_of(file_.parameters.begin(), file_.parameters.end(),
                                           [&](const WeightParameter& p) { return p.id == word; });
        if (word == "x" && !has_x_) {
            refuse(at_,
                   "x has no meaning in a list of values: use numbers and parameters, or taps N of a formula of x");
        } else if (word == "w" && !parameter) {
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
        while (at_ < text_.size() && (is_word_digit(text_[at_]) || text_[at_] == '.')) points += text_[at_++] == '.';
        if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
            size_t end = at_ + 1;
            if (end < text_.size() && (text_[end] == '-' || text_[end] == '+')) ++end;
            const size_t digits = end;
            while (end < text_.size() && is_word_digit(text_[end])) ++end;
            if (end > digits) at_ = end;
        }
        if (points > 1 || at_ - begin == size_t(points))
            refuse(begin, fmt::format("'{}' is not a number", text_.substr(begin, at_ - begin)));
        else if (at_ < text_.size() && is_word_letter(text_[at_]))
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
    bool has_x_;
    size_t at_ = 0;
    int choices_ = 0;
    std::vector<size_t> open_;
    std::optional<WeightProblem> problem_;
};

}  // namespace

bool is_identifier(std::string_view word) {
    return !word.empty() && word.size() <= 32 && is_word_letter(word[0]) && word[0] != '_' &&
           std::all_of(word.begin(), word.end(), [](char c) { return is_word_letter(c) || is_word_digit(c); });
}

bool is_reserved(std::string_view word) {
    constexpr std::array<std::string_view, 9> others = {
        "x", "w", "pi", "path", "address", "prefilter", "coefficients", "file", "text"};
    return is_function(word) || std::find(others.begin(), others.end(), word) != others.end();
}

std::optional<WeightProblem> problem_of_words(const WeightFile& file, bool has_x) {
    return Words(file, has_x).problem();
}

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

bool is_radius(double radius) { return radius >= WeightFile::least_radius && radius <= WeightFile::largest_radius; }
std::string bad_radius_sentence(std::string_view shown) {
    return fmt::format("the radius must be a number from {} to {} samples, not '{}'", WeightFile::least_radius,
                       WeightFile::largest_radius, shown);
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
