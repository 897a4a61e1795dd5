#include "app/cli/value_output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/files/bytes/file_io.h"
#include "app/files/codecs/npy_header.h"
#include "app/files/tables/signal.h"

namespace texelscope {
namespace {

// A file that exists complete or not at all; or stdout.
class Sink {
public:
    explicit Sink(const std::string& name) {
        if (!name.empty() && name != "-") file_ = std::make_unique<OutputFile>(name);
    }
    void write(std::span<const std::byte> bytes) {
        if (file_) file_->write(bytes);
        else if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size()) fail();
    }
    void commit() {
        if (file_) file_->commit();
        else if (std::fflush(stdout) != 0) fail();
    }

private:
    [[noreturn]] static void fail() {
        throw FileError("standard output", "cannot be written: " + words_of_error(errno));
    }

    std::unique_ptr<OutputFile> file_;
};

class Table : public ValueOutput {
public:
    Table(const std::string& name, const PointList& points, std::span<const std::string> names)
        : sink_(name), points_(points), channels_(names.size()) {
        if (points.header) text_ = fmt::format("{},{}\n", points.dimensions == 1 ? "x" : "x,y", fmt::join(names, ","));
    }

    void write(size_t first, std::span<const StoredNumber> values) override {
        for (size_t k = 0; k * channels_ < values.size(); ++k) {
            append_point(points_, first + k, text_);
            for (const StoredNumber& value : values.subspan(k * channels_, channels_)) text_ += ',' + text_of(value);
            text_ += '\n';
        }
        sink_.write(std::as_bytes(std::span(text_)));
        text_.clear();
    }
    void commit() override { sink_.commit(); }

private:
    Sink sink_;
    const PointList& points_;
    size_t channels_;
    std::string text_;
};

void store(const StoredNumber& number, std::byte* to, SampleType type) {
    const auto store_as = [&](const auto& value, SampleType stored) {
        convert_samples(reinterpret_cast<const std::byte*>(&value), 1, stored, to, type);
    };
    if (const auto* integer = std::get_if<int64_t>(&number)) store_as(*integer, SampleType::i64);
    else if (const auto* large = std::get_if<uint64_t>(&number)) store_as(*large, SampleType::u64);
    else if (const auto* single = std::get_if<float>(&number)) store_as(*single, SampleType::f32);
    else store_as(std::get<double>(number), SampleType::f64);
}

class Array : public ValueOutput {
public:
    Array(const std::string& name, const PointList& points, size_t channels, SampleType type)
        : sink_(name), type_(type) {
        std::vector<uint64_t> shape = points.shape;
        if (channels > 1) shape.push_back(channels);
        const std::string header = encode_npy_header(shape, type);
        sink_.write(std::as_bytes(std::span(header)));
    }

    void write(size_t, std::span<const StoredNumber> values) override {
        std::vector<std::byte> samples(values.size() * size_t(bytes_per_sample(type_)));
        std::byte* to = samples.data();
        for (const StoredNumber& value : values) {
            store(value, to, type_);
            to += bytes_per_sample(type_);
        }
        sink_.write(samples);
    }
    void commit() override { sink_.commit(); }

private:
    Sink sink_;
    SampleType type_;
};

}  // namespace

void check_value_output_name(const std::string& name) {
    if (!name.empty() && !is_stream(name) && !name.ends_with(".npy") && !is_table_name(name))
        throw UsageError(fmt::format(
            "{}: values are written to .csv, .tsv, .txt, .dat or .npy, and as a table to - and to pipes", name));
}

std::unique_ptr<ValueOutput> open_value_output(const std::string& name, const PointList& points,
                                               std::span<const std::string> names, SampleType type) {
    if (name.ends_with(".npy")) return std::make_unique<Array>(name, points, names.size(), type);
    return std::make_unique<Table>(name, points, names);
}

}  // namespace texelscope
