#pragma once
// What other programs have made in this run of ours.

#include <memory>
#include <string>

#include "app/studies/restoring/outside_methods.h"

namespace texelscope {

// A picture made larger by a command: its sides times the factor, rounded. The last results are kept by the command and the
// samples that it got. Throws Error with what the program said last, also for a wrong size; what `check`, called meanwhile, throws.
std::shared_ptr<const Image> enlarged_by_program(const Image& given, const std::string& command, double factor,
                                                 const std::function<void()>& check);

// Milliseconds of the command's last run, files included; 0: it has not run.
double ms_of_program(const std::string& command);

}  // namespace texelscope
