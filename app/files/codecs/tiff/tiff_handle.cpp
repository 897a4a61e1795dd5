#include "app/files/codecs/tiff/tiff_page.h"

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "app/files/bytes/file_io.h"
#include "app/files/decoding/picture_in_file.h"

namespace texelscope {

struct TiffHandle::Access {
    TiffBytes bytes;
    uint64_t at = 0;
    std::string complaint = {};

    size_t read(void* to, size_t count) {
        if (at >= bytes.size) return 0;
        const size_t wanted = size_t(std::min<uint64_t>(count, bytes.size - at));
        size_t done = 0;
        if (bytes.descriptor < 0) {
            std::memcpy(to, bytes.memory.data() + at, wanted);
            done = wanted;
        }
        while (done < wanted) {
            const ssize_t more =
                ::pread(bytes.descriptor, static_cast<std::byte*>(to) + done, wanted - done, off_t(at + done));
            if (more < 0 && errno == EINTR) continue;
            if (more <= 0) break;
            done += size_t(more);
        }
        at += done;
        return done;
    }

    // Fewer bytes at the end of the file. Leaves the place of libtiff as it is.
    Bytes read_at(uint64_t place, size_t count) {
        Bytes taken(count);
        const uint64_t before = std::exchange(at, place);
        taken.resize(read(taken.data(), count));
        at = before;
        return taken;
    }
};

namespace {

std::string formatted(const char* format, va_list values) {
    char text[500] = "";
    std::vsnprintf(text, sizeof text, format, values);
    return printable(text, sizeof text);
}

}  // namespace

TiffHandle::TiffHandle(const TiffBytes& bytes) : access_(std::make_unique<Access>(Access{bytes})) {
    static constexpr auto self = [](thandle_t handle) -> Access& { return *static_cast<Access*>(handle); };
    const auto read = [](thandle_t handle, void* to, tmsize_t count) -> tmsize_t {
        return count < 0 ? -1 : tmsize_t(self(handle).read(to, size_t(count)));
    };
    const auto write = [](thandle_t, void*, tmsize_t) -> tmsize_t { return -1; };
    const auto seek = [](thandle_t handle, toff_t offset, int whence) -> toff_t {
        uint64_t& at = self(handle).at;
        at = offset + (whence == SEEK_CUR ? at : whence == SEEK_END ? self(handle).bytes.size : 0);
        return at;
    };
    const auto close = [](thandle_t) { return 0; };
    const auto size = [](thandle_t handle) -> toff_t { return self(handle).bytes.size; };
    const auto map = [](thandle_t handle, void** base, toff_t* count) {
        const TiffBytes& at = self(handle).bytes;
        if (at.descriptor >= 0) return 0;
        *base = const_cast<std::byte*>(at.memory.data());
        *count = at.size;
        return 1;
    };
    const auto unmap = [](thandle_t, void*, toff_t) {};
    const auto error = [](TIFF*, void* user, const char*, const char* format, va_list values) {
        std::string& complaint = static_cast<Access*>(user)->complaint;
        if (complaint.empty()) complaint = formatted(format, values);
        return 1;  // keeps libtiff's own handler silent
    };
    // libjpeg fills in what is missing, and warns.
    const auto warning = [](TIFF*, void* user, const char* module, const char* format, va_list values) {
        std::string& complaint = static_cast<Access*>(user)->complaint;
        if (complaint.empty() && module && std::string_view(module) == "JPEGLib") complaint = formatted(format, values);
        return 1;
    };
    const std::unique_ptr<TIFFOpenOptions, void (*)(TIFFOpenOptions*)> options(TIFFOpenOptionsAlloc(),
                                                                               TIFFOpenOptionsFree);
    if (!options) throw OutOfMemory("not enough memory to read it");
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), error, access_.get());
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), warning, access_.get());
    tiff_ = TIFFClientOpenExt("TIFF", "r", access_.get(), read, write, seek, close, size, map, unmap, options.get());
    if (!tiff_) throw_damaged();
}

TiffHandle::~TiffHandle() {
    if (tiff_) TIFFClose(tiff_);
}

void TiffHandle::go_to(uint64_t directory) {
    if (TIFFCurrentDirOffset(tiff_) != directory && !TIFFSetSubDirectory(tiff_, directory)) throw_damaged();
}

std::string TiffHandle::complaint() const { return std::exchange(access_->complaint, ""); }

void TiffHandle::throw_damaged() const {
    const std::string why = complaint();
    throw Error(fmt::format("the TIFF is damaged or of a kind that cannot be read ({})",
                            why.empty() ? "reason unknown" : why.substr(0, why.find_last_not_of(". ") + 1)));
}

std::vector<uint32_t> TiffHandle::stored_numbers(uint32_t tag) const {
    constexpr size_t most_numbers = 3 * 65536;  // those of the largest colour map
    const bool big = TIFFIsBigTIFF(tiff_), little = !TIFFIsBigEndian(tiff_);
    const auto number = [&](const Bytes& bytes, size_t at, size_t size) {
        uint64_t value = 0;
        for (size_t i = 0; i < size && at + i < bytes.size(); ++i)
            value |= std::to_integer<uint64_t>(bytes[at + i]) << 8 * (little ? i : size - 1 - i);
        return value;
    };
    const size_t word = big ? 8 : 4, counter = big ? 8 : 2, entry = 4 + 2 * word;
    const uint64_t place = TIFFCurrentDirOffset(tiff_);
    const auto entries = std::min<uint64_t>(number(access_->read_at(place, counter), 0, counter), 65535);
    const Bytes directory = access_->read_at(place + counter, size_t(entries) * entry);
    for (size_t at = 0; at + entry <= directory.size(); at += entry) {
        if (number(directory, at, 2) != tag) continue;
        const uint64_t type = number(directory, at + 2, 2), count = number(directory, at + 4, word);
        const size_t size = type == TIFF_BYTE ? 1 : type == TIFF_SHORT ? 2 : type == TIFF_LONG ? 4 : 0;
        if (size == 0 || count > most_numbers) return {};
        const size_t field = at + 4 + word, bytes = size_t(count) * size;
        const Bytes values = bytes <= word ? Bytes(&directory[field], &directory[field] + bytes)
                                           : access_->read_at(number(directory, field, word), bytes);
        std::vector<uint32_t> numbers;
        for (size_t i = 0; i + size <= values.size(); i += size) numbers.push_back(uint32_t(number(values, i, size)));
        return numbers;
    }
    return {};
}

bool TiffHandle::has_data(uint32_t piece) const {
    const uint64_t begin = TIFFGetStrileOffset(tiff_, piece), count = TIFFGetStrileByteCount(tiff_, piece);
    return begin <= access_->bytes.size && count <= access_->bytes.size - begin;
}

ByteSpan TiffHandle::stored_data(uint32_t piece, std::vector<std::byte>& buffer) const {
    const uint64_t end = access_->bytes.size, begin = std::min(TIFFGetStrileOffset(tiff_, piece), end);
    const auto count = size_t(std::min(TIFFGetStrileByteCount(tiff_, piece), end - begin));
    if (access_->bytes.descriptor < 0) return access_->bytes.memory.subspan(size_t(begin), count);
    buffer = access_->read_at(begin, count);
    return buffer;
}

size_t TiffHandle::file_bytes() const { return access_->bytes.size; }

}  // namespace texelscope
