// Declarations and statements within functions of interpreted kernels.

#include <algorithm>

#include <fmt/format.h>

#include "gpu/core/text.h"
#include "gpu/kernels/kernel_compiler.h"

namespace texelscope::kernel_compiler {

void Compiler::end_scope() {
    for (const auto& [row, of] : scopes_.back().rows) set_rows(row, of, Row::free);
    scopes_.pop_back();
}

void Compiler::bind(std::string_view name, Value value, size_t at) {
    if (!name.empty() && scopes_.back().names.count(name)) refuse(at, fmt::format("{} is declared twice", shown(name)));
    const std::string letters = types_[size_t(value.type)].parts;
    const auto keep = [&](uint32_t row, char of) {
        if (rows_[row] != Row::temporary) return;
        set_rows(row, of, Row::variable);
        scopes_.back().rows.emplace_back(row, of);
    };
    for (size_t k = 0; k < value.parts.size(); ++k) keep(value.parts[k], letters[k]);
    if (value.offset) keep(*value.offset, 'I');
    value.is_place = true;
    scopes_.back().names[name] = std::move(value);
}

void Compiler::declare(std::string_view name, Value value, bool is_const, size_t at) {
    if (value.type == void_type || value.type == deduced_type) refuse(at, "a variable needs a value");
    // A constant number stays one.
    if (!(is_const && is_number(value.type) && is_constant(value))) value = owned(std::move(value));
    value.is_const = is_const;
    bind(name, value, at);
}

void Compiler::declaration() {
    bool is_const = false;
    const int of = type(&is_const);
    do {
        const bool reference = take("&");
        const size_t at = at_;
        const std::string_view named = name();
        if (is("(")) {
            const size_t open = at_++;
            Value value = loaded(expression());
            if (is(",")) refuse(open, "write a list of values in braces");
            expect(")");
            declare(named, of == deduced_type ? value : converted(std::move(value), of, open), is_const, at);
            continue;
        }
        const bool equals = take("=");
        if (reference) {
            if (!equals) refuse(at, "a reference needs something that it is to");
            Value to = expression();
            const int wanted = of == deduced_type ? to.type : of;
            const bool direct = to.is_place && to.type == wanted && (is_const || !to.is_const);
            if (!direct && !is_const && !(of == deduced_type && to.is_place))
                refuse(at, "this reference is to nothing that can change");
            if (!direct && !to.is_place) to = owned(converted(std::move(to), wanted, at));
            if (!direct && to.is_place && to.type != wanted) to = owned(converted(std::move(to), wanted, at));
            to.is_const = to.is_const || is_const;
            bind(named, to, at);
        } else if (is("{")) {
            if (of == deduced_type) refuse(at, "auto needs a value with a type");
            declare(named, braces(of), is_const, at);
        } else if (equals) {
            Value value = loaded(expression());
            declare(named, of == deduced_type ? value : converted(std::move(value), of, at), is_const, at);
        } else {
            if (of <= void_type) refuse(at, "a variable needs a type");
            if (is_const) refuse(at, "a constant needs a value");
            declare(named, standard_value(of), false, at);
        }
    } while (take(","));
    expect(";");
}

void Compiler::statements_to(size_t end) {
    while (at_ < end) statement();
    if (at_ != end) refuse(at_, "expected a \"}\"");
}

void Compiler::block() {
    const size_t end = closing(at_++);
    begin_scope();
    statements_to(end);
    end_scope();
    ++at_;
}

void Compiler::scoped_statement() {
    if (is("{")) return block();
    begin_scope();
    statement();
    end_scope();
}

void Compiler::statement() {
    const Deeper deeper(*this);
    spend();
    if (take(";")) return;
    if (is("{")) return block();
    if (is("if")) return if_statement();
    if (is("for")) return for_statement();
    if (is("while")) return while_statement();
    if (is("do")) return do_statement();
    if (is("switch")) return switch_statement();
    if (is("return")) return return_statement();
    if (is("break") || is("continue")) return leave_loop(is("continue"));
    if (is("case") || is("default")) refuse(at_, "a case stands directly in the braces of its switch");
    if (is("struct")) refuse(at_, "a struct within a function is not understood on the CPU");
    if (begins_type(at_) && word(at_ + 1) != "(" && word(at_ + 1) != "{") return declaration();
    release(expressions());
    expect(";");
}

Value Compiler::condition() {
    const size_t at = at_;
    expect("(");
    if (begins_type(at_) && word(at_ + 1) != "(")
        refuse(at_, "a declaration in a condition is not understood on the CPU");
    Value value = converted(expressions(), bool_type, at);
    expect(")");
    return value;
}

void Compiler::if_statement() {
    if (word(++at_) == "constexpr") ++at_;
    Value value = condition();
    if (!is_constant(value)) value = owned(value);  // what follows may change what it is made of
    const size_t begin = emit(kernel_steps::begin_if, 0, value.parts[0]);
    deepen(1);
    scoped_statement();
    size_t last = begin;
    if (take("else")) {
        last = emit(kernel_steps::otherwise, 0, value.parts[0]);
        kernel_->code[begin].c = uint32_t(last);
        scoped_statement();
    }
    kernel_->code[last].c = uint32_t(emit(kernel_steps::end_if));
    deepen(-1);
    release(value);
    // If nobody is left here, nor is what follows.
    if (depth_ == call_.level) call_.exits.push_back(emit(kernel_steps::jump_if_none));
    else if (!call_.breakables.empty() && depth_ == call_.breakables.back().continue_level)
        call_.breakables.back().continues.push_back(emit(kernel_steps::jump_if_none));
}

Compiler::Breakable Compiler::begin_loop() {
    kernel_->has_loops = true;
    emit(kernel_steps::begin_loop);
    deepen(2);
    return {depth_ - 1, depth_, {}};
}

void Compiler::for_statement() {
    at_ += 2;
    begin_scope();
    if (begins_type(at_) && word(at_ + 1) != "(") declaration();
    else {
        if (!is(";")) release(expressions());
        expect(";");
    }
    call_.breakables.push_back(begin_loop());
    const size_t top = emit(kernel_steps::turn);
    std::vector<size_t> exits = {top};
    if (!is(";")) {
        const Value value = converted(expressions(), bool_type, at_);
        exits.push_back(emit(kernel_steps::test, 0, value.parts[0]));
        release(value);
    }
    expect(";");
    const size_t step = at_;
    while (!is(")")) at_ = is("(") || is("{") ? closing(at_) + 1 : at_ + 1;
    ++at_;
    scoped_statement();
    const size_t after = at_;
    jump_here(call_.breakables.back().continues);
    emit(kernel_steps::renew);
    at_ = step;
    if (!is(")")) release(expressions());
    if (!is(")")) refuse(at_, "expected a \")\"");
    at_ = after;
    kernel_->code[emit(kernel_steps::jump)].c = uint32_t(top);
    jump_here(exits);
    emit(kernel_steps::end_loop);
    deepen(-2);
    call_.breakables.pop_back();
    end_scope();
}

void Compiler::while_statement() {
    ++at_;
    call_.breakables.push_back(begin_loop());
    const size_t top = emit(kernel_steps::turn);
    const Value value = condition();
    const size_t test = emit(kernel_steps::test, 0, value.parts[0]);
    release(value);
    scoped_statement();
    jump_here(call_.breakables.back().continues);
    kernel_->code[emit(kernel_steps::jump)].c = uint32_t(top);
    jump_here({top, test});
    emit(kernel_steps::end_loop);
    deepen(-2);
    call_.breakables.pop_back();
}

void Compiler::do_statement() {
    ++at_;
    call_.breakables.push_back(begin_loop());
    const size_t top = kernel_->code.size();
    scoped_statement();
    jump_here(call_.breakables.back().continues);
    if (!take("while")) refuse(at_, "expected a while");
    const size_t turn = emit(kernel_steps::turn);
    const Value value = condition();
    const size_t test = emit(kernel_steps::test, 0, value.parts[0]);
    release(value);
    expect(";");
    kernel_->code[emit(kernel_steps::jump)].c = uint32_t(top);
    jump_here({turn, test});
    emit(kernel_steps::end_loop);
    deepen(-2);
    call_.breakables.pop_back();
}

void Compiler::switch_statement() {
    const size_t at = at_++;
    expect("(");
    Value value = loaded(expressions());
    expect(")");
    if (!is_whole(value.type)) refuse(at, "switch needs a whole number");
    value = owned(converted(std::move(value), std::max(value.type, int(int_type)), at));
    set_rows(value.parts[0], 'I', Row::variable);
    if (!is("{")) refuse(at_, "expected a \"{\"");
    const size_t open = at_, end = closing(open);
    const auto equals = [&](const Value& constant) {
        const std::optional<int64_t> number = constant_number(constant);
        if (!number) refuse(at_, "a case is a constant whole number");
        return operation("==", {value, whole_number(*number, value.type)});
    };
    // Who gets to `default`: those without a case.
    std::vector<int64_t> numbers;
    Value other = constant(bool_type, 1);
    for (size_t i = open + 1; i < end; ++i) {
        if (word(i) == "switch" || word(i) == "(" || word(i) == "{") {
            while (word(i) == "switch") i = closing(i + 1) + 1;
            if (word(i) == "(" || word(i) == "{") i = closing(i);
            continue;
        }
        if (word(i) != "case") continue;
        at_ = i + 1;
        const Value constant = loaded(conditional());
        const std::optional<int64_t> number = constant_number(constant);
        if (number && std::find(numbers.begin(), numbers.end(), *number) != numbers.end())
            refuse(i, fmt::format("there are two cases {}", *number));
        const Value here = equals(constant);
        numbers.push_back(*number);
        other = operation("&", {other, operation("!", {here})});
    }
    if (!is_constant(other)) set_rows(other.parts[0], 'B', Row::variable);
    emit(kernel_steps::begin_switch);
    deepen(2);
    call_.breakables.push_back({depth_ - 1, -1, {}});
    begin_scope();
    bool defaulted = false;
    for (at_ = open + 1; at_ < end;) {
        const size_t label = at_;
        if (take("case")) {
            const Value here = equals(loaded(conditional()));
            emit(kernel_steps::enter, 0, here.parts[0]);
            release(here);
            expect(":");
        } else if (take("default")) {
            if (defaulted) refuse(label, "there are two defaults");
            defaulted = true;
            emit(kernel_steps::enter, 0, other.parts[0]);
            expect(":");
        } else {
            statement();
        }
    }
    end_scope();
    at_ = end + 1;
    emit(kernel_steps::end_loop);
    deepen(-2);
    call_.breakables.pop_back();
    set_rows(value.parts[0], 'I', Row::free);
    if (!is_constant(other)) set_rows(other.parts[0], 'B', Row::free);
}

void Compiler::leave_loop(bool goes_on) {
    const size_t at = at_++;
    expect(";");
    for (size_t k = call_.breakables.size(); k-- > 0;) {
        const Breakable& each = call_.breakables[k];
        if (goes_on && each.continue_level < 0) continue;
        emit(kernel_steps::leave, 0, uint32_t(goes_on ? each.continue_level : each.break_level));
        return;
    }
    refuse(at, fmt::format("{} stands outside a loop", word(at)));
}

void Compiler::return_statement() {
    const size_t at = at_++;
    if (!is(";")) {
        const int wanted = call_.result_type;
        if (wanted == void_type) refuse(at, "this function returns no value");
        if (wanted == deduced_type && is("{")) refuse(at, "auto needs a value with a type");
        Value value = is("{") ? braces(wanted) : loaded(expression());
        if (wanted == deduced_type) call_.result_type = value.type;
        value = converted(std::move(value), call_.result_type, at);
        if (call_.level < 0) {
            call_.result = owned(std::move(value));
        } else {
            if (!call_.result) call_.result = temporary(call_.result_type);
            Value to = *call_.result;
            to.is_place = true;
            assign(to, std::move(value), at);
        }
    } else if (call_.result_type > void_type) {
        refuse(at, "this function returns a value");
    }
    expect(";");
    if (call_.level >= 0) emit(kernel_steps::leave, 0, uint32_t(call_.level));
}

}  // namespace texelscope::kernel_compiler
