#include "gpu/kernels/kernel_code.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "gpu/core/text.h"
#include "gpu/weights/weights.h"

namespace texelscope {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// With the longest first.
constexpr std::array<std::string_view, 24> long_signs = {"<<=", ">>=", "->*", "...", "->", "&&", "||", "++",
                                                         "--",  "<<",  ">>",  "<=",  ">=", "==", "!=", "+=",
                                                         "-=",  "*=",  "/=",  "%=",  "&=", "|=", "^=", "::"};

// The compiler would read them as [ ] { } # and \.
constexpr std::array<std::string_view, 6> replaced_signs = {"<:", ":>", "<%", "%>", "%:", "?\?/"};

class Divider {
public:
    explicit Divider(std::string_view text) : text_(text) {}

    KernelTokens divide() {
        while (at_ < text_.size() && result_.problem.empty()) {
            const char c = text_[at_];
            if (is_blank(c)) ++at_;
            else if (text_.substr(at_, 2) == "//") line_comment();
            else if (text_.substr(at_, 2) == "/*") long_comment();
            else if (is_word_letter(c))
                add(KernelToken::Kind::word,
                    length_while([](char d) { return is_word_letter(d) || is_word_digit(d); }));
            else if (is_word_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_word_digit(text_[at_ + 1])))
                number();
            else sign();
        }
        return std::move(result_);
    }

private:
    void refuse(std::string sentence) {
        result_.problem = std::move(sentence);
        result_.problem_at = at_;
    }

    void add(KernelToken::Kind kind, size_t length) {
        result_.tokens.push_back({kind, text_.substr(at_, length), at_});
        at_ += length;
    }

    template <class Belongs> size_t length_while(Belongs belongs) const {
        size_t end = at_;
        while (end < text_.size() && belongs(text_[end])) ++end;
        return end - at_;
    }

    // A line that ends in a backslash goes on in the next: the compiler would see another comment than this.
    bool goes_on(std::string_view comment) {
        for (size_t i = 0; i < comment.size(); ++i) {
            if (comment[i] != '\\' && comment.substr(i, 3) != "?\?/") continue;
            size_t next = i + 1;
            while (next < comment.size() && comment[next] != '\n' && is_blank(comment[next])) ++next;
            if (comment[i] == '?' || next == comment.size() || comment[next] == '\n') return true;
        }
        return false;
    }

    void line_comment() {
        const size_t end = std::min(text_.find('\n', at_), text_.size());
        if (goes_on(text_.substr(at_, end - at_))) return refuse("a comment cannot end in a backslash");
        at_ = end;
    }

    void long_comment() {
        const size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) return refuse("this comment does not end: */ is missing");
        if (goes_on(text_.substr(at_, end - at_)))
            return refuse("a comment cannot have a backslash at the end of a line");
        at_ = end + 2;
    }

    void number() {
        size_t end = at_;
        while (end < text_.size() &&
               (is_word_letter(text_[end]) || is_word_digit(text_[end]) || text_[end] == '.' ||
                ((text_[end] == '+' || text_[end] == '-') && end > at_ &&
                 std::string_view("eEpP").find(text_[end - 1]) != std::string_view::npos &&
                 (text_[at_ + 1] == 'x' || text_[at_ + 1] == 'X' ? text_[end - 1] == 'p' || text_[end - 1] == 'P'
                                                                 : text_[end - 1] == 'e' || text_[end - 1] == 'E'))))
            ++end;
        add(KernelToken::Kind::number, end - at_);
    }

    void sign() {
        const std::string_view rest = text_.substr(at_);
        for (const std::string_view replaced : replaced_signs)
            if (rest.starts_with(replaced)) return refuse(fmt::format("the dialect has no {}", replaced));
        switch (const char c = rest.front()) {
            case '#': return refuse("the dialect has no # lines: no header is needed");
            case '[':
            case ']':
                return refuse("the dialect has no [ ]: write Array<float, 9> a; and a(i), whose index is checked");
            case '"':
            case '\'': return refuse("the dialect has no text and no characters");
            default:
                if ((unsigned char)c >= 127 || (unsigned char)c < ' ' ||
                    std::string_view("\\`@$").find(c) != std::string_view::npos)
                    return refuse("this character can stand in a comment only");
        }
        for (const std::string_view together : long_signs)
            if (rest.starts_with(together)) return add(KernelToken::Kind::sign, together.size());
        add(KernelToken::Kind::sign, 1);
    }

    std::string_view text_;
    size_t at_ = 0;
    KernelTokens result_;
};

