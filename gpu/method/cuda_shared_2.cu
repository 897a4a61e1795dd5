#include "gpu/method/cuda_shared.h"

namespace texelscope {

template void launch_shared<2, 1>(const ResampleJob&, const KernelChoice&, const AxisWeights&, const DeviceQueue&);

}  // namespace texelscope
