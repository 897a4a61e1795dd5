#include "gpu/kernels/kernel_code.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "gpu/core/text.h"
#include "gpu/weights/weights.h"

namespace texelscope {
namespace {

using Kind = KernelToken::Kind;

// A function or a struct: from its name to the end of its body, as tokens.
struct Part {
    std::string_view name;
    size_t first = 0, last = 0;
    bool is_struct = false;
};

class KernelReader {
public:
    explicit KernelReader(std::string_view text) : text_(text) {}

    ParsedKernel read() {
        if (text_.size() > KernelFile::most_bytes) {
            refuse(0, fmt::format("the text has {} bytes: at most {} are read", text_.size(), KernelFile::most_bytes));
            return result_;
        }
        if (text_.find('\0') != std::string_view::npos) {
            refuse(0, "this is no text: it contains a zero byte");
            return result_;
        }
        read_settings();
        KernelTokens divided = kernel_tokens(text_);
        if (!divided.problem.empty()) refuse(divided.problem_at, divided.problem);
        tokens_ = std::move(divided.tokens);
        if (result_.problems.empty()) check_code();
        std::stable_sort(result_.problems.begin(), result_.problems.end(),
                         [](const KernelProblem& a, const KernelProblem& b) { return a.line < b.line; });
        if (result_.problems.empty()) file().code = with_budget();
        return result_;
    }

private:
    KernelFile& file() { return result_.file; }

    void refuse(size_t at, std::string sentence) {
        constexpr size_t most_problems = 20;
        if (result_.problems.size() >= most_problems) return;
        const std::string_view before = text_.substr(0, at);
        const int line = 1 + int(std::count(before.begin(), before.end(), '\n'));
        const size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
        for (const KernelProblem& problem : result_.problems)
            if (problem.line == line) return;
        result_.problems.push_back({line, int(at - start) + 1, std::move(sentence)});
    }

    size_t place_of(std::string_view part) const { return size_t(part.data() - text_.data()); }

    // Lines "//! key = value".
    void read_settings() {
        std::set<std::string, std::less<>> seen;
        for (size_t at = 0; at < text_.size();) {
            const size_t end = std::min(text_.find('\n', at), text_.size());
            const std::string_view line = trimmed(text_.substr(at, end - at));
            at = end + 1;
            if (!line.starts_with("//!")) continue;
            const std::string_view text = trimmed(line.substr(3));
            const size_t equals = text.find('=');
            const std::string_view key = trimmed(text.substr(0, equals));
            if (equals == std::string_view::npos || trimmed(text.substr(equals + 1)).empty()) {
                refuse(place_of(line), fmt::format("'{}' is not of the form //! key = value", shown(line)));
                continue;
            }
            const std::string_view value = trimmed(text.substr(equals + 1));
            const bool parameter = key.starts_with("parameter ");
            const std::string once = parameter ? "parameter " + std::string(trimmed(key.substr(10))) : std::string(key);
            if (!seen.insert(once).second)
                refuse(place_of(key), fmt::format("{} is given twice: keep one", shown(once)));
            else if (key == "name" && is_shown_name(value)) file().name = value;
            else if (key == "name") refuse(place_of(value), bad_name_sentence());
            else if (parameter) read_parameter(trimmed(key.substr(10)), value);
            else refuse(place_of(key), fmt::format("unknown key '{}': choose one of name, parameter NAME", shown(key)));
        }
    }

    void read_parameter(std::string_view id, std::string_view value) {
        constexpr std::string_view of_specs[] = {"path", "address", "prefilter", "coefficients",
                                                 "file", "text",    "border"};
        const ParameterLine line = parse_parameter(id, value);
        if (!line.problem.empty()) refuse(place_of(line.at_id ? id : value), line.problem);
        else if (is_taken_word(id) || std::find(std::begin(of_specs), std::end(of_specs), id) != std::end(of_specs))
            refuse(place_of(id), fmt::format("a parameter cannot be called {}: the word has a meaning", id));
        else if (file().parameters.size() >= KernelFile::most_parameters)
            refuse(place_of(id), fmt::format("there are more than {} parameters", KernelFile::most_parameters));
        else file().parameters.push_back(line.parameter);
    }

