#include <fcntl.h>
#include <unistd.h>

#include "app/cli/command_line.h"
#include "app/files/decoding/decoder.h"
#include "app/files/reading/image_files.h"

namespace {

// Standard input and output that are closed stay unusable: files and sockets would get their numbers, and what is
// printed. Each is opened for what it is not for, so that its use is an error.
void hold_standard_descriptors() {
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(standard, F_GETFD) < 0)
            static_cast<void>(::open("/dev/null", standard == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

}  // namespace

int main(int argc, char** argv) {
    hold_standard_descriptors();
    texelscope::start_decoding(argc, argv, texelscope::foreign_decoder());  // before there is anything not to be forked
    return texelscope::run_command_line(argc, argv);
}
