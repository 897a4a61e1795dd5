#pragma once
// From the tokens of a kernel to instructions for the interpreter, in one pass: types are checked where instructions are
// written. Functions are compiled where they are called, since the dialect has no recursion. Only for the sources of
// interpret_kernel().

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/kernels/kernel_interpreter.h"

namespace texelscope::kernel_compiler {

// Types by their numbers; more follow. The first are the numbers, whose letters are those of KernelOperation.
enum : int {
    deduced_type = -1,
    void_type,
    bool_type,
    int_type,
    unsigned_type,
    float_type,
    double_type,
    last_number_type = double_type
};

struct Type {
    struct Member {
        std::string_view name;
        int type = void_type;
        size_t first = 0;        // of its parts
        size_t initialiser = 0;  // the token after the name; 0: none
    };
    std::string name;
    std::string parts = {};  // the letters of all numbers in it
    std::vector<Member> members = {};
    int element = void_type, count = 0;  // of an Array
    bool contiguous = false;             // it is or holds an Array: all parts lie in consecutive rows
    bool starts_at_zero = true;          // no member has an initialiser
};

// What an expression gives: rows of registers, one for each part. A part is a temporary that belongs to this value, a
// constant, or a part of a variable.
struct Value {
    int type = void_type;
    std::vector<uint32_t> parts = {};
    bool is_place = false, is_const = false;
    std::optional<uint32_t> offset =
        {};  // of an element of an Array: so many rows after `parts`, different in each lane
};

struct Parameter {
    std::string_view name;
    int type = void_type;
    bool is_reference = false, is_const = false;
    size_t standard = 0;  // the token of its default argument; 0: none
};

struct Function {
    std::string_view name;
    size_t at = 0;  // the token of its name
    int owner = void_type, result = void_type;
    std::vector<Parameter> parameters = {};
    size_t body = 0, end = 0;   // tokens: the first within { }, and }; 0: only declared
    bool returns_last = false;  // once, at its end, or never
    bool was_compiled = false;
    std::optional<std::vector<bool>> changes = {};  // parameters that its text may change
};

class Compiler {
public:
    Compiler(const KernelFile& file, std::string_view text);
    std::shared_ptr<const InterpretedKernel> compile();

private:
    enum class Row : uint8_t { free, temporary, variable, constant };
    struct Scope {
        std::map<std::string_view, Value> names;
        std::vector<std::pair<uint32_t, char>> rows;  // of its variables, with their letters
    };
    struct Breakable {
        int break_level = 0, continue_level = -1;  // −1: a switch
        std::vector<size_t> continues;             // jumps to where the loop goes on
    };
    struct Call {
        const Function* function = nullptr;
        int result_type = void_type;
        std::optional<Value> result, self;
        int level = -1;  // of masks that a return leaves; −1: it is the last statement
        size_t first_scope = 0;
        std::vector<size_t> exits;  // jumps to the end
        std::vector<Breakable> breakables;
    };
    struct Problem {
        size_t token;
        std::string sentence;
    };
    struct Deeper {
        explicit Deeper(Compiler& c) : compiler(c) { c.go_deeper(); }
        ~Deeper() { --compiler.nesting_; }
        Deeper(const Deeper&) = delete;
        Deeper& operator=(const Deeper&) = delete;
        Compiler& compiler;
    };
    using Step = void (*)(KernelMachine&, const KernelInstruction&);

    // kernel_values.cpp: types, registers, instructions.
    void add_standard_types();
    int add_type(Type type);
    int array_of(int element, int count);
    bool is_number(int type) const { return type >= bool_type && type <= last_number_type; }
    bool is_whole(int type) const { return type >= bool_type && type <= unsigned_type; }
    char letter(int type) const { return types_[size_t(type)].parts[0]; }
    static int type_of_letter(char letter);
    static bool is_wide(char letter) { return letter == 'D'; }
    const std::string& name_of(int type) const { return types_[size_t(type)].name; }
    uint32_t allocate(uint32_t rows, Row state);
    void set_rows(uint32_t row, char letter, Row state);
    Value temporary(int type);
    void release(const Value& value);
    Value constant(int type, uint64_t bits);
    Value whole_number(int64_t number, int type = int_type);
    Value zero_of(int type);
    bool is_constant(const Value& value) const;
    std::optional<int64_t> constant_number(const Value& value);
    size_t emit(Step run, uint32_t d = 0, uint32_t a = 0, uint32_t b = 0, uint32_t c = 0, bool acts = true);
    void jump_here(size_t instruction) { kernel_->code[instruction].c = uint32_t(kernel_->code.size()); }
    void jump_here(const std::vector<size_t>& instructions);
    void deepen(int levels);
    Value apply(const KernelOperation& operation, const std::vector<Value>& operands);
    Value operation(std::string_view name, const std::vector<Value>& operands, char result = 0);
    Value read(const Value& place);
    Value loaded(Value value);
    Value owned(Value value);
    Value converted(Value value, int type, size_t at);
    bool is_convertible(int from, int to) const { return from == to || (is_number(from) && is_number(to)); }
    void assign(const Value& to, Value from, size_t at);
    Value member(const Value& value, const Type::Member& member);
    Value element(Value array, Value index, size_t at);
    Value chosen(const Value& condition, Value a, Value b, size_t at);
    Value binary(std::string_view sign, Value a, Value b, size_t at);
    Value negated(std::string_view sign, Value value, size_t at);

