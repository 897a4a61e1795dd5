// A recording as numbered pictures.

#include <fmt/format.h>

#include "app/files/reading/image_files.h"
#include "app/viewer/recording/frame_sink.h"
#include "gpu/core/errors.h"

namespace texelscope {
namespace {

namespace fs = std::filesystem;

class PictureSink : public FrameSink {
public:
    explicit PictureSink(const fs::path& folder) : folder_(folder) {
        std::error_code error;
        if (!fs::create_directory(folder, error))
            throw FileError(folder.string(),
                            "cannot create this folder; start the program in a folder you can write to");
    }

    void write(const Image& frame, int64_t count) override {
        if (count < 1) return;
        const fs::path first = next();
        write_image(frame, first.string());
        std::error_code none;
        bytes_ += count * int64_t(fs::file_size(first, none));
        for (; count > 1; --count) {
            const fs::path copy = next();
            std::error_code error;
            if (!fs::copy_file(first, copy, error))
                throw FileError(copy.string(), "cannot be written: " + error.message());
        }
    }

    int64_t bytes() const override { return bytes_; }

    void finish() override {}

private:
    fs::path next() { return folder_ / fmt::format("frame-{:06}.png", ++written_); }

    fs::path folder_;
    int64_t written_ = 0, bytes_ = 0;
};

}  // namespace

std::unique_ptr<FrameSink> make_picture_sink(const fs::path& folder) { return std::make_unique<PictureSink>(folder); }

}  // namespace texelscope
