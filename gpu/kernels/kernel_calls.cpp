// Calls in interpreted kernels: functions of the text, of the dialect and of CUDA; values that are made of lists.

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "gpu/core/text.h"
#include "gpu/kernels/kernel_compiler.h"

namespace texelscope::kernel_compiler {

std::vector<Value> Compiler::arguments() {
    std::vector<Value> all;
    expect("(");
    if (take(")")) return all;
    do {
        if (is("{"))
            refuse(at_, "a list in braces as an argument is not understood on the CPU: write its type before it");
        all.push_back(expression());
    } while (take(","));
    expect(")");
    return all;
}

// T(x), T{…}
Value Compiler::constructed(int type, size_t at) {
    if (is("{")) return braces(type);
    if (!is("(")) refuse(at_, "expected an expression");
    std::vector<Value> given = arguments();
    if (given.empty()) return owned(standard_value(type));
    if (given.size() > 1) refuse(at, fmt::format("a {} is made of a list in braces", name_of(type)));
    return converted(given[0], type, at);
}

// Members that have an initialiser get it, all other numbers 0.
Value Compiler::standard_value(int type) {
    const Type of = types_[size_t(type)];
    const Deeper deeper(*this);
    if (of.starts_at_zero && of.parts.size() <= 4 && !of.contiguous) return zero_of(type);
    Value value{.type = type};
    if (of.starts_at_zero) {
        value = temporary(type);
        uint32_t rows = 0;
        for (const char letter : of.parts) rows += is_wide(letter) ? 2 : 1;
        emit(kernel_steps::zero, value.parts[0], rows, 0, 0, false);
        return value;
    }
    const auto add = [&](const Value& each) {
        value.parts.insert(value.parts.end(), each.parts.begin(), each.parts.end());
    };
    for (int k = 0; k < of.count; ++k) add(standard_value(of.element));
    for (const Type::Member& member : of.members) {
        if (member.initialiser == 0) {
            add(standard_value(member.type));
            continue;
        }
        const size_t back = at_;
        at_ = member.initialiser;
        take("=");
        add(is("{") ? braces(member.type) : owned(converted(expression(), member.type, member.initialiser)));
        at_ = back;
    }
    return value;
}

// { a, b, … } as a value of this type; what is missing has its standard value.
Value Compiler::braces(int type) {
    const Deeper deeper(*this);
    const size_t at = at_;
    expect("{");
    const Type of = types_[size_t(type)];
    if (of.parts.empty() && type != parameters_type_) refuse(at, "a list in braces needs a type");
    std::vector<int> wanted;
    for (const Type::Member& member : of.members) wanted.push_back(member.type);
    if (of.element != void_type) wanted.assign(size_t(of.count), of.element);
    if (is_number(type)) wanted = {type};
    if (of.element != void_type && is("{") && is_number(of.element)) {  // {{1, 2, 3}}
        const Value value = braces(type);
        expect("}");
        return value;
    }
    Value value{.type = type};
    size_t count = 0;
    while (!is("}")) {
        if (count == wanted.size()) refuse(at_, fmt::format("too many values for a {}", name_of(type)));
        if (is(".")) refuse(at_, "members named in a list are not understood on the CPU");
        const size_t place = at_;
        Value each = is("{") ? braces(wanted[count]) : loaded(expression());
        if (count == 0 && each.type == type && !is_number(type)) {  // a copy
            take(",");
            expect("}");
            return owned(each);
        }
        each = owned(converted(each, wanted[count], place));
        value.parts.insert(value.parts.end(), each.parts.begin(), each.parts.end());
        ++count;
        if (!take(",")) break;
    }
    expect("}");
    if (count < wanted.size()) {
        const Value standard = standard_value(type);
        const std::vector<uint32_t> rest(standard.parts.begin() + long(value.parts.size()), standard.parts.end());
        for (size_t k = 0; k < value.parts.size(); ++k)
            if (rows_[standard.parts[k]] == Row::temporary) set_rows(standard.parts[k], of.parts[k], Row::free);
        value.parts.insert(value.parts.end(), rest.begin(), rest.end());
    }
    return owned(value);
}

Value Compiler::method(Value value, std::string_view name, size_t at) {
    if (value.type == source_type_ && name == "tap") {
        std::vector<Value> given = arguments();
        if (given.size() != 2) refuse(at, "write s.tap(i, j)");
        const Value i = converted(given[0], int_type, at), j = converted(given[1], int_type, at);
        Value sample = temporary(vector_type_);
        emit(kernel_steps::tap, sample.parts[0], i.parts[0], j.parts[0]);
        release(i);
        release(j);
        release(value);
        return sample;
    }
    std::vector<Value> given = arguments();
    bool found = false;
    Value result = user_call(name, value.type, &value, given, at, found);
    if (!found) refuse(at, fmt::format("class \"{}\" has no member \"{}\"", name_of(value.type), shown(name)));
    return result;
}

Value Compiler::called(std::string_view name, size_t at) {
    std::vector<Value> given = arguments();
    for (const Value& each : given)
        if (each.type == void_type) refuse(at, "an argument gives no value");
    bool found = false;
    if (call_.self) {
        const Value self = *call_.self;
        Value result = user_call(name, self.type, &self, given, at, found);
        if (found) return result;
    }
    Value result = user_call(name, void_type, nullptr, given, at, found);
    if (found) return result;
    if (auto value = dialect_call(name, given, at)) return *value;
    return library_call(name, given, at);
}

std::optional<Value> Compiler::dialect_call(std::string_view name, std::vector<Value>& given, size_t at) {
    if (name.starts_with("make_")) {
        const auto known = type_names_.find(name.substr(5));
        if (known == type_names_.end()) return {};
        const Type of = types_[size_t(known->second)];
        if (of.members.size() != given.size())
            refuse(at, fmt::format("{} takes {} numbers", shown(name), of.members.size()));
        Value result{.type = known->second};
        for (size_t k = 0; k < given.size(); ++k)
            result.parts.push_back(converted(given[k], of.members[k].type, at).parts[0]);
        return result;
    }
    if (name == "random" && given.size() == 2) given.push_back(whole_number(0));
    if (name == "luma" && given.size() == 1 && given[0].type == vector_type_) {
        const Value v = loaded(given[0]);
        Value sum;
        constexpr float weights[] = {0.2126f, 0.7152f, 0.0722f};
        for (size_t k = 0; k < 3; ++k) {
            const Value part = operation("*", {constant(float_type, std::bit_cast<uint32_t>(weights[k])),
                                               {.type = float_type, .parts = {v.parts[k]}}});
            sum = k == 0 ? part : operation("+", {sum, part});
        }
        release({.type = float_type, .parts = {v.parts[3]}});
        return sum;
    }
    if (name == "lerp" && given.size() == 3 && given[0].type == vector_type_ && given[1].type == vector_type_) {
        const Value a = loaded(given[0]), b = loaded(given[1]), t = converted(given[2], float_type, at);
        Value result = temporary(vector_type_);
        for (const KernelOperation& each : kernel_operations())
            for (size_t k = 0; each.name == name && k < 4; ++k)
                emit(each.run, result.parts[k], a.parts[k], b.parts[k], t.parts[0], false);
        release(a);
        release(b);
        release(t);
        return result;
    }
    return {};
}

int Compiler::rank(int from, int to) const {
    if (from == to) return 0;
    if (!is_number(from) || !is_number(to)) return -1;
    return (from == bool_type && to == int_type) || (from == float_type && to == double_type) ? 1 : 2;
}

// The candidate that is at least as good as every other one in each argument, and better in one. rank(candidate, k): 0 is best,
// −1 does not fit.
template <class Rank>
std::optional<size_t> Compiler::best(size_t candidates, size_t count, Rank rank, bool& ambiguous) const {
    std::vector<size_t> fit;
    for (size_t c = 0; c < candidates; ++c) {
        bool fits = true;
        for (size_t k = 0; k < count && fits; ++k) fits = rank(c, k) >= 0;
        if (fits) fit.push_back(c);
    }
    const auto better = [&](size_t a, size_t b) {
        bool once = false;
        for (size_t k = 0; k < count; ++k) {
            if (rank(a, k) > rank(b, k)) return false;
            once = once || rank(a, k) < rank(b, k);
        }
        return once;
    };
    for (const size_t c : fit)
        if (std::all_of(fit.begin(), fit.end(), [&](size_t other) { return other == c || better(c, other); })) return c;
    ambiguous = !fit.empty();
    return {};
}

Value Compiler::library_call(std::string_view name, std::vector<Value>& given, size_t at) {
    std::vector<const KernelOperation*> candidates;
    bool known = name == "luma" || name.starts_with("make_"), ambiguous = false;
    for (const KernelOperation& each : kernel_operations()) {
        if (each.name != name) continue;
        known = true;
        if (each.types.size() == given.size() + 1) candidates.push_back(&each);
    }
    if (!known)
        refuse(at, fmt::format("identifier \"{}\" is undefined, or a function that is not understood on the CPU",
                               shown(name)));
    auto chosen = best(
        candidates.size(), given.size(),
        [&](size_t c, size_t k) { return rank(given[k].type, type_of_letter(candidates[c]->types[k + 1])); },
        ambiguous);
    for (size_t c = 0; ambiguous && !chosen && c < candidates.size(); ++c)  // whole numbers, or a float with a double
        if (candidates[c]->types[1] == 'D') chosen = c;
    if (!chosen) {
        std::string types;
        for (const Value& each : given) types += (types.empty() ? "" : ", ") + name_of(each.type);
        refuse(at, fmt::format("no function \"{}\" matches these arguments: ({})", shown(name), types));
    }
    const KernelOperation& operation = *candidates[*chosen];
    std::vector<Value> operands;
    for (size_t k = 0; k < given.size(); ++k)
        operands.push_back(converted(given[k], type_of_letter(operation.types[k + 1]), at));
    return apply(operation, operands);
}

Value Compiler::user_call(std::string_view name, int owner, const Value* self, std::vector<Value>& given, size_t at,
                          bool& found) {
    std::vector<Function*> candidates;
    for (Function& each : functions_)
        if (each.name == name && each.owner == owner && (each.at < at || owner != void_type)) {
            found = true;
            const size_t count = each.parameters.size();
            if (given.size() <= count && (given.size() == count || each.parameters[given.size()].standard != 0))
                candidates.push_back(&each);
        }
    if (!found) return {};
    bool ambiguous = false;
    const auto chosen = best(
        candidates.size(), given.size(),
        [&](size_t c, size_t k) {
            const Parameter& to = candidates[c]->parameters[k];
            const Value& from = given[k];
            if (to.is_reference && !to.is_const)
                return from.is_place && !from.is_const && from.type == to.type ? 0 : -1;
            return rank(from.type, to.type);
        },
        ambiguous);
    if (!chosen) {
        std::string types;
        for (const Value& each : given) types += (types.empty() ? "" : ", ") + name_of(each.type);
        refuse(at, fmt::format("{} function \"{}\" matches these arguments: ({})", ambiguous ? "more than one" : "no",
                               shown(name), types));
    }
    return inlined(*candidates[*chosen], given, self, at);
}

// The function's text is compiled here, with its parameters bound to what is given.
Value Compiler::inlined(Function& function, std::vector<Value> given, const Value* self, size_t at) {
    const Deeper deeper(*this);
    if (function.body == 0)
        refuse(at, fmt::format("function \"{}\" is declared and not defined", shown(function.name)));
    function.was_compiled = true;
    if (!function.changes) function.changes = changes_of(function);
    const size_t back = at_;
    Call before = std::move(call_);
    call_ = {};
    call_.function = &function;
    call_.result_type = function.result;
    call_.first_scope = scopes_.size();
    begin_scope();
    if (self) {
        bind("", *self, at);  // a temporary becomes a variable
        call_.self = scopes_.back().names.at("");
        for (const Type::Member& each : types_[size_t(self->type)].members)
            scopes_.back().names[each.name] = member(*call_.self, each);
    }
    for (size_t k = given.size(); k < function.parameters.size(); ++k) {
        at_ = function.parameters[k].standard;
        given.push_back(is("{") ? braces(function.parameters[k].type) : expression());
    }
    begin_scope();
    const bool changes_others = std::any_of(function.parameters.begin(), function.parameters.end(),
                                            [](const Parameter& p) { return p.is_reference && !p.is_const; });
    for (size_t k = 0; k < given.size(); ++k) {
        const Parameter& to = function.parameters[k];
        Value value = given[k];
        if (!(to.is_reference && value.is_place && value.type == to.type)) {
            value = converted(std::move(value), to.type, at);
            if ((*function.changes)[k] || changes_others) value = owned(std::move(value));
        }
        const bool alias = to.is_reference ? to.is_const : !(*function.changes)[k];
        if (!to.name.empty()) bind(to.name, value, at);
        else release(value);
        if (!to.name.empty() && alias) scopes_.back().names[to.name].is_const = true;
    }
    if (!function.returns_last) {
        emit(kernel_steps::push);
        deepen(1);
        call_.level = depth_;
    }
    at_ = function.body;
    statements_to(function.end);
    if (!function.returns_last) {
        jump_here(call_.exits);
        emit(kernel_steps::pop);
        deepen(-1);
    }
    end_scope();
    end_scope();
    Value result = call_.result.value_or(Value{});
    if (!call_.result && function.result != void_type && function.result != deduced_type)
        refuse(function.end, fmt::format("function \"{}\" returns no value", shown(function.name)));
    call_ = std::move(before);
    at_ = back;
    return result;
}

}  // namespace texelscope::kernel_compiler
