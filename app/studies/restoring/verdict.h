#pragma once
// The answer to "which is best for this picture?", in one sentence.

#include <string>
#include <vector>

#include "app/studies/restoring/restoring.h"

namespace texelscope {

// "Quintic B-spline restores this picture best: 32.1 dB against the original; cubic B-spline is 0.2 dB behind with 16
// instead of 36 fetches." By PSNR over the interior and by fetches; `methods`: the best first, as in a result.
std::string verdict(const Restoration& restoration, const std::vector<RestoredMethod>& methods);

}  // namespace texelscope