    // kernel_expressions.cpp.
    Value expressions();  // with commas
    Value expression();
    Value conditional();
    Value binary_from(int least);
    Value both_or_either(std::string_view sign, Value first, size_t at);
    Value unary();
    Value postfix();
    Value primary();
    Value number();
    Value braces(int type);
    Value standard_value(int type);
    std::vector<Value> arguments();
    Value constructed(int type, size_t at);
    Value method(Value value, std::string_view name, size_t at);
    Value called(std::string_view name, size_t at);
    std::optional<Value> dialect_call(std::string_view name, std::vector<Value>& given, size_t at);
    Value library_call(std::string_view name, std::vector<Value>& given, size_t at);
    Value user_call(std::string_view name, int owner, const Value* self, std::vector<Value>& given, size_t at,
                    bool& found);
    template <class Rank> std::optional<size_t> best(size_t candidates, size_t count, Rank rank, bool& ambiguous) const;
    int rank(int from, int to) const;
    Value inlined(Function& function, std::vector<Value> given, const Value* self, size_t at);

    // kernel_statements.cpp.
    void parts_of_text();
    void structure();
    void function_or_constant();
    void function_header(int owner, int result, size_t name);
    bool begins_type(size_t token) const;
    int type(bool* is_const = nullptr);
    int array_size();
    void statement();
    void statements_to(size_t end);
    void block();
    void scoped_statement();
    void declaration();
    void declare(std::string_view name, Value value, bool is_const, size_t at);
    void bind(std::string_view name, Value value, size_t at);
    void if_statement();
    void for_statement();
    void while_statement();
    void do_statement();
    void switch_statement();
    void return_statement();
    void leave_loop(bool goes_on);
    Breakable begin_loop();
    Value condition();
    void begin_scope() { scopes_.emplace_back(); }
    void end_scope();
    std::vector<bool> changes_of(const Function& function) const;
    void compile_sample();
    void check_alone(Function& function);

    // Tokens.
    std::string_view word(size_t token) const { return tokens_[token].text; }
    bool is(std::string_view text) const { return tokens_[at_].text == text; }
    bool is_name(size_t token) const { return tokens_[token].kind == KernelToken::Kind::word; }
    bool take(std::string_view text);
    void expect(std::string_view text);
    std::string_view name();
    size_t closing(size_t open) const;
    void go_deeper();
    void spend();
    [[noreturn]] void refuse(size_t token, std::string sentence) const { throw Problem{token, std::move(sentence)}; }
    const Value* find(std::string_view name) const;
    KernelProblem placed(const Problem& problem) const;

    const KernelFile& file_;
    std::string_view text_;
    std::vector<KernelToken> tokens_;  // the last one is empty
    size_t at_ = 0;
    std::optional<size_t> half_closed_;  // a >> whose first half closed an Array<…>
    std::vector<Type> types_;
    std::map<std::string, int, std::less<>> type_names_;
    int source_type_ = 0, parameters_type_ = 0, vector_type_ = 0;
    std::deque<Function> functions_;
    std::vector<Scope> scopes_;
    Call call_;
    std::vector<Row> rows_;
    size_t first_free_ = 0;
    std::map<std::pair<char, uint64_t>, uint32_t> constants_;
    std::shared_ptr<InterpretedKernel> kernel_;
    KernelMachine folding_;
    int depth_ = 0;      // of masks, here
    size_t acting_ = 0;  // instructions that act on lanes that take part only
    int nesting_ = 0;
    size_t spent_ = 0;  // what has been compiled, in tokens
};

}  // namespace texelscope::kernel_compiler
