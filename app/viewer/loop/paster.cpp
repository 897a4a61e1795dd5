#include "app/viewer/loop/paster.h"

#include <exception>
#include <span>
#include <stop_token>
#include <utility>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "app/files/desktop/copied_files.h"
#include "app/files/reading/image_files.h"
#include "app/state/derived_sources.h"
#include "app/state/pane_images.h"
#include "app/window/x11_clipboard.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

// Bytes that are read as a pipe is.
class CopiedBytes {
public:
    explicit CopiedBytes(std::span<const std::byte> bytes) : descriptor_(::memfd_create("pasted", MFD_CLOEXEC)) {
        while (descriptor_ >= 0 && !bytes.empty()) {
            const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
            if (written <= 0) break;
            bytes = bytes.subspan(size_t(written));
        }
        if (descriptor_ < 0 || !bytes.empty() || ::lseek(descriptor_, 0, SEEK_SET) != 0) {
            close();
            throw OutOfMemory("there is no memory for it");
        }
    }
    ~CopiedBytes() { close(); }
    CopiedBytes(const CopiedBytes&) = delete;
    CopiedBytes& operator=(const CopiedBytes&) = delete;

    int descriptor() const { return descriptor_; }

private:
    void close() {
        if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
    }

    int descriptor_;
};

Paster::Pasted decoded_copy(const Copied& copied, const std::stop_token& stop) {
    // A file says more than a picture of it: its name, its folder, all of its bits.
    if (std::vector<std::string> files = files_in_text(copied.text); !files.empty()) return {std::move(files), nullptr};
    if (copied.picture.empty()) throw Error("the text that has been copied is neither picture nor path of a file");
    const CopiedBytes bytes(copied.picture);
    Reading reading;
    reading.cancel = stop;
    return {{}, std::make_shared<const Image>(read_image_from(bytes.descriptor(), most_piped_bytes, reading))};
}

}  // namespace

void Paster::ask() {
    work_.ask({}, [](const Nothing&, const std::stop_token& stop) { return decoded_copy(read_clipboard(stop), stop); });
}

Paster::Pasted Paster::take() {
    auto result = work_.take();
    if (!result) return {};
    if (result->problem) std::rethrow_exception(result->problem);
    return std::move(*result->answer);
}

std::string name_for_pasted(const AppState& state) {
    for (int number = 1;; ++number) {
        const std::string name = number == 1 ? std::string(pasted_name) : fmt::format("{} {}", pasted_name, number);
        const std::string source = pushed_source(name);
        if (!document_named(state.scene, source) && !state.pushed.contains(source)) return name;
    }
}

}  // namespace texelscope