template <size_t n> bool is_among(const std::array<std::string_view, n>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 11> pointer_words = {"new",    "delete", "this",   "malloc", "free",   "nullptr",
                                                            "alloca", "memcpy", "memset", "memcmp", "memmove"};
constexpr std::array<std::string_view, 46> other_words = {"asm",        "goto",         "typedef",
                                                          "using",      "namespace",    "template",
                                                          "typename",   "operator",     "union",
                                                          "class",      "extern",       "static",
                                                          "volatile",   "thread_local", "throw",
                                                          "try",        "catch",        "decltype",
                                                          "typeid",     "typeof",       "sizeof",
                                                          "alignof",    "alignas",      "friend",
                                                          "virtual",    "mutable",      "register",
                                                          "concept",    "requires",     "co_await",
                                                          "co_yield",   "co_return",    "export",
                                                          "import",     "module",       "printf",
                                                          "vprintf",    "assert",       "reinterpret_cast",
                                                          "const_cast", "dynamic_cast", "bitand",
                                                          "and",        "and_eq",       "clock",
                                                          "clock64"};

// Functions of the device that take addresses, handles of textures, or act on other threads.
constexpr std::array<std::string_view, 8> refused_beginnings = {"tex1D",  "tex2D",  "tex3D",  "texCube",
                                                                "surf1D", "surf2D", "surf3D", "atomic"};

constexpr std::array<std::string_view, 21> type_words = {
    "void",  "bool",      "char",   "short",  "int",    "long",   "unsigned", "signed", "float",  "double", "auto",
    "const", "constexpr", "Source", "Params", "size_t", "float2", "float3",   "float4", "struct", "enum"};

constexpr std::array<std::string_view, 23> flow_words = {
    "if",    "else",     "for",    "while",  "do",      "switch",    "case",        "default",
    "break", "continue", "return", "true",   "false",   "inline",    "static_cast", "not",
    "or",    "xor",      "bitor",  "public", "private", "protected", "noexcept"};

constexpr std::array<std::string_view, 10> dialect_words = {"sample", "Array",  "whole", "part", "lerp",
                                                            "luma",   "random", "clamp", "main", "threadIdx"};

}  // namespace

KernelTokens kernel_tokens(std::string_view text) { return Divider(text).divide(); }

std::optional<std::string> why_no_word(std::string_view word) {
    if (word.starts_with("__") || word.starts_with("ts_"))
        return fmt::format("{} cannot be used: names that begin with {} have a meaning", shown(word),
                           word.substr(0, word[0] == '_' ? 2 : 3));
    if (is_among(pointer_words, word)) return fmt::format("the dialect has no {}: it has no addresses", word);
    if (is_among(other_words, word)) return fmt::format("the dialect has no {}", word);
    for (const std::string_view beginning : refused_beginnings)
        if (word.starts_with(beginning))
            return fmt::format("the dialect has no {}: read samples by s.tap(i, j)", shown(word));
    return {};
}

bool is_type_word(std::string_view word) {
    if (is_among(type_words, word)) return true;
    // Vectors: uint2, double4, …
    if (word.empty() || word.back() < '1' || word.back() > '4') return false;
    word.remove_suffix(1);
    constexpr std::array<std::string_view, 12> of = {"char", "uchar", "short", "ushort",   "int",       "uint",
                                                     "long", "ulong", "float", "longlong", "ulonglong", "double"};
    return is_among(of, word);
}

bool is_taken_word(std::string_view word) {
    return is_type_word(word) || is_among(flow_words, word) || is_among(dialect_words, word) ||
           why_no_word(word).has_value();
}

}  // namespace texelscope
