// Types, registers and instructions of interpreted kernels.

#include <algorithm>
#include <bit>
#include <cstring>

#include <fmt/format.h>

#include "gpu/kernels/kernel_compiler.h"

namespace texelscope::kernel_compiler {
namespace {

constexpr uint32_t most_rows = 8192;  // with constants
constexpr size_t most_code = 65536, most_tokens = 1 << 21;
constexpr int most_nesting = 256;
constexpr std::string_view number_letters = "BIUFD";

}  // namespace

Compiler::Compiler(const KernelFile& file, std::string_view text)
    : file_(file),
      text_(text),
      tokens_(kernel_tokens(text).tokens),
      kernel_(std::make_shared<InterpretedKernel>()),
      folding_(most_rows) {
    tokens_.push_back({KernelToken::Kind::sign, {}, text.size()});
    add_standard_types();
    scopes_.emplace_back();
}

void Compiler::go_deeper() {
    if (++nesting_ <= most_nesting) return;
    --nesting_;
    refuse(at_, fmt::format("this is nested more than {} deep, with the functions that it is in", most_nesting));
}

void Compiler::spend() {
    if (++spent_ > most_tokens || kernel_->code.size() > most_code)
        refuse(at_, "the kernel is too long for the CPU, where functions are put in wherever they are called");
}

int Compiler::type_of_letter(char letter) { return bool_type + int(number_letters.find(letter)); }

int Compiler::add_type(Type type) {
    for (Type::Member& member : type.members) {
        member.first = type.parts.size();
        const Type& of = types_[size_t(member.type)];
        type.parts += of.parts;
        type.starts_at_zero = type.starts_at_zero && member.initialiser == 0 && of.starts_at_zero;
        type.contiguous = type.contiguous || of.contiguous;
    }
    types_.push_back(std::move(type));
    type_names_.try_emplace(types_.back().name, int(types_.size()) - 1);
    return int(types_.size()) - 1;
}

void Compiler::add_standard_types() {
    add_type({.name = "void"});
    constexpr std::string_view names[] = {"bool", "int", "unsigned", "float", "double"};
    for (size_t i = 0; i < number_letters.size(); ++i)
        add_type({.name = std::string(names[i]), .parts = std::string(1, number_letters[i])});
    constexpr std::string_view members[] = {"x", "y", "z", "w"};
    for (const auto& [name, of] :
         {std::pair{"float", float_type}, {"int", int_type}, {"uint", unsigned_type}, {"double", double_type}})
        for (size_t n = 2; n <= 4; ++n) {
            Type vector{.name = fmt::format("{}{}", name, n)};
            for (size_t k = 0; k < n; ++k) vector.members.push_back({members[k], of});
            add_type(std::move(vector));
        }
    vector_type_ = type_names_.at("float4");
    Type source{.name = "Source"};
    for (const std::string_view name : {"width", "height", "i", "j", "output_width", "output_height"})
        source.members.push_back({name, int_type});
    source.members.push_back({"scale", double_type});
    source_type_ = add_type(std::move(source));
    Type parameters{.name = "Params"};
    for (const WeightParameter& parameter : file_.parameters) parameters.members.push_back({parameter.id, float_type});
    parameters_type_ = add_type(std::move(parameters));
}

int Compiler::array_of(int element, int count) {
    const std::string name = fmt::format("Array<{}, {}>", name_of(element), count);
    if (const auto known = type_names_.find(name); known != type_names_.end()) return known->second;
    Type array{.name = name,
               .element = element,
               .count = count,
               .contiguous = true,
               .starts_at_zero = types_[size_t(element)].starts_at_zero};
    for (int k = 0; k < count; ++k) array.parts += types_[size_t(element)].parts;
    return add_type(std::move(array));
}

uint32_t Compiler::allocate(uint32_t count, Row state) {
    // A constant is there from the beginning: its row was never anything else.
    size_t first = state == Row::constant ? rows_.size() : first_free_, run = 0;
    for (size_t row = first; run < count; ++row) {
        if (row == rows_.size()) rows_.push_back(Row::free);
        if (rows_.size() > most_rows)
            refuse(at_, fmt::format("the kernel needs more than {} bytes for each pixel: use smaller Arrays",
                                    most_rows * sizeof(float)));
        if (rows_[row] == Row::free) ++run;
        else run = 0, first = row + 1;
    }
    std::fill_n(rows_.begin() + long(first), count, state);
    if (first == first_free_) first_free_ += count;
    return uint32_t(first);
}

void Compiler::set_rows(uint32_t row, char letter, Row state) {
    for (uint32_t k = 0; k < (is_wide(letter) ? 2u : 1u); ++k) rows_[row + k] = state;
    if (state == Row::free) first_free_ = std::min<size_t>(first_free_, row);
}

Value Compiler::temporary(int type) {
    const std::string& letters = types_[size_t(type)].parts;
    Value value{.type = type};
    if (letters.empty()) return value;
    uint32_t count = 0;
    for (const char letter : letters) {
        value.parts.push_back(count);
        count += is_wide(letter) ? 2 : 1;
    }
    const uint32_t first = allocate(count, Row::temporary);
    for (uint32_t& part : value.parts) part += first;
    return value;
}

void Compiler::release(const Value& value) {
    const std::string& letters = types_[size_t(value.type)].parts;
    for (size_t k = 0; k < value.parts.size(); ++k)
        if (rows_[value.parts[k]] == Row::temporary) set_rows(value.parts[k], letters[k], Row::free);
    if (value.offset && rows_[*value.offset] == Row::temporary) set_rows(*value.offset, 'I', Row::free);
}

Value Compiler::constant(int type, uint64_t bits) {
    const auto [known, is_new] = constants_.try_emplace({letter(type), bits}, 0);
    if (is_new) {
        const bool wide = is_wide(letter(type));
        try {
            known->second = allocate(wide ? 2 : 1, Row::constant);
        } catch (...) {
            constants_.erase(known);
            throw;
        }
        kernel_->constants.push_back({known->second, wide, bits});
        if (wide) std::fill_n(folding_.at<uint64_t>(known->second), kernel_lanes, bits);
        else std::fill_n(folding_.at<uint32_t>(known->second), kernel_lanes, uint32_t(bits));
    }
    return {.type = type, .parts = {known->second}};
}

Value Compiler::whole_number(int64_t number, int type) { return constant(type, uint32_t(number)); }

Value Compiler::zero_of(int type) {
    Value value{.type = type};
    for (const char letter : types_[size_t(type)].parts)
        value.parts.push_back(constant(type_of_letter(letter), 0).parts[0]);
    return value;
}

bool Compiler::is_constant(const Value& value) const {
    return !value.offset && std::all_of(value.parts.begin(), value.parts.end(),
                                        [&](uint32_t part) { return rows_[part] == Row::constant; });
}

std::optional<int64_t> Compiler::constant_number(const Value& value) {
    if (!is_whole(value.type) || !is_constant(value)) return {};
    const int32_t number = *folding_.at<int32_t>(value.parts[0]);
    return value.type == unsigned_type ? int64_t(uint32_t(number)) : int64_t(number);
}

size_t Compiler::emit(Step run, uint32_t d, uint32_t a, uint32_t b, uint32_t c, bool acts) {
    spend();
    acting_ += acts;
    kernel_->code.push_back({run, d, a, b, c});
    return kernel_->code.size() - 1;
}

void Compiler::jump_here(const std::vector<size_t>& instructions) {
    for (const size_t each : instructions) jump_here(each);
}

void Compiler::deepen(int levels) {
    depth_ += levels;
    kernel_->depth = std::max(kernel_->depth, depth_);
}

// An operation on constants is computed now.
Value Compiler::apply(const KernelOperation& operation, const std::vector<Value>& operands) {
    const int type = type_of_letter(operation.types[0]);
    const Value result = temporary(type);
    KernelInstruction step{operation.run, result.parts[0]};
    uint32_t* const places[] = {&step.a, &step.b, &step.c};
    bool all_constant = true;
    for (size_t k = 0; k < operands.size(); ++k) {
        *places[k] = operands[k].parts[0];
        all_constant = all_constant && is_constant(operands[k]);
    }
    if (!all_constant) {
        emit(step.run, step.d, step.a, step.b, step.c, false);
        for (const Value& each : operands) release(each);
        return result;
    }
    step.run(folding_, step);
    uint64_t bits = *folding_.at<uint32_t>(step.d);
    if (is_wide(letter(type))) bits = *folding_.at<uint64_t>(step.d);
    release(result);
    return constant(type, bits);
}

// All operands are of one type, or have the letters that the operation wants.
Value Compiler::operation(std::string_view name, const std::vector<Value>& operands, char result) {
    std::string wanted;
    for (const Value& each : operands) wanted += letter(each.type);
    for (const KernelOperation& each : kernel_operations())
        if (each.name == name && each.types.substr(1) == wanted && (result == 0 || each.types[0] == result))
            return apply(each, operands);
    refuse(at_, fmt::format("{} is not understood here on the CPU", name));
}

// What a place holds; the place stays.
Value Compiler::read(const Value& place) {
    Value result = place;
    result.is_place = result.is_const = false;
    if (!place.offset) return result;
    result = temporary(place.type);
    const std::string& letters = types_[size_t(place.type)].parts;
    for (size_t k = 0; k < letters.size(); ++k)
        emit(is_wide(letters[k]) ? kernel_steps::gather_wide : kernel_steps::gather, result.parts[k], place.parts[k],
             *place.offset);
    return result;
}

Value Compiler::loaded(Value value) {
    Value result = read(value);
    if (value.offset) release(value);
    return result;
}

// As temporaries that nobody else reads, an Array in consecutive rows.
Value Compiler::owned(Value value) {
    value = loaded(std::move(value));
    const Type& type = types_[size_t(value.type)];
    bool own = true;
    for (size_t k = 0; k < value.parts.size(); ++k) {
        own = own && rows_[value.parts[k]] == Row::temporary;
        if (type.contiguous && k > 0)
            own = own && value.parts[k] == value.parts[k - 1] + (is_wide(type.parts[k - 1]) ? 2 : 1);
    }
    if (own) return value;
    Value result = temporary(value.type);
    for (size_t k = 0; k < value.parts.size(); ++k)
        emit(is_wide(type.parts[k]) ? kernel_steps::copy_wide : kernel_steps::copy, result.parts[k], value.parts[k], 0,
             0, false);
    release(value);
    return result;
}

Value Compiler::converted(Value value, int type, size_t at) {
    if (!is_convertible(value.type, type))
        refuse(at, value.type == void_type
                       ? "this gives no value"
                       : fmt::format("a {} cannot become a {}", name_of(value.type), name_of(type)));
    value = loaded(std::move(value));
    if (value.type == type) return value;
    const int from = value.type;
    if (from == bool_type && !is_whole(type)) value.type = int_type;
    if (is_whole(from) && is_whole(type) && type != bool_type) {
        value.type = type;  // the same bits
        if (is_constant(value)) return constant(type, *folding_.at<uint32_t>(value.parts[0]));
        return value;
    }
    return operation("(to)", {value}, letter(type));
}

void Compiler::assign(const Value& to, Value from, size_t at) {
    if (!to.is_place) refuse(at, "nothing can be assigned to this");
    if (to.is_const) refuse(at, "this is const: nothing can be assigned to it");
    from = converted(std::move(from), to.type, at);
    const bool overlaps = std::any_of(from.parts.begin(), from.parts.end(), [&](uint32_t part) {
        return std::find(to.parts.begin(), to.parts.end(), part) != to.parts.end();
    });
    if (overlaps && from.parts.size() > 1) from = owned(std::move(from));
    const std::string& letters = types_[size_t(to.type)].parts;
    for (size_t k = 0; k < letters.size(); ++k) {
        const bool wide = is_wide(letters[k]);
        if (to.offset)
            emit(wide ? kernel_steps::scatter_wide : kernel_steps::scatter, from.parts[k], to.parts[k], *to.offset);
        else if (from.parts[k] != to.parts[k])
            emit(wide ? kernel_steps::store_wide : kernel_steps::store, to.parts[k], from.parts[k]);
    }
    release(from);
}

Value Compiler::chosen(const Value& condition, Value a, Value b, size_t at) {
    int type = a.type;
    if (is_number(a.type) && is_number(b.type))
        type = a.type == b.type ? a.type : std::max({a.type, b.type, int(int_type)});
    else if (a.type != b.type) refuse(at, fmt::format("? : has a {} and a {}", name_of(a.type), name_of(b.type)));
    a = converted(std::move(a), type, at);
    b = converted(std::move(b), type, at);
    if (is_constant(condition)) {
        const bool first = *constant_number(condition) != 0;
        release(first ? b : a);
        return first ? a : b;
    }
    Value result = temporary(type);
    const std::string& letters = types_[size_t(type)].parts;
    for (size_t k = 0; k < letters.size(); ++k)
        emit(is_wide(letters[k]) ? kernel_steps::choose_wide : kernel_steps::choose, result.parts[k],
             condition.parts[0], a.parts[k], b.parts[k], false);
    release(condition);
    release(a);
    release(b);
    return result;
}

Value Compiler::negated(std::string_view sign, Value value, size_t at) {
    value = loaded(std::move(value));
    if (sign == "!") return operation("!", {converted(std::move(value), bool_type, at)});
    if (value.type == vector_type_ && sign == "-") {
        Value result{.type = vector_type_};
        for (const uint32_t part : value.parts)
            result.parts.push_back(operation("-", {Value{.type = float_type, .parts = {part}}}).parts[0]);
        return result;
    }
    if (!is_number(value.type) || (sign == "~" && !is_whole(value.type)))
        refuse(at, fmt::format("there is no {} of a {}", sign, name_of(value.type)));
    value = converted(std::move(value), std::max(value.type, int(int_type)), at);
    return sign == "+" ? value : operation(sign, {value});
}

Value Compiler::binary(std::string_view sign, Value a, Value b, size_t at) {
    a = loaded(std::move(a));
    b = loaded(std::move(b));
    const auto no_such = [&] {
        refuse(at, fmt::format("no operator \"{}\" matches these operands: {} {} {}", sign, name_of(a.type), sign,
                               name_of(b.type)));
    };
    const bool of_vectors = a.type == vector_type_ || b.type == vector_type_;
    if (of_vectors) {
        const bool both = a.type == b.type, calculates = sign == "+" || sign == "-" || sign == "*";
        const bool fits = both ? calculates
                               : (sign == "*" && (is_number(a.type) || is_number(b.type))) ||
                                     (sign == "/" && a.type == vector_type_ && is_number(b.type));
        if (!fits) no_such();
        if (a.type != vector_type_) a = converted(std::move(a), float_type, at);
        if (b.type != vector_type_) b = converted(std::move(b), float_type, at);
        Value result{.type = vector_type_};
        for (size_t k = 0; k < 4; ++k) {
            const Value each = temporary(float_type);
            for (const KernelOperation& o : kernel_operations())
                if (o.name == sign && o.types == "FFF")
                    emit(o.run, each.parts[0], a.parts[both || a.type == vector_type_ ? k : 0],
                         b.parts[both || b.type == vector_type_ ? k : 0], 0, false);
            result.parts.push_back(each.parts[0]);
        }
        release(a);
        release(b);
        return result;
    }
    if (!is_number(a.type) || !is_number(b.type)) no_such();
    const bool of_bits = sign == "%" || sign == "&" || sign == "|" || sign == "^" || sign == "<<" || sign == ">>";
    if (of_bits && !(is_whole(a.type) && is_whole(b.type))) no_such();
    int type = int_type;
    if (sign == "<<" || sign == ">>") type = std::max(a.type, int(int_type));
    else type = std::max({a.type, b.type, int(int_type)});
    a = converted(std::move(a), type, at);
    b = converted(std::move(b), type, at);
    return operation(sign, {a, b});
}

}  // namespace texelscope::kernel_compiler
