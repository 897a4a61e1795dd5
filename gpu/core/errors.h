#pragma once
// What can go wrong, as exceptions. Their text is one sentence for the user: what, what is wrong, what would be right.

#include <stdexcept>
#include <string>

namespace texelscope {

// Anything the user can act upon. The command line ends with status 1, the viewer shows the text and continues.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// A word, number or option that the user typed is not valid. The command line ends with status 2.
class UsageError : public Error {
public:
    using Error::Error;
};

// A file cannot be read or written; the text starts with its name.
class FileError : public Error {
public:
    FileError(const std::string& of, const std::string& what) : Error(of + ": " + what), path(of) {}
    std::string path;
};

// The host or the device does not have the requested memory.
class OutOfMemory : public Error {
public:
    using Error::Error;
};

// The GPU's context is gone or broken (an illegal access, a driver reset, a device taken away): every further call on
// the same backend fails in the same way. Host memory is unaffected; make another backend.
class DeviceLost : public Error {
public:
    using Error::Error;
};

// The user has cancelled it.
class Cancelled : public Error {
public:
    using Error::Error;
};

// The requested backend, device or feature is not available.
class Unavailable : public Error {
public:
    using Error::Error;
};

}  // namespace texelscope
