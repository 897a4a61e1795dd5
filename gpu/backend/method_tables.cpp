#include "gpu/backend/method_tables.h"

#include "gpu/backend/interfaces.h"
#include "gpu/method/custom_method.h"

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
    set(tabulated.x, spec);
    set(tabulated.y, spec);
}

void MethodTables::set(AxisFilter& filter, const MethodSpec& spec) {
    if (!spec.method->custom) {
        filter.table = table(spec, filter.derivative);
        return;
    }
    const PackedPieces<float> pieces = spec.method->custom->packed(spec.parameters, filter.derivative);
    const Memory& memory = tables_.get(spec, filter.derivative, [&] { return stored(pieces.bytes); });
    filter.pieces = pieces.at(memory.get());
}

void MethodTables::set(WeightPieces& weight, const MethodSpec& spec) {
    if (spec.method->custom) {
        const auto weights = spec.method->custom->weights(spec.parameters);
        const PackedPieces<double> pieces = packed<double>(weights->pieces, weights->packed.reach);
        const Memory& memory = pieces_.get(spec, false, [&] { return stored(pieces.bytes); });
        weight.pieces = pieces.at(memory.get());
        return;
    }
    const Memory& memory =
        pieces_.get(spec, false, [&] { return stored(weight_pieces(*spec.method, spec.parameters)); });
    weight.coefficients = static_cast<const double*>(memory.get());
}

const AxisWeights& MethodTables::weights(const MethodSpec& spec) {
    return weights_.get(spec, false, [&] {
        if (spec.method->custom) return spec.method->custom->weights(spec.parameters)->shared;
        return axis_weights(*spec.method, spec.parameters);
    });
}

}  // namespace texelscope