    bool is(size_t token, std::string_view text) const { return token < tokens_.size() && tokens_[token].text == text; }
    bool is_word(size_t token) const { return token < tokens_.size() && tokens_[token].kind == Kind::word; }

    void check_code() {
        check_words();
        check_brackets();
        if (!result_.problems.empty()) return;
        find_parts();
        if (!result_.problems.empty()) return;
        check_addresses();
        check_loops();
        check_outside();
        check_sample();
        if (result_.problems.empty()) check_recursion();
    }

    void check_words() {
        for (size_t i = 0; i < tokens_.size(); ++i) {
            const KernelToken& token = tokens_[i];
            if (token.kind == Kind::word) {
                if (const auto why = why_no_word(token.text)) refuse(token.at, *why);
            } else if (token.text == "->" || token.text == "->*" || token.text == "...") {
                refuse(token.at, fmt::format("the dialect has no {}", token.text));
            }
        }
    }

    // Each bracket finds its partner: closing_ by opening token.
    void check_brackets() {
        closing_.assign(tokens_.size(), 0);
        std::vector<size_t> open;
        for (size_t i = 0; i < tokens_.size(); ++i) {
            if (is(i, "(") || is(i, "{")) open.push_back(i);
            if (!is(i, ")") && !is(i, "}")) continue;
            if (open.empty() || is(open.back(), "(") != is(i, ")")) {
                refuse(tokens_[i].at, fmt::format("this {} closes nothing", tokens_[i].text));
                return;
            }
            closing_[open.back()] = i;
            open.pop_back();
        }
        if (!open.empty())
            refuse(tokens_[open.back()].at, fmt::format("this {} is not closed", tokens_[open.back()].text));
        constexpr size_t deepest = 256;  // the compiler's own stack
        size_t depth = 0;
        for (size_t i = 0; i < tokens_.size(); ++i) {
            if (is(i, "(") || is(i, "{")) ++depth;
            if (is(i, ")") || is(i, "}")) --depth;
            if (depth > deepest)
                return refuse(tokens_[i].at, fmt::format("brackets are nested more than {} deep", deepest));
        }
    }

    // NAME ( … ) [const] { … } and struct NAME { … }.
    void find_parts() {
        constexpr std::string_view flow[] = {"if", "for", "while", "switch"};
        for (size_t i = 0; i + 1 < tokens_.size(); ++i) {
            if (!is_word(i)) continue;
            if (is(i, "struct")) {
                if (!is_word(i + 1) || !is(i + 2, "{")) refuse(tokens_[i].at, "write struct NAME { … };");
                else parts_.push_back({tokens_[i + 1].text, i + 1, closing_[i + 2], true});
                continue;
            }
            if (!is(i + 1, "(") || std::find(std::begin(flow), std::end(flow), tokens_[i].text) != std::end(flow))
                continue;
            size_t body = closing_[i + 1] + 1;
            if (is(body, "const")) ++body;
            if (is(body, "{")) parts_.push_back({tokens_[i].text, i, closing_[body], false});
        }
        constexpr size_t most_parts = 256;
        if (parts_.size() > most_parts)
            return refuse(tokens_[parts_[most_parts].first].at,
                          fmt::format("there are more than {} functions", most_parts));
        for (const Part& part : parts_) {
            const bool sample = part.name == "sample" && !part.is_struct;
            if (!sample && is_taken_word(part.name))
                refuse(tokens_[part.first].at,
                       fmt::format("nothing can be called {}: the word has a meaning", part.name));
            if (!part.is_struct && is_struct(part.name))
                refuse(tokens_[part.first].at, "a struct cannot have a constructor: give its members values");
        }
    }

