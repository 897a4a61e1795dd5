#include "app/cli/command_line.h"

int main(int argc, char** argv) { return texelscope::run_command_line(argc, argv); }
