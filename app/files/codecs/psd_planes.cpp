#include "app/files/codecs/psd_planes.h"

#include <algorithm>

#include <fmt/format.h>
#include <zlib.h>

#include "app/files/bytes/walker.h"

namespace texelscope {
namespace {

void expand(ByteSpan runs, std::byte* to, size_t row_bytes) {
    size_t done = 0;
    for (size_t at = 0; at < runs.size() && done < row_bytes;) {
        const int code = int8_t(byte_at(runs, at++));
        if (code == -128) continue;
        const size_t count = std::min(size_t(code < 0 ? 1 - code : 1 + code), row_bytes - done);
        if (at + (code < 0 ? 1 : count) > runs.size()) break;
        if (code < 0) std::fill_n(to + done, count, runs[at++]);
        else std::copy_n(runs.begin() + ptrdiff_t(at), count, to + done), at += count;
        done += count;
    }
    if (done < row_bytes) throw Error(fmt::format("the PSD is damaged: a row has {} of {} bytes", done, row_bytes));
}

// Samples are stored as differences from the ones before; floats as bytes grouped by rank.
void undo_prediction(std::byte* row, size_t row_bytes, uint32_t depth) {
    auto* bytes = reinterpret_cast<uint8_t*>(row);
    if (depth == 16) {
        for (size_t i = 2; i + 1 < row_bytes; i += 2) {
            const int sum = (bytes[i] << 8 | bytes[i + 1]) + (bytes[i - 2] << 8 | bytes[i - 1]);
            bytes[i] = uint8_t(sum >> 8);
            bytes[i + 1] = uint8_t(sum);
        }
        return;
    }
    for (size_t i = 1; i < row_bytes; ++i) bytes[i] = uint8_t(bytes[i] + bytes[i - 1]);
    if (depth != 32) return;
    const std::vector<uint8_t> ranked(bytes, bytes + row_bytes);
    const size_t pixels = row_bytes / 4;
    for (size_t x = 0; x < pixels; ++x)
        for (size_t rank = 0; rank < 4; ++rank) bytes[4 * x + rank] = ranked[rank * pixels + x];
}

}  // namespace

PsdPlanes::PsdPlanes(const PsdHeader& header, ByteSpan bytes, uint32_t planes, uint32_t width, uint32_t height)
    : height_(height), row_bytes_(size_t(header.row_bytes(width))) {
    constexpr uint32_t plain = 0, runs = 1, predicted = 3;  // 2: deflated without prediction
    if (bytes.size() < 2) throw Error("the file is truncated: the PSD ends before its picture");
    const uint32_t packing = be16(bytes, 0);
    const ByteSpan data = bytes.subspan(2);
    const uint64_t rows = uint64_t(planes) * height;
    if (packing > predicted) throw Error(fmt::format("the PSD is damaged: packing {} is unknown", packing));
    if (packing == plain) {
        plain_ = data;
        rows_there_ = std::min<uint64_t>(rows, data.size() / row_bytes_);
    } else if (packing == runs) {
        find_runs(header, data, rows);
    } else {
        constexpr uint64_t most_dense = 1032;  // deflate expands at most this far
        check_claim(rows * row_bytes_ / most_dense <= data.size(), width, height, data.size());
        inflate(header, data, rows, packing == predicted);
        plain_ = inflated_;
        rows_there_ = rows;
    }
}

void PsdPlanes::find_runs(const PsdHeader& header, ByteSpan data, uint64_t rows) {
    Walker walk(data, "PSD");
    const ByteSpan lengths = walk.take(rows * (header.large ? 4 : 2));
    constexpr uint64_t most_dense = 64;  // two bytes stand for 128 at most
    check_claim(rows * row_bytes_ / most_dense <= data.size(), header.width, header.height, data.size());
    runs_.reserve(size_t(rows));
    for (; rows_there_ < rows; ++rows_there_) {
        const size_t row = size_t(rows_there_);
        const uint64_t bytes = header.large ? be32(lengths, 4 * row) : be16(lengths, 2 * row);
        if (bytes > data.size() - walk.at()) break;
        runs_.push_back(walk.take(bytes));
    }
}

void PsdPlanes::inflate(const PsdHeader& header, ByteSpan data, uint64_t rows, bool predicted) {
    inflated_.resize(size_t(rows * row_bytes_));
    uLongf size = uLongf(inflated_.size());
    const int result = ::uncompress(reinterpret_cast<Bytef*>(inflated_.data()), &size,
                                    reinterpret_cast<const Bytef*>(data.data()), uLong(data.size()));
    if (result == Z_MEM_ERROR) throw OutOfMemory("not enough memory to read it");
    if (size != inflated_.size() || (result != Z_OK && result != Z_BUF_ERROR))
        throw Error("the PSD is damaged: a channel cannot be inflated");
    for (size_t row = 0; predicted && row < size_t(rows); ++row)
        undo_prediction(inflated_.data() + row * row_bytes_, row_bytes_, header.depth);
}

void PsdPlanes::row(uint32_t plane, uint32_t y, std::byte* to) const {
    const size_t row = size_t(plane) * height_ + y;
    if (row >= rows_there_) std::fill_n(to, row_bytes_, std::byte(0));
    else if (runs_.empty()) std::copy_n(plain_.begin() + ptrdiff_t(row * row_bytes_), row_bytes_, to);
    else expand(runs_[row], to, row_bytes_);
}

}  // namespace texelscope