    bool is_struct(std::string_view name) const {
        return std::any_of(parts_.begin(), parts_.end(), [&](const Part& p) { return p.is_struct && p.name == name; });
    }
    bool is_function(std::string_view name) const {
        return std::any_of(parts_.begin(), parts_.end(), [&](const Part& p) { return !p.is_struct && p.name == name; });
    }
    bool is_type(size_t token) const {
        return is_word(token) && (is_type_word(tokens_[token].text) || is_struct(tokens_[token].text));
    }

    // Can a value end at this token? Then * and & after it act on two values.
    bool ends_value(size_t token) const {
        if (token >= tokens_.size()) return false;
        if (tokens_[token].kind == Kind::number) return true;
        if (is(token, ")") || is(token, "}") || is(token, "++") || is(token, "--")) return true;
        constexpr std::string_view not_values[] = {"return", "case", "else", "do", "not", "or", "xor", "bitor"};
        return is_word(token) && !is_type(token) &&
               std::find(std::begin(not_values), std::end(not_values), tokens_[token].text) == std::end(not_values);
    }

    // Pointers cannot be declared, taken or followed.
    void check_addresses() {
        for (size_t i = 0; i < tokens_.size(); ++i) {
            if (is(i, "*") && !(i > 0 && ends_value(i - 1)))
                refuse(tokens_[i].at, "the dialect has no pointers: * stands between two values only");
            if ((is(i, "&") || is(i, "&&")) && !(i > 0 && (ends_value(i - 1) || is_type(i - 1) || is(i - 1, ">"))))
                refuse(tokens_[i].at, "the dialect has no addresses: & stands between two values, or in float& r");
            if (is(i, "~") && is_word(i + 1) && is_struct(tokens_[i + 1].text))
                refuse(tokens_[i].at, "a struct cannot have a destructor");
            if (is_word(i) && is_function(tokens_[i].text) && !is(i + 1, "("))
                refuse(tokens_[i].at, fmt::format("{} is a function: it can only be called", shown(tokens_[i].text)));
        }
    }

    void check_loops() {
        for (size_t i = 0; i + 1 < tokens_.size(); ++i) {
            if (!is(i, "for") || !is(i + 1, "(")) continue;
            const size_t end = closing_[i + 1], first = next_semicolon(i + 2, end);
            if (first >= end || next_semicolon(first + 1, end) >= end)
                refuse(tokens_[i].at, "write for (start; condition; step)");
        }
    }

    // Outside functions: structs, functions, constants.
    void check_outside() {
        for (size_t i = 0; i < tokens_.size();) {
            const size_t first = i;
            bool function = false, ended = false;
            while (i < tokens_.size() && !ended) {
                if (is(i, "(")) {
                    function = true;
                    i = closing_[i];
                } else if (is(i, "{")) {
                    i = closing_[i];
                    ended = function && !is(i + 1, ";");
                } else if (is(i, ";")) {
                    ended = true;
                }
                ++i;
            }
            const bool constant = is(first, "const") || is(first, "constexpr"),
                       type = is(first, "struct") || is(first, "enum");
            if (!constant && !type && !function && !(i == first + 1 && is(first, ";")))
                refuse(tokens_[first].at,
                       "outside functions there are only functions, structs and constants: write constexpr");
        }
    }

    // float4 sample(Source s, double x, double y, Params p)
    void check_sample() {
        constexpr std::string_view wanted = "define float4 sample(Source s, double x, double y, Params p)";
        size_t count = 0;
        for (const Part& part : parts_) {
            if (part.name != "sample") continue;
            ++count;
            const size_t i = part.first;
            const bool fits = i > 0 && is(i - 1, "float4") && is(i + 2, "Source") && is_word(i + 3) && is(i + 4, ",") &&
                              is(i + 5, "double") && is_word(i + 6) && is(i + 7, ",") && is(i + 8, "double") &&
                              is_word(i + 9) && is(i + 10, ",") && is(i + 11, "Params") && is_word(i + 12) &&
                              is(i + 13, ")");
            if (!fits) refuse(tokens_[i].at, std::string(wanted));
            else if (count > 1) refuse(tokens_[i].at, "sample is defined twice: keep one");
        }
        if (count == 0 && result_.problems.empty())
            refuse(0, fmt::format("there is no function to be called: {}", wanted));
    }

