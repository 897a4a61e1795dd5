#pragma once
// Temporary files of outputs that were never finished, because the program was killed.

#include <filesystem>
#include <string>

namespace texelscope {

// ".texelscope-PROCESS-NUMBER", not used before by this process.
std::string temporary_name();

// Removes those of this user in `folder` whose process is gone, once per folder. Only if nothing has been written to them
// for ten minutes: on a shared file system the process may be another machine's.
void sweep_leftovers(const std::filesystem::path& folder);

}  // namespace texelscope
