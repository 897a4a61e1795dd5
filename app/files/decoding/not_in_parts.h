#pragma once

#include <string>

#include "gpu/core/errors.h"

namespace texelscope {

// The samples of a picture cannot be read in parts, for the reason that the text says: it can only be read as a whole.
class NotInParts : public Error {
public:
    // `is_large`: it is known that its samples would have been worth it.
    explicit NotInParts(const std::string& why, bool is_large = false) : Error(why), is_large_(is_large) {}
    bool is_large() const { return is_large_; }

private:
    bool is_large_;
};

}  // namespace texelscope
