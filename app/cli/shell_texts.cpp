// texelscope completion SHELL and texelscope manual: for shells and for man(1), from the commands as they are declared.

#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/commands.h"
#include "app/cli/completion.h"
#include "app/cli/manual_page.h"

namespace texelscope {

void add_shell_texts(Command app) {
    auto shell = std::make_shared<std::string>();
    Command completing = app.add_subcommand("completion", "Print a script that completes commands in a shell");
    completing.add_option("SHELL", *shell, "Shell to complete for")
        .type_name(fmt::format("{}", fmt::join(completion_shells, "|")))
        .required();
    completing.footer(
        "Examples:\n"
        "  source <(texelscope completion bash)\n"
        "  texelscope completion fish | source");
    completing.callback([app, shell] { fmt::print("{}", completion(app.text(), *shell)); });

    Command manual = app.add_subcommand("manual", "Print the manual page");
    manual.footer("Examples:\n  texelscope manual | man -l -");
    manual.callback([app] { fmt::print("{}", manual_page(app.text())); });
}

}  // namespace texelscope
