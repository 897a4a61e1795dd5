#include "gpu/method/cuda_shared.h"

namespace texelscope {

template void launch_shared<6, 3>(const ResampleJob&, const KernelChoice&, const AxisWeights&, const DeviceQueue&);
template void launch_shared<6, 5>(const ResampleJob&, const KernelChoice&, const AxisWeights&, const DeviceQueue&);

}  // namespace texelscope