    // Functions may be called by those that do not, directly or by others, call them. A struct calls what its members
    // begin with.
    void check_recursion() {
        std::map<std::string_view, std::set<std::string_view>> uses;
        std::map<std::string_view, size_t> places;
        for (const Part& part : parts_) {
            places.emplace(part.name, tokens_[part.first].at);
            std::set<std::string_view>& used = uses[part.name];
            for (size_t i = part.first + 1; i <= part.last; ++i) {
                if (part.is_struct)
                    if (const auto inner = std::find_if(parts_.begin(), parts_.end(),
                                                        [&](const Part& p) { return !p.is_struct && p.first == i; });
                        inner != parts_.end()) {
                        i = inner->last;
                        continue;
                    }
                const bool self = part.is_struct && tokens_[i].text == part.name;
                if (is_word(i) && !self && (is_struct(tokens_[i].text) || is_function(tokens_[i].text)))
                    used.insert(tokens_[i].text);
            }
        }
        for (const auto& [name, first] : uses) {
            std::set<std::string_view> reached;
            std::vector<std::string_view> next(first.begin(), first.end());
            while (!next.empty()) {
                const std::string_view at = next.back();
                next.pop_back();
                if (!reached.insert(at).second) continue;
                for (const std::string_view each : uses[at]) next.push_back(each);
            }
            if (reached.count(name) == 0) continue;
            refuse(places[name],
                   fmt::format(
                       "{} calls itself, also through another function or one of the same name: the dialect has no "
                       "recursion",
                       shown(name)));
            return;
        }
    }

    // Into conditions: for (a; ts_turn() && (b); c), while (ts_turn() && (b)).
    std::string with_budget() const {
        std::map<size_t, std::string> added;  // before the byte
        for (size_t i = 0; i + 1 < tokens_.size(); ++i) {
            if (!(is(i, "for") || is(i, "while")) || !is(i + 1, "(")) continue;
            const size_t end = closing_[i + 1];
            size_t begin = i + 1;
            if (is(i, "for")) {
                begin = next_semicolon(i + 2, end);
                const size_t second = next_semicolon(begin + 1, end);
                add_budget(added, begin, second);
            } else {
                add_budget(added, begin, end);
            }
        }
        std::string code;
        size_t from = 0;
        for (const auto& [at, words] : added) {
            code += text_.substr(from, at - from);
            code += words;
            from = at;
        }
        return code += text_.substr(from);
    }

    size_t next_semicolon(size_t token, size_t end) const {
        while (token < end && !is(token, ";"))
            token = is(token, "(") || is(token, "{") ? closing_[token] + 1 : token + 1;
        return token;
    }

    void add_budget(std::map<size_t, std::string>& added, size_t before, size_t after) const {
        const size_t first = tokens_[before].at + 1, last = tokens_[after].at;
        const bool empty = after == before + 1;
        added[first] += empty ? " ts_turn()" : " ts_turn() && (";
        if (!empty) added[last] += ")";
    }

    std::string_view text_;
    std::vector<KernelToken> tokens_;
    std::vector<size_t> closing_;
    std::vector<Part> parts_;
    ParsedKernel result_;
};

}  // namespace

ParsedKernel parse_kernel(std::string_view text) { return KernelReader(text).read(); }

bool is_kernel_text(std::string_view text) {
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = trimmed(text.substr(at, end - at));
        if (!line.starts_with('#') && line.find("float4") != std::string_view::npos) return true;
        at = end + 1;
    }
    return false;
}

}  // namespace texelscope
