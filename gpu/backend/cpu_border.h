#pragma once
// Backend::minus and Backend::add_border on the CPU.

#include "gpu/backend/border_job.h"

namespace texelscope {

void minus_on_cpu(const MinusJob& job);
void add_border_on_cpu(const BorderJob& job);

}  // namespace texelscope
