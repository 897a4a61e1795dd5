// What stands outside functions in interpreted kernels, and the kernel as a whole.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "gpu/core/text.h"
#include "gpu/kernels/kernel_compiler.h"

namespace texelscope::kernel_compiler {

bool Compiler::take(std::string_view text) {
    if (text == ">" && is(">>")) {  // the end of two Array<…>
        if (half_closed_ == at_) ++at_, half_closed_.reset();
        else half_closed_ = at_;
        return true;
    }
    if (!is(text)) return false;
    ++at_;
    return true;
}

void Compiler::expect(std::string_view text) {
    if (!take(text)) refuse(at_, fmt::format("expected a \"{}\"", text));
}

std::string_view Compiler::name() {
    if (!is_name(at_)) refuse(at_, "expected a name");
    return word(at_++);
}

// The bracket that closes this one, with those in between: the reader has checked them.
size_t Compiler::closing(size_t open) const {
    size_t depth = 0, i = open;
    for (;; ++i) {
        if (word(i) == "(" || word(i) == "{") ++depth;
        if ((word(i) == ")" || word(i) == "}") && --depth == 0) return i;
    }
}

const Value* Compiler::find(std::string_view name) const {
    for (size_t s = scopes_.size(); s-- > 0;) {
        if (s != 0 && s < call_.first_scope) continue;
        if (const auto known = scopes_[s].names.find(name); known != scopes_[s].names.end()) return &known->second;
    }
    return nullptr;
}

// Types.

bool Compiler::begins_type(size_t token) const {
    const std::string_view of = word(token);
    return is_name(token) && of != "sample" &&
           (is_type_word(of) || of == "Array" || (type_names_.count(of) && !find(of)));
}

int Compiler::array_size() {
    expect("<");
    const int element = type();
    if (element <= void_type) refuse(at_, "write Array<float, 9>");
    expect(",");
    const size_t at = at_;
    const std::optional<int64_t> count = constant_number(loaded(binary_from(8)));
    if (!count) refuse(at, "the size of an Array is a constant");
    int64_t bytes = 0;
    for (const char each : types_[size_t(element)].parts) bytes += is_wide(each) ? 8 : 4;
    if (*count < 1 || *count > 2048 || bytes * *count > 2048) refuse(at, "an Array has 1 to 2048 bytes");
    if (!take(">")) refuse(at_, "expected a \">\"");
    return array_of(element, int(*count));
}

int Compiler::type(bool* is_const) {
    const Deeper deeper(*this);
    bool constant = false;
    while (is("const") || is("constexpr") || is("inline")) constant = constant || !is("inline"), ++at_;
    const size_t at = at_;
    int found = deduced_type;
    const std::string_view of = name();
    if (of == "unsigned" || of == "signed") {
        found = of == "signed" ? int_type : unsigned_type;
        if (is("long") || is("short") || is("char"))
            refuse(at, fmt::format("the type {} {} is not understood on the CPU: write {}", of, word(at_), of));
        take("int");
    } else if (of == "Array") {
        found = array_size();
    } else if (const auto known = type_names_.find(of); known != type_names_.end()) {
        found = known->second;
    } else if (of != "auto") {
        refuse(at,
               is_type_word(of)
                   ? fmt::format("the type {} is not understood on the CPU: write int, unsigned, float or double", of)
                   : fmt::format("identifier \"{}\" is undefined", shown(of)));
    }
    while (take("const")) constant = true;
    if (is_const) *is_const = constant;
    return found;
}

// What stands outside functions.

void Compiler::parts_of_text() {
    while (!word(at_).empty()) {
        if (take(";")) continue;
        spend();
        if (is("enum")) refuse(at_, "enum is not understood on the CPU: write constexpr int");
        if (is("struct")) structure();
        else function_or_constant();
    }
}

void Compiler::structure() {
    ++at_;
    const size_t at = at_;
    Type made{.name = std::string(name())};
    if (type_names_.count(made.name)) refuse(at, fmt::format("{} is defined twice", shown(made.name)));
    const int number = int(types_.size());
    expect("{");
    struct Method {
        int result;
        size_t name;
    };
    std::vector<Method> methods;
    while (!take("}")) {
        if (take(";")) continue;
        if ((is("public") || is("private") || is("protected")) && word(at_ + 1) == ":") {
            at_ += 2;
            continue;
        }
        bool skips = false;  // a method may give the struct itself
        int of = deduced_type;
        if (is(made.name) || (is("const") && word(at_ + 1) == made.name)) {
            skips = true;
            at_ += is("const") ? 2 : 1;
            of = number;
        } else {
            of = type();
        }
        if (is("&")) refuse(at_, "references as members are not understood on the CPU");
        if (word(at_ + 1) == "(") {
            methods.push_back({of, at_});
            at_ = closing(at_ + 1) + 1;
            while (take("const") || take("noexcept")) continue;
            if (is("{")) at_ = closing(at_) + 1;
            continue;
        }
        if (skips || of <= void_type) refuse(at_, "a member has a type that is known here");
        do {
            const size_t named = at_;
            made.members.push_back({name(), of, 0, is("=") || is("{") ? at_ : 0});
            for (size_t k = 0; k + 1 < made.members.size(); ++k)
                if (made.members[k].name == word(named))
                    refuse(named, fmt::format("{} is defined twice", shown(word(named))));
            while (!is(",") && !is(";") && !word(at_).empty()) at_ = is("(") || is("{") ? closing(at_) + 1 : at_ + 1;
        } while (take(","));
        expect(";");
    }
    expect(";");
    const size_t back = at_;
    if (made.members.size() > 256) refuse(at, "a struct has more than 256 members");
    const int added = add_type(std::move(made));
    if (types_[size_t(added)].parts.size() > 4096) refuse(at, "this struct is too large for the CPU");
    for (const Method& each : methods) function_header(added, each.result, each.name);
    at_ = back;
}

void Compiler::function_or_constant() {
    const size_t first = at_;
    bool is_const = false;
    const int of = type(&is_const);
    if (is("&")) refuse(at_, "functions that return references are not understood on the CPU");
    if (is_name(at_) && word(at_ + 1) == "(") return function_header(void_type, of, at_);
    at_ = first;
    declaration();
}

void Compiler::function_header(int owner, int result, size_t named) {
    Function function{.name = word(named), .at = named, .owner = owner, .result = result};
    at_ = named + 1;
    expect("(");
    if (is("void") && word(at_ + 1) == ")") ++at_;
    while (!take(")")) {
        Parameter each;
        each.type = type(&each.is_const);
        if (each.type <= void_type) refuse(at_, "a parameter needs a type");
        each.is_reference = take("&");
        if (is_name(at_)) each.name = name();
        if (take("=")) {
            each.standard = at_;
            while (!is(",") && !is(")")) at_ = is("(") || is("{") ? closing(at_) + 1 : at_ + 1;
        }
        function.parameters.push_back(each);
        if (function.parameters.size() > 64) refuse(at_, "a function has more than 64 parameters");
        if (!is(")")) expect(",");
    }
    while (take("const") || take("noexcept")) continue;
    if (take("{")) {
        function.body = at_;
        function.end = closing(at_ - 1);
        const size_t returns =
            size_t(std::count_if(tokens_.begin() + long(function.body), tokens_.begin() + long(function.end),
                                 [](const KernelToken& t) { return t.text == "return"; }));
        size_t last = function.body;  // where the last statement begins
        for (size_t i = function.body; i < function.end; ++i) {
            if (word(i) == "(" || word(i) == "{") i = closing(i);
            if ((word(i) == ";" || word(i) == "}") && i + 1 < function.end) last = i + 1;
        }
        function.returns_last = returns == 0 || (returns == 1 && word(last) == "return");
        at_ = function.end + 1;
    } else {
        expect(";");
    }
    for (Function& other : functions_) {
        if (other.name != function.name || other.owner != owner ||
            other.parameters.size() != function.parameters.size() ||
            !std::equal(other.parameters.begin(), other.parameters.end(), function.parameters.begin(),
                        [](const Parameter& a, const Parameter& b) { return a.type == b.type; }))
            continue;
        if (function.body != 0 && other.body != 0)
            refuse(named, fmt::format("function \"{}\" is defined twice", shown(function.name)));
        if (function.body == 0) return;
        function.at = other.at;
        other = function;
        return;
    }
    functions_.push_back(function);
}

// Which parameters the function's text may change: the others need not be copied.
std::vector<bool> Compiler::changes_of(const Function& function) const {
    constexpr std::string_view changing[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "<<=", ">>="};
    const auto changes = [&](std::string_view sign) {
        return std::find(std::begin(changing), std::end(changing), sign) != std::end(changing);
    };
    const auto takes_a_reference = [](const Function& f) {
        return f.owner != void_type || std::any_of(f.parameters.begin(), f.parameters.end(),
                                                   [](const Parameter& p) { return p.is_reference && !p.is_const; });
    };
    std::set<std::string_view> may_change;  // functions
    for (const Function& other : functions_)
        if (takes_a_reference(other)) may_change.insert(other.name);
    std::set<std::string_view> names;
    for (size_t i = function.body; i < function.end; ++i) {
        const bool reference =
            word(i) == "&" && is_name(i + 1) && (word(i - 1) == "auto" || word(i - 1) == ">" || begins_type(i - 1));
        if (reference || (word(i + 1) == "(" && may_change.count(word(i)) != 0))
            return std::vector<bool>(function.parameters.size(), true);
        if (!is_name(i)) continue;
        size_t next = i + 1;
        while (word(next) == "." || word(next) == "(" || word(next) == ")")
            next = word(next) == "(" ? closing(next) + 1 : word(next) == "." ? next + 2 : next + 1;
        if (word(i - 1) == "++" || word(i - 1) == "--" || changes(word(next))) names.insert(word(i));
    }
    std::vector<bool> found;
    for (const Parameter& each : function.parameters) found.push_back(names.count(each.name) != 0);
    return found;
}

// The whole kernel.

KernelProblem Compiler::placed(const Problem& problem) const {
    constexpr size_t most_bytes = 300;  // types may have long names
    const std::string_view before = text_.substr(0, tokens_[std::min(problem.token, tokens_.size() - 1)].at);
    const size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
    return {1 + int(std::count(before.begin(), before.end(), '\n')), int(before.size() - start) + 1,
            problem.sentence.substr(0, most_bytes)};
}

void Compiler::compile_sample() {
    InterpretedKernel::Inputs& in = kernel_->inputs;
    const auto given = [&](int type, uint32_t& place) {
        Value value = temporary(type);
        set_rows(place = value.parts[0], letter(type), Row::variable);
        value.is_place = true;
        return value;
    };
    Value source{.type = source_type_, .is_place = true};
    for (uint32_t* place : {&in.width, &in.height, &in.i, &in.j, &in.output_width, &in.output_height})
        source.parts.push_back(given(int_type, *place).parts[0]);
    source.parts.push_back(given(double_type, in.scale).parts[0]);
    const Value x = given(double_type, in.x), y = given(double_type, in.y);
    Value parameters{.type = parameters_type_, .is_place = true};
    for (size_t k = 0; k < KernelFile::most_parameters; ++k) {
        const Value each = given(float_type, in.parameters[k]);
        if (k < file_.parameters.size()) parameters.parts.push_back(each.parts[0]);
    }
    const auto sample = std::find_if(functions_.begin(), functions_.end(),
                                     [](const Function& f) { return f.name == "sample" && f.owner == void_type; });
    const Value value = owned(inlined(*sample, {source, x, y, parameters}, nullptr, sample->at));
    std::copy(value.parts.begin(), value.parts.end(), kernel_->result);
}

// What is never called is checked as well.
void Compiler::check_alone(Function& function) {
    std::vector<Value> given;
    begin_scope();
    for (const Parameter& each : function.parameters) {
        Value value = temporary(each.type);
        const std::string name = fmt::format("{}", given.size());
        bind("", value, function.at);
        given.push_back(scopes_.back().names.at(""));
        scopes_.back().names.clear();
    }
    if (function.owner != void_type) {
        const Value self = temporary(function.owner);
        release(inlined(function, given, &self, function.at));
    } else {
        release(inlined(function, given, nullptr, function.at));
    }
    end_scope();
}

std::shared_ptr<const InterpretedKernel> Compiler::compile() {
    std::vector<KernelProblem> problems;
    const auto attempt = [&](auto work) {
        try {
            work();
            return true;
        } catch (const Problem& problem) {
            KernelProblem found = placed(problem);
            const bool known = std::any_of(problems.begin(), problems.end(),
                                           [&](const KernelProblem& p) { return p.line == found.line; });
            if (!known) problems.push_back(std::move(found));
            return false;
        }
    };
    if (attempt([&] { parts_of_text(); })) {
        attempt([&] { compile_sample(); });
        const InterpretedKernel made = *kernel_;
        for (Function& each : functions_) {
            if (each.was_compiled || each.body == 0) continue;
            scopes_.resize(1);
            call_ = {};
            depth_ = nesting_ = 0;
            attempt([&] { check_alone(each); });
        }
        kernel_->code = made.code;
        kernel_->depth = made.depth;
    }
    std::stable_sort(problems.begin(), problems.end(),
                     [](const KernelProblem& a, const KernelProblem& b) { return a.line < b.line; });
    if (!problems.empty()) throw KernelError(std::move(problems));
    kernel_->rows = uint32_t(rows_.size());
    size_t of_pixel = 0;
    for (const Row each : rows_) of_pixel += each != Row::constant;
    kernel_->bytes_for_pixel = of_pixel * sizeof(float);
    constexpr size_t most_bytes = kernel_stack_bytes + 255 * sizeof(float);  // a GPU has as many registers besides
    if (kernel_->bytes_for_pixel > most_bytes)
        throw KernelError(
            {{0, 0,
              fmt::format("the kernel needs {} bytes for each pixel: at most {} are given, so use smaller Arrays",
                          kernel_->bytes_for_pixel, most_bytes)}});
    return kernel_;
}

}  // namespace texelscope::kernel_compiler

namespace texelscope {

std::shared_ptr<const InterpretedKernel> interpret_kernel(const KernelFile& file, std::string_view text) {
    return kernel_compiler::Compiler(file, text).compile();
}

}  // namespace texelscope
