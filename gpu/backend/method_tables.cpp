#include "gpu/backend/method_tables.h"

#include "gpu/backend/backend.h"
#include "gpu/reference/weight_pieces.h"

namespace texelscope {

template <class Values> MethodTables::Memory MethodTables::stored(const Values& values) {
    const size_t bytes = values.size() * sizeof(values[0]);
    const std::shared_ptr<void> memory = backend_.allocate(bytes);
    backend_.write(memory.get(), values.data(), bytes);
    return memory;
}

const float* MethodTables::table(const MethodSpec& spec, bool derivative) {
    const Memory& memory =
        tables_.get(spec, derivative, [&] { return stored(weight_table(*spec.method, spec.parameters, derivative)); });
    return static_cast<const float*>(memory.get());
}

void MethodTables::set(TabulatedJob& tabulated, const MethodSpec& spec) {
    tabulated.x.table = table(spec, tabulated.x.derivative);
    tabulated.y.table = table(spec, tabulated.y.derivative);
}

const double* MethodTables::pieces(const MethodSpec& spec) {
    const Memory& memory =
        pieces_.get(spec, false, [&] { return stored(weight_pieces(*spec.method, spec.parameters)); });
    return static_cast<const double*>(memory.get());
}

const AxisWeights& MethodTables::weights(const MethodSpec& spec) {
    return weights_.get(spec, false, [&] { return axis_weights(*spec.method, spec.parameters); });
}

}  // namespace texelscope
