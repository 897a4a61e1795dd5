#pragma once
// What is computed from an image and kept: a level of its pyramid, or the coefficients of one.

#include <vector>

#include "gpu/backend/backend.h"
#include "gpu/backend/request.h"

namespace texelscope {

struct SourceKey {
    Level level;
    InverseFilter inverse;  // empty: the level itself
    Prefilter prefilter;
    AddressPair address;
    bool operator==(const SourceKey&) const = default;
};

SourceKey level_key(Level level, const AddressPair& address);
SourceKey coefficients_key(Level level, const MethodSpec& spec);

// The key of what a request reads.
SourceKey key_of(const Resampling& resampling);

// How a level is made from the one before: along both axes in one step as long as both are to be halved.
Reduction last_step_to(Level level);
Level before(Level level);

// The level's samples, channels counted.
double samples_of(Level level, const ResidentImage& image);

}  // namespace texelscope
