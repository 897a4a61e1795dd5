#pragma once
// What the commands read and write: IN --texels, -o --depth.

#include <optional>
#include <string>

#include "app/cli/command.h"
#include "app/files/image_files.h"
#include "app/files/image_source.h"
#include "gpu/backend/backend.h"
#include "gpu/core/light.h"

namespace texelscope {

// An image or a signal, and where its samples stand.
struct Input {
    Image image;
    SampleType stored = SampleType::u8;  // before --texels
    SignalGrid grid;
};

class InputOptions {
public:
    void add_to(Command command);

    // Refuses what can be told before reading.
    void check(Light light) const;
    Input load() const;

private:
    std::optional<SampleType> texels() const;

    std::string name_;
    std::string texels_ = "stored";
};

class OutputOptions {
public:
    void add_to(Command command);

    // Refuses what can be told before there is an image.
    void check() const;

    // Whether write() would cut off values below 0.
    bool integers(SampleType stored) const;

    // `stored` is the type of the samples that it came from: 16 bits stay 16 bits where the format can.
    void write(const Image& image, SampleType stored) const;

private:
    std::optional<SampleType> depth() const;
    WriteOptions options(SampleType stored) const;

    std::string name_;
    std::optional<std::string> depth_;
};

}  // namespace texelscope
