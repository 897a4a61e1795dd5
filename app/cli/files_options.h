#pragma once
// Input and output of the commands: IN --part --channels --orientation --texels, -o --format --depth.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/cli/command.h"
#include "app/files/bytes/rows.h"
#include "app/files/reading/image_files.h"
#include "app/files/reading/image_source.h"
#include "gpu/backend/backend.h"
#include "gpu/core/colour.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

// An image or a signal, and the coordinates of its samples.
struct Input {
    Image image;
    SampleType stored = SampleType::u8;  // before --texels
    SignalGrid grid;
};

// --part, --channels, --orientation: what is read of a file.
class PictureOptions {
public:
    void add_to(Command command);
    bool given() const { return part_ || channels_ || orientation_; }

    // Unset if it is not given. Throws UsageError.
    std::optional<bool> upright() const;
    // The source of a file with this choice; an option that is not given leaves what the name itself says. Throws
    // UsageError if there is nothing to choose of it.
    std::string source_of(const std::string& name) const;
    // The source of another file that is read beside it, with this orientation only: its parts are its own.
    std::string other_source_of(const std::string& name) const;
    // The image by regions, if it is large and can be read so; null: it is to be loaded. A picture that can only be decoded
    // from its first row to its last is decoded now, with a bar, and kept on disk. Throws what open_tiles does.
    std::shared_ptr<const TileSource> tiles_of(const std::string& name) const;

private:
    std::optional<std::string> part_, channels_, orientation_;
};

class InputOptions {
public:
    void add_to(Command command);

    // Refuses options that are wrong for any image, before reading.
    void check(Light light) const;
    Input load() const;
    // As PictureOptions::tiles_of; null also if samples are to be held in another type.
    std::shared_ptr<const TileSource> tiles() const;
    const std::string& name() const { return name_; }

private:
    std::optional<SampleType> texels() const;

    std::string name_;
    PictureOptions picture_;
    std::string texels_ = "stored";
    bool partial_ = false;
};

// Adds --partial, which accepts pictures whose files end early.
void add_partial(Command command, bool& partial);
// Loads an image. Throws Error if samples of it are missing, unless `partial`.
Image load_whole(const std::string& source, bool partial, SignalGrid* grid = nullptr);

class OutputOptions {
public:
    void add_to(Command command);

    // Refuses names and options that are wrong for any image.
    void check() const;

    // The type in which write() stores float samples.
    SampleType type(SampleType stored) const;

    // Whether write() would clip values below 0.
    bool integers(SampleType stored) const;

    // `stored` is the sample type of the input: 16 bits stay 16 bits if the format allows it.
    void write(const Image& image, SampleType stored) const;

    // Writes stored values of `source`, with its colour profile; a sentence on stderr if the file cannot hold that,
    // followed by `advice`.
    void write_stored(Image& result, const Image& source, SampleType stored, std::string_view advice = {}) const;
    // Row after row, of an image that is not in memory.
    void write_rows(RowSource result, const ImageInfo& source) const;
    // Throws UsageError if that cannot be, for a picture of this size.
    void check_rows(const ImageInfo& source, int width, int height) const;

private:
    std::optional<SampleType> depth() const;
    WriteOptions options(SampleType stored) const;

    std::string choosing_name() const;  // whose extension chooses the format
    // Says on stderr what was lost.
    void say(const Losses& losses) const;

    std::string name_, format_;
    std::optional<std::string> depth_;
};

// A file that an option names; empty: none.
struct NamedOutput {
    const char* option;
    std::string file;
};

// Refuses, before anything is computed, files that cannot be written, and the same file for two options: only the last
// would survive. Throws UsageError or FileError.
void check_outputs(std::span<const NamedOutput> outputs);

// Whether one of the outputs is standard output, so that nothing else may be printed there.
bool is_one_printed(std::span<const NamedOutput> outputs);

}  // namespace texelscope
