#include "app/cli/command_line.h"
#include "app/files/decoding/decoding.h"
#include "app/files/reading/decoders.h"

int main(int argc, char** argv) {
    texelscope::start_decoding(argc, argv, texelscope::foreign_decoder());  // before there is anything not to be forked
    return texelscope::run_command_line(argc, argv);
}
