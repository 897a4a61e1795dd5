#pragma once

#include "gpu/core/errors.h"

namespace texelscope {

// The samples of a picture cannot be read in parts, for the reason that the text says: it can only be read as a whole.
class NotInParts : public Error {
public:
    using Error::Error;
};

}  // namespace texelscope
