#pragma once
// Where an encoder puts its bytes, in the order of the file.

#include <exception>
#include <functional>
#include <utility>

#include "app/files/bytes/raster.h"

namespace texelscope {

// What it throws ends the writing.
using ByteSink = std::function<void(ByteSpan bytes)>;

// For calls from within a C library, which nothing may be thrown through.
class WaitingError {
public:
    // False if `work` threw.
    template <class Work> bool none_in(Work work) noexcept {
        try {
            work();
            return true;
        } catch (...) {
            if (!error_) error_ = std::current_exception();
            return false;
        }
    }
    // The first one, if there is any.
    void rethrow() {
        if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    }

private:
    std::exception_ptr error_;
};

}  // namespace texelscope
