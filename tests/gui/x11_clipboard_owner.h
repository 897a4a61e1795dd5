#pragma once
// A program that has copied something, as ICCCM says how: the owner's side of the X selection CLIPBOARD.

#include <map>
#include <memory>
#include <string>

namespace texelscope::test {

// While it lives, it hands these bytes out, by the names of their forms ("image/png"); many of them in pieces.
class ClipboardOwner {
public:
    ClipboardOwner(const std::string& display, std::map<std::string, std::string> forms);
    ~ClipboardOwner();

    static constexpr size_t piece_bytes = 32 << 10;

private:
    class Server;
    std::unique_ptr<Server> server_;
};

}  // namespace texelscope::test
