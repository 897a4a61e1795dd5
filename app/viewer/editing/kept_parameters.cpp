#include "app/viewer/editing/kept_parameters.h"

namespace texelscope {

MethodParameters kept_parameters(const MethodSpec& before, const MethodInfo& now) {
    MethodParameters result = now.standard_parameters();
    for (size_t i = 0; i < now.parameters.size(); ++i)
        for (size_t j = 0; j < before.method->parameters.size(); ++j) {
            const ParameterInfo& parameter = now.parameters[i];
            const double value = before.parameters.value[j];
            if (before.method->parameters[j].id == parameter.id && value >= parameter.minimum &&
                value <= parameter.maximum)
                result.value[i] = value;
        }
    return result;
}

}  // namespace texelscope
