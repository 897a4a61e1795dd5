#pragma once
// The program's own way to push: into the window that was opened last.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gpu/core/image.h"

namespace texelscope {

class PushClient {
public:
    // Empty if no window listens there.
    static std::optional<PushClient> connect(const std::filesystem::path& folder);
    PushClient(PushClient&& other) noexcept;
    PushClient& operator=(PushClient&&) = delete;
    ~PushClient();

    // They return once the window has what was sent, and throw Error with its sentence if it refuses that.
    void show(const std::string& name, const Image& image);
    void open(const std::vector<std::string>& files);

private:
    explicit PushClient(int descriptor) : descriptor_(descriptor) {}
    void send(const void* bytes, size_t count);
    void check_answer();

    int descriptor_;
    bool refused_ = false;  // the window takes no more bytes, but has said why
};

}  // namespace texelscope
