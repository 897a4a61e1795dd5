// Expressions of interpreted kernels.

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "gpu/core/text.h"
#include "gpu/kernels/kernel_compiler.h"

namespace texelscope::kernel_compiler {
namespace {

// From the loosest to the tightest.
constexpr std::array<std::array<std::string_view, 4>, 10> levels = {{{"||", "or"},
                                                                     {"&&"},
                                                                     {"|", "bitor"},
                                                                     {"^", "xor"},
                                                                     {"&"},
                                                                     {"==", "!="},
                                                                     {"<", "<=", ">", ">="},
                                                                     {"<<", ">>"},
                                                                     {"+", "-"},
                                                                     {"*", "/", "%"}}};

// −1: it stands between no two values.
int level_of(std::string_view sign) {
    for (size_t level = 0; !sign.empty() && level < levels.size(); ++level)
        if (std::find(levels[level].begin(), levels[level].end(), sign) != levels[level].end()) return int(level);
    return -1;
}

std::string_view plain_sign(std::string_view sign) {
    return sign == "or" ? "||" : sign == "bitor" ? "|" : sign == "xor" ? "^" : sign == "not" ? "!" : sign;
}

constexpr std::array<std::string_view, 10> assignments = {"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};

// 1.8p-3, of at most 13 digits, which a double holds.
std::optional<double> hexadecimal_number(std::string_view text) {
    const size_t p = text.find('p');
    if (p == text.npos) return {};
    uint64_t digits = 0;
    int exponent = 0, count = 0, after = 0;
    bool point = false;
    for (const char c : text.substr(0, p)) {
        const bool figure = is_word_digit(c), sign = c >= 'a' && c <= 'f';
        if (c == '.' && !point) {
            point = true;
        } else if ((figure || sign) && ++count <= 13) {
            digits = 16 * digits + uint64_t(figure ? c - '0' : c - 'a' + 10);
            after += point;
        } else {
            return {};
        }
    }
    const std::string_view power = text.substr(p + 1 + (text.substr(p + 1).starts_with('+') ? 1 : 0));
    const auto read = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (count == 0 || read.ec != std::errc() || read.ptr != power.data() + power.size() || std::abs(exponent) > 2000)
        return {};
    return std::ldexp(double(digits), exponent - 4 * after);
}

}  // namespace

Value Compiler::expressions() {
    Value value = expression();
    while (take(",")) {
        release(value);
        value = expression();
    }
    return value;
}

Value Compiler::expression() {
    const Deeper deeper(*this);
    spend();
    Value left = conditional();
    const size_t at = at_;
    if (take("=")) {
        assign(left, is("{") ? braces(left.type) : loaded(expression()), at);
        return left;
    }
    if (std::find(assignments.begin(), assignments.end(), word(at)) == assignments.end()) return left;
    ++at_;
    const std::string_view sign = word(at).substr(0, word(at).size() - 1);
    Value right = loaded(expression());
    if (left.type == vector_type_ &&
        (right.type == vector_type_ ? sign != "+" && sign != "-" : sign != "*" && sign != "/"))
        refuse(at, fmt::format("no operator \"{}\" matches these operands: {} {} {}", word(at), name_of(left.type),
                               word(at), name_of(right.type)));
    if (!left.is_place) refuse(at, "nothing can be assigned to this");
    assign(left, binary(sign, read(left), right, at), at);
    return left;
}

Value Compiler::conditional() {
    Value condition = binary_from(0);
    const size_t at = at_;
    if (!take("?")) return condition;
    const Deeper deeper(*this);
    condition = converted(std::move(condition), bool_type, at);
    const size_t begin = emit(kernel_steps::begin_if, 0, condition.parts[0], 0, 0, false);
    deepen(1);
    const size_t acted = acting_;
    Value a = loaded(expression());
    const size_t middle = emit(kernel_steps::otherwise, 0, condition.parts[0], 0, 0, false);
    kernel_->code[begin].c = uint32_t(middle);
    expect(":");
    Value b = loaded(expression());
    const bool acts = acting_ != acted;
    if (acts) {
        kernel_->code[middle].c = uint32_t(emit(kernel_steps::end_if));
    } else {  // all lanes can compute both
        kernel_->code.erase(kernel_->code.begin() + long(middle));
        kernel_->code.erase(kernel_->code.begin() + long(begin));
    }
    deepen(-1);
    return chosen(condition, a, b, at);
}

Value Compiler::binary_from(int least) {
    Value value = unary();
    for (;;) {
        const size_t at = at_;
        const int level = level_of(word(at));
        if (level < least) return value;
        ++at_;
        spend();
        const std::string_view sign = plain_sign(word(at));
        if (level < 2) {
            value = both_or_either(sign, std::move(value), at);
            continue;
        }
        value = loaded(std::move(value));
        value = binary(sign, value, binary_from(level + 1), at);
    }
}

// The second operand only where the first one does not decide.
Value Compiler::both_or_either(std::string_view sign, Value first, size_t at) {
    const bool both = sign == "&&";
    first = converted(std::move(first), bool_type, at);
    if (!both) first = operation("!", {first});
    else if (!is_constant(first)) first = owned(first);
    const size_t begin = emit(kernel_steps::begin_if, 0, first.parts[0], 0, 0, false), acted = acting_;
    deepen(1);
    Value second = converted(binary_from(both ? 2 : 1), bool_type, at);
    if (acting_ == acted) kernel_->code.erase(kernel_->code.begin() + long(begin));  // all lanes can compute it
    else kernel_->code[begin].c = uint32_t(emit(kernel_steps::end_if));
    deepen(-1);
    if (both) return operation("&", {first, second});
    return operation("!", {operation("&", {first, operation("!", {second})})});  // a || b is !(!a && !b)
}

Value Compiler::unary() {
    const Deeper deeper(*this);
    spend();
    const size_t at = at_;
    if (is("++") || is("--")) {
        const std::string_view sign = word(at_++).substr(1);
        Value value = unary();
        if (!is_number(value.type) || value.type == bool_type)
            refuse(at, fmt::format("there is no {} of a {}", word(at), name_of(value.type)));
        assign(value, binary(sign, read(value), whole_number(1), at), at);
        return value;
    }
    if (is("-") || is("+") || is("!") || is("~") || is("not")) {
        ++at_;
        return negated(plain_sign(word(at)), unary(), at);
    }
    if (is("(") && begins_type(at_ + 1)) {
        ++at_;
        const int to = type();
        expect(")");
        return converted(unary(), to, at);
    }
    return postfix();
}

Value Compiler::member(const Value& value, const Type::Member& member) {
    Value part = value;
    const size_t count = types_[size_t(member.type)].parts.size();
    part.type = member.type;
    part.parts.assign(value.parts.begin() + long(member.first), value.parts.begin() + long(member.first + count));
    const std::string& letters = types_[size_t(value.type)].parts;
    for (size_t k = 0; k < value.parts.size(); ++k)
        if ((k < member.first || k >= member.first + count) && rows_[value.parts[k]] == Row::temporary)
            set_rows(value.parts[k], letters[k], Row::free);
    return part;
}

Value Compiler::element(Value array, Value index, size_t at) {
    const Type type = types_[size_t(array.type)];
    index = converted(std::move(index), int_type, at);
    const size_t each = types_[size_t(type.element)].parts.size();
    const std::optional<int64_t> known = constant_number(index);
    if (known && *known >= 0 && *known < type.count) return member(array, {{}, type.element, size_t(*known) * each});
    if (!array.is_place && !array.offset) {  // a temporary: it stays until the element has been read
        array = owned(std::move(array));
    }
    emit(kernel_steps::check, 0, index.parts[0], uint32_t(type.count));
    uint32_t rows = 0;
    for (const char letter : types_[size_t(type.element)].parts) rows += is_wide(letter) ? 2 : 1;
    Value offset = operation("*", {index, whole_number(rows)});
    if (array.offset) offset = operation("+", {offset, {.type = int_type, .parts = {*array.offset}}});
    Value result = array;
    result.type = type.element;
    result.parts.assign(array.parts.begin(), array.parts.begin() + long(each));
    result.offset = offset.parts[0];
    if (array.is_place || rows_[array.parts[0]] != Row::temporary) return result;
    result = loaded(result);
    array.offset.reset();
    for (size_t k = 0; k < type.parts.size(); ++k)
        if (rows_[array.parts[k]] == Row::temporary) set_rows(array.parts[k], type.parts[k], Row::free);
    return result;
}

Value Compiler::postfix() {
    Value value = primary();
    for (;;) {
        const size_t at = at_;
        if (take(".")) {
            const std::string_view which = name();
            if (is("(") && types_[size_t(value.type)].element == void_type) {
                const Type& of = types_[size_t(value.type)];
                const bool data = std::any_of(of.members.begin(), of.members.end(),
                                              [&](const Type::Member& m) { return m.name == which; });
                if (!data) {
                    value = method(std::move(value), which, at + 1);
                    continue;
                }
            } else if (is("(")) {
                if (which != "size") refuse(at + 1, fmt::format("class \"Array\" has no member \"{}\"", which));
                expect("(");
                expect(")");
                const int count = types_[size_t(value.type)].count;
                release(value);
                value = whole_number(count);
                continue;
            }
            const Type of = types_[size_t(value.type)];
            const auto found = std::find_if(of.members.begin(), of.members.end(),
                                            [&](const Type::Member& m) { return m.name == which; });
            if (found == of.members.end())
                refuse(at + 1, fmt::format("class \"{}\" has no member \"{}\"", of.name, which));
            value = member(value, *found);
        } else if (is("(") && types_[size_t(value.type)].element != void_type) {
            ++at_;
            Value index = loaded(expression());
            expect(")");
            value = element(std::move(value), std::move(index), at);
        } else if (is("++") || is("--")) {
            const std::string_view sign = word(at_++).substr(1);
            if (!is_number(value.type) || value.type == bool_type)
                refuse(at, fmt::format("there is no {} of a {}", word(at), name_of(value.type)));
            const Value before = owned(read(value));
            set_rows(before.parts[0], letter(before.type), Row::variable);  // it is read twice
            assign(value, binary(sign, before, whole_number(1), at), at);
            set_rows(before.parts[0], letter(before.type), Row::temporary);
            release(value);
            value = before;
        } else {
            return value;
        }
    }
}

Value Compiler::primary() {
    const size_t at = at_;
    if (take("(")) {
        Value value = expressions();
        expect(")");
        return value;
    }
    if (tokens_[at].kind == KernelToken::Kind::number) return number();
    if (!is_name(at)) refuse(at, "expected an expression");
    if (take("true")) return constant(bool_type, 1);
    if (take("false")) return constant(bool_type, 0);
    if (take("static_cast")) {
        expect("<");
        const int to = type();
        expect(">");
        expect("(");
        const Value value = expressions();
        expect(")");
        return converted(value, to, at);
    }
    if (const Value* known = find(word(at))) {
        ++at_;
        spent_ += known->parts.size() / 16;  // they are copied
        return *known;
    }
    if (begins_type(at)) return constructed(type(), at);
    if (word(at + 1) == "(") {
        at_ += 1;
        return called(word(at), at);
    }
    if (is("do") || is("case") || is("default") || is("struct") || is("enum")) refuse(at, "expected an expression");
    refuse(at, fmt::format("identifier \"{}\" is undefined", shown(word(at))));
}

Value Compiler::number() {
    const size_t at = at_++;
    std::string digits = lower_case(std::string(word(at)));
    const bool hexadecimal = digits.starts_with("0x"), binary = digits.starts_with("0b");
    const bool real = digits.find_first_of(hexadecimal ? ".p" : ".e") != std::string::npos;
    const auto cannot = [&] {
        refuse(at, fmt::format("{} is no number that is understood on the CPU", shown(word(at))));
    };
    if (real) {
        const bool single = digits.back() == 'f';
        if (single) digits.pop_back();
        const char* const end = digits.data() + digits.size();
        double value = 0;
        float value_f = 0;
        if (hexadecimal) {
            const std::optional<double> found = hexadecimal_number(std::string_view(digits).substr(2));
            if (!found) cannot();
            value_f = float(value = *found);
        } else {  // a float is rounded once
            const auto read =
                single ? std::from_chars(digits.data(), end, value_f) : std::from_chars(digits.data(), end, value);
            if (read.ec == std::errc::result_out_of_range)
                refuse(at, fmt::format("{} is too large or too small for a {}", shown(word(at)),
                                       single ? "float" : "double"));
            if (read.ec != std::errc() || read.ptr != end) cannot();
        }
        return single ? constant(float_type, std::bit_cast<uint32_t>(value_f))
                      : constant(double_type, std::bit_cast<uint64_t>(value));
    }
    bool natural = false;
    if (digits.back() == 'u') {
        natural = true;
        digits.pop_back();
    }
    const int base = hexadecimal ? 16 : binary ? 2 : digits.size() > 1 && digits[0] == '0' ? 8 : 10;
    uint64_t value = 0;
    const char* const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data() + (base == 16 || base == 2 ? 2 : 0), end, value, base);
    if (read.ptr != end || (read.ec != std::errc() && read.ec != std::errc::result_out_of_range)) cannot();
    constexpr uint64_t most_int = 0x7fffffff, most_unsigned = 0xffffffff;
    if (read.ec != std::errc() || value > most_unsigned || (value > most_int && !natural && base == 10))
        refuse(at, fmt::format("{} does not fit an int, and longer integers are not understood on the CPU",
                               shown(word(at))));
    return constant(natural || value > most_int ? unsigned_type : int_type, value);
}

}  // namespace texelscope::kernel_compiler
