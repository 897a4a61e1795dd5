#include "app/files/reading/image_source.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "app/files/bytes/naming.h"
#include "app/files/reading/image_files.h"
#include "app/files/tables/signal.h"
#include "app/files/test_images/test_images.h"
#include "gpu/core/machine.h"

namespace texelscope {

Image load_image(const std::string& source, SignalGrid* grid, const Reading& reading) {
    if (source.starts_with('@')) return make_test_image(source);
    const auto [file, choice] = parse_picture_source(source);
    Reading chosen = reading;
    chosen.choice = choice;
    if (file == "-") return read_standard_input(chosen);
    if (!is_table(file)) return read_image(file, chosen);
    Signal signal = read_signal(file);
    if (grid) *grid = {signal.origin, signal.spacing};
    return std::move(signal.samples);
}

std::string typed_source(const std::string& typed) {
    constexpr std::string_view code = "%23";
    const auto is_there = [](const std::string& file) {
        std::error_code none;
        const auto kind = std::filesystem::status(file, none).type();
        return kind != std::filesystem::file_type::not_found && kind != std::filesystem::file_type::none &&
               kind != std::filesystem::file_type::directory;
    };
    if (typed.starts_with('@')) return typed;
    if (typed.find('#') != typed.npos && is_there(typed)) return with_choice(typed, {});
    auto [file, choice] = parse_picture_source(typed);
    if (file.find(code) == file.npos || is_there(file)) return typed;
    for (size_t at = 0; (at = file.find(code, at)) != file.npos; ++at) file.replace(at, code.size(), "#");
    return is_there(file) ? with_choice(file, choice) : typed;
}

std::string words_of_source(const std::string& source) {
    const bool is_input = !source.starts_with('@') && file_of(source) == "-";
    return is_input ? "standard input" + source.substr(1) : source;
}

PictureFacts load_facts(const std::string& source) {
    const auto [file, choice] = parse_picture_source(source);
    if (source.starts_with('@') || file == "-" || is_table(file)) return {};
    Reading reading;
    reading.choice = choice;
    return read_facts(file, reading);
}

namespace {

constexpr const char* standard_input_words = "standard input";
constexpr size_t piece_bytes = size_t(1) << 16;

// A file in memory: readers want to know its size and to begin again.
class MemoryFile {
public:
    MemoryFile() : descriptor_(::memfd_create("texelscope", MFD_CLOEXEC)) {
        if (descriptor_ < 0) throw Error(std::string("there is no memory for it: ") + std::strerror(errno));
    }
    ~MemoryFile() { ::close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }

    void append(const char* bytes, size_t count) {
        while (count > 0) {
            const ssize_t written = ::write(descriptor_, bytes, count);
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) throw OutOfMemory(std::string("there is no memory for it: ") + std::strerror(errno));
            bytes += written;
            count -= size_t(written);
        }
    }

private:
    int descriptor_;
};

void copy_all(int descriptor, MemoryFile& file, size_t at_most) {
    std::array<char, piece_bytes> piece;
    size_t total = 0;
    for (;;) {
        const ssize_t count = ::read(descriptor, piece.data(), piece.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw Error(std::string("cannot be read: ") + std::strerror(errno));
        if (count == 0) break;
        total += size_t(count);
        if (total > at_most)
            throw Error(fmt::format("is larger than {}, the most that is read from a pipe; store it as a file",
                                    words_of_bytes(at_most)));
        file.append(piece.data(), size_t(count));
    }
    if (total == 0) throw Error("is empty");
}

std::string without_beginning(std::string_view text, const std::string& beginning) {
    if (text.starts_with(beginning)) text.remove_prefix(beginning.size());
    return std::string(text);
}

// `read` gets the path of a file with these bytes.
template <class Read> auto reading_from(int descriptor, size_t at_most, Read read) {
    MemoryFile file;
    copy_all(descriptor, file, at_most);
    const std::string name = file.path() + ": ";
    try {
        return read(file.path());
    } catch (const OutOfMemory& error) {
        throw OutOfMemory(without_beginning(error.what(), name));
    } catch (const Error& error) {
        throw Error(without_beginning(error.what(), name));
    }
}

template <class Read> auto reading_standard_input(Read read) {
    return naming(standard_input_words, [&read] {
        if (::isatty(STDIN_FILENO)) throw Error("is a terminal; pipe an image file into texelscope, or name one");
        return reading_from(STDIN_FILENO, most_piped_bytes, read);
    });
}

}  // namespace

Image read_image_from(int descriptor, size_t at_most, const Reading& reading) {
    return reading_from(descriptor, at_most, [&](const std::string& path) { return read_image(path, reading); });
}

Image read_standard_input(const Reading& reading) {
    return reading_standard_input([&](const std::string& path) { return read_image(path, reading); });
}

PictureFacts read_standard_input_facts(const Reading& reading) {
    return reading_standard_input([&](const std::string& path) {
        PictureFacts facts = read_facts(path, reading);
        // The copy's place and time say nothing of the picture.
        std::erase_if(facts.metadata, [](const MetadataRow& row) {
            return row.group == "File" && (row.name == "Folder" || row.name == "Changed");
        });
        for (MetadataRow& row : facts.metadata)
            if (row.group == "File" && row.name == "Name") row.value = standard_input_words;
        return facts;
    });
}

}  // namespace texelscope
