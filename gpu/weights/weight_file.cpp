#include "gpu/weights/weight_file.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "gpu/core/text.h"
#include "gpu/weights/weight_words.h"

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
        if (equals == std::string_view::npos) {
            refuse(text, fmt::format("'{}' is not of the form key = value", shown(text)));
            return;
        }
        const std::string_view value = trimmed(text.substr(equals + 1));
        const bool parameter = key.starts_with("parameter ") || key.starts_with("parameter\t");
        const std::string once = parameter ? "parameter " + std::string(trimmed(key.substr(10))) : std::string(key);
        if (value.empty()) refuse(text, fmt::format("nothing stands after the = of {}", shown(key)));
        else if (!seen_.insert(once).second) refuse(text, fmt::format("{} is given twice: keep one", shown(once)));
        else if (key == "name") read_name(value);
        else if (key == "radius") read_radius(value);
        else if (key == "normalise") read_choice(value, "yes", "no", file().normalise);
        else if (key == "prefilter") read_choice(value, "auto", "none", file().prefilter);
        else if (key == "w(x)") read_formula(value);
        else if (parameter) read_parameter(trimmed(key.substr(10)), value);
        else
            refuse(text, fmt::format("unknown key '{}': choose one of name, radius, parameter NAME, normalise, "
                                     "prefilter, w(x)",
                                     shown(key)));
    }

    void read_name(std::string_view value) {
        if (is_shown_name(value)) file().name = value;
        else refuse(value, bad_name_sentence());
    }

    void read_radius(std::string_view value) {
        double radius = 0;
        if (!parse_number(value, radius) || !(radius >= 0.25 && radius <= WeightFile::largest_radius))
            refuse(value, fmt::format("the radius must be a number from 0.25 to {} samples, not '{}'",
                                      WeightFile::largest_radius, shown(value)));
        else file().radius = radius;
    }

    void read_choice(std::string_view value, std::string_view yes, std::string_view no, bool& chosen) {
        if (value == yes || value == no) chosen = value == yes;
        else refuse(value, fmt::format("choose {} or {}, not '{}'", yes, no, shown(value)));
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

    // 0.5 from 0 to 1
    void read_parameter(std::string_view id, std::string_view value) {
        const ParameterLine line = parse_parameter(id, value);
        if (!line.problem.empty()) {
            if (line.at_id) refuse(line.problem);
            else refuse(value, line.problem);
        } else if (is_reserved(id)) {
            refuse(fmt::format("a parameter cannot be called {}: the word has a meaning", id));
        } else if (file().parameters.size() >= WeightFile::most_parameters) {
            refuse(fmt::format("there are more than {} parameters", WeightFile::most_parameters));
        } else {
            file().parameters.push_back(line.parameter);
        }
    }

    void check_whole() {
        const auto missing = [&](const char* key) {  // of a line that could be read or was refused
            return seen_.count(key) == 0;
        };
        if (result_.problems.empty() && missing("radius"))
            refuse(number_, 1, "the radius is missing: write radius = 2 for a function on −2 … 2");
        if (result_.problems.empty() && missing("w(x)"))
            refuse(number_, 1, "the formula is missing: write w(x) = and the weight at distance x");
        if (!file().formula.empty())
            if (const auto problem = problem_of_words(file()))
                refuse(problem->line, problem->column, problem->sentence);
        std::stable_sort(result_.problems.begin(), result_.problems.end(),
                         [](const WeightProblem& a, const WeightProblem& b) { return a.line < b.line; });
    }

    std::string_view text_, line_;
    int number_ = 1;
    std::set<std::string> seen_;
    ParsedWeights result_;
};

}  // namespace

ParsedWeights parse_weights(std::string_view text) { return Reader(text).read(); }

std::string to_string(const WeightProblem& problem) {
    if (problem.line < 1) return problem.sentence;
    return fmt::format("line {}, column {}: {}", problem.line, problem.column, problem.sentence);
}

}  // namespace texelscope
