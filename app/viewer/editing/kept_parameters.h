#pragma once

#include "gpu/method/spec.h"

namespace texelscope {

// Parameters of the same name keep their value, if it is in their range; the others have their default.
MethodParameters kept_parameters(const MethodSpec& before, const MethodInfo& now);

}  // namespace texelscope
