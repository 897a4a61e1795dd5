#pragma once
// Methods that are not ours: results that were made elsewhere, and other programs.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "gpu/core/image.h"
#include "gpu/method/spec.h"

namespace texelscope {

struct OutsideResult {
    Image image;
    double milliseconds;  // NaN: not known
};

// A method that is only a name, and what it makes of the picture that methods get.
struct OutsideMethod {
    MethodSpec spec;  // of outside_spec()
    // `check` is called meanwhile; what it throws ends a program with all that it has started. Throws Error.
    std::function<OutsideResult(const Image& given, Extent size, const std::function<void()>& check)> make;
    std::function<std::string()> identity;  // another text for another result of the same picture; throws Error
};

// What a SPEC begins with that is another program's command.
inline constexpr std::string_view command_prefix = "command:";

// How a result lies over the original, in its pixels: moved right and down; and each edge outward of where it should be.
struct Displacement {
    double right = 0, down = 0, wider = 0, higher = 0;

    bool matters() const;  // more than a tenth of a pixel, or twice that at the edges
};

// Measured where both have structure larger than `blur` pixels, by the gradients of both (Lucas & Kanade 1981); of several pixels it is
// too small. Empty for pictures without such structure. The result is as outside_values() makes it.
std::optional<Displacement> displacement_of(const Image& result, const Image& original, double blur);

// A spec that stands for it in results and reports: its id is "result:NAME" or "command:TEXT". It computes nothing. The same text gives the
// same method.
MethodSpec outside_spec(std::string_view id, std::string_view name);
bool is_outside(const MethodSpec& spec);

// to_string(), or the id of one that is outside; and back. Throws UsageError.
std::string full_spec_text(const MethodSpec& spec);
MethodSpec spec_of_text(const std::string& text);

// The pattern with this name in place of each {name}.
std::string with_name(std::string pattern, const std::string& stem);

// "NAME=FILE", `stem` for {name} in FILE: the result that is read from there. Throws UsageError.
OutsideMethod result_method(const std::string& text, const std::string& stem);

struct ProgramLimits {
    double seconds = 60;             // until it is killed with all that it has started
    size_t bytes = size_t(4) << 30;  // of memory that each of its processes writes to, and of a file
};

// What a command is called: "command " and its beginning.
std::string command_name(const std::string& command);

// A command of the shell with {in} and {out}, or {in.EXT} and {out.EXT}: the names of a picture that it gets and of one that it
// makes, as PNG unless there is an extension; {width} and {height} of that, and {factor}, how much larger that is. It runs in
// a process group of its own, with nothing on standard input. Its result is slow by what starting and files take. Throws
// UsageError; make() throws Error with what the program said last.
OutsideMethod program_method(const std::string& command, const ProgramLimits& limits);

// Throws Error, which begins with `name`, if a result has another size.
void check_outside_size(Extent is, Extent wanted, const std::string& name);

// Commands of programs that many systems have.
struct ExampleCommand {
    const char *name, *command;
    double factor;  // one that it can
};
std::span<const ExampleCommand> example_commands();

// The result's values as methods make them: f32, premultiplied if the original has alpha, one grey value for each of its
// channels. Throws Error, which begins with `name`, for another size or other channels.
Image outside_values(const Image& result, const Image& original, Extent size, const std::string& name);

// What other programs have made in this run of ours.

// A picture made larger by a command: its sides times the factor, rounded. The last results are kept by the command and the
// samples that it got. Throws Error with what the program said last, also for a wrong size; what `check`, called meanwhile, throws.
std::shared_ptr<const Image> enlarged_by_program(const Image& given, const std::string& command, double factor,
                                                 const std::function<void()>& check);

// Milliseconds of the command's last run, files included; 0: it has not run.
double ms_of_program(const std::string& command);

}  // namespace texelscope
