#include "gpu/method/cuda_shared.h"

namespace texelscope {

template void launch_shared<8, 4>(const ResampleJob&, const KernelChoice&, const AxisWeights&, const DeviceQueue&);
template void launch_shared<8, 7>(const ResampleJob&, const KernelChoice&, const AxisWeights&, const DeviceQueue&);

}  // namespace texelscope
