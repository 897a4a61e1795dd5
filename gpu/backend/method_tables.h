#pragma once
// The weights of methods as numbers that a backend reads, computed at their first use.

#include <memory>

#include "gpu/backend/method_cache.h"
#include "gpu/method/axis_weights.h"
#include "gpu/method/polar.h"
#include "gpu/method/tabulated.h"
#include "gpu/reference/reference_job.h"

namespace texelscope {

class BackendMemory;

class MethodTables {
public:
    // Tables will be in the backend's memory; it must outlive them.
    explicit MethodTables(BackendMemory& backend) : backend_(backend) {}

    // Gives both filters of the job their radius and table. Throws OutOfMemory.
    void set(TabulatedJob& tabulated, const MethodSpec& spec);

    // Gives the job its table. Throws OutOfMemory.
    void set(PolarJob& polar, const MethodSpec& spec) { polar.table = table(spec, false); }

    // Gives the reference's weights their numbers. Throws OutOfMemory.
    void set(WeightPieces& weight, const MethodSpec& spec);

    // In host memory.
    const AxisWeights& weights(const MethodSpec& spec);

private:
    static constexpr size_t capacity = 64;
    using Memory = std::shared_ptr<const void>;

    const float* table(const MethodSpec& spec, bool derivative);
    void set(AxisFilter& filter, const MethodSpec& spec);
    template <class Values> Memory stored(const Values& values);

    BackendMemory& backend_;
    MethodCache<Memory> tables_{capacity}, pieces_{capacity};
    MethodCache<AxisWeights> weights_{capacity};
};

}  // namespace texelscope
