#pragma once
// Options that several commands have: images and what is written, methods and views, images too large for memory.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/cli/command_line.h"
#include "app/files/bytes/rows.h"
#include "app/files/reading/image_files.h"
#include "app/files/tiles/tile_folder.h"
#include "app/text/text.h"
#include "gpu/backend/backend.h"
#include "gpu/core/colour.h"
#include "gpu/core/tile_source.h"
#include "gpu/core/view.h"
#include "gpu/tiles/tiled_image.h"

namespace texelscope {

// Option groups that several commands share, and their values. The getters throw UsageError.

// --translate --scale --zoom --rotate
class ViewOptions {
public:
    void add_to(Command command);

    bool given() const { return translate_ || scale_ || zoom_ || rotate_; }
    View view() const;

private:
    std::optional<std::string> translate_, scale_, zoom_, rotate_;
};

// --affine A,B,C,D,E,F: which point each output pixel or given point reads.
class AffineOption {
public:
    void add_to(Command command, std::string_view help);

    // Nothing if it is not given. Throws UsageError for one that has no inverse.
    std::optional<Affine> affine() const;

private:
    std::optional<std::string> affine_;
};

// --homography A,B,C,D,E,F,G,H,I: a perspective view of the image.
class HomographyOption {
public:
    void add_to(Command command);

    bool given() const { return homography_.has_value(); }
    Warp warp() const;  // of kind none if it is not given

private:
    std::optional<std::string> homography_;
};

inline constexpr std::string_view method_file_help =
    "A method of one's own: a weight function (docs/weights.md) or a CUDA kernel (docs/kernels.md), as a text";

// --method --method-file --path --address --border --prefilter --backend
class MethodOptions {
public:
    void add_to(Command command);
    void add_settings(Command command);                      // only --path --address --border --prefilter
    void add_file(Command command, std::string_view where);  // only --method-file; where: its place among other methods

    bool given() const { return method_ || method_file_ || path_ || address_ || border_ || prefilter_; }
    bool address_given() const { return address_ || (method_ && method_->find("address=") != std::string::npos); }
    MethodSpec spec() const;                     // the single options override the spec
    bool names_area() const;                     // `area`, which resize knows: nearest by least squares
    MethodSpec spec_of_area() const;             // with that in place of the name
    MethodSpec settings_over(MethodSpec) const;  // and this one
    const MethodInfo* own_method() const;        // that of --method-file, read each time; null without it
    BackendChoice backend() const { return parse_backend(backend_); }

private:
    std::optional<std::string> method_, method_file_, path_, address_, border_, prefilter_;
    std::string backend_ = "auto";
};

// The spec "custom:text=…" or "kernel:text=…" of a file that holds a method of one's own.
std::string spec_of_method_file(const std::string& file);

// How samples become values: --outside --antialias --pyramid --linear-light --derivative, each added by its add_….
class SamplingOptions {
public:
    void add_outside(Command command, Outside other);  // extend, or this one
    void add_antialias(Command command, std::string_view standard);
    void add_pyramid(Command command);
    void add_linear_light(Command command);
    void add_derivative(Command command);

    std::optional<Outside> outside() const;
    std::optional<bool> antialias() const;
    bool pyramid() const;  // off unless it is on

    // Refuses `--pyramid off` for an image that is not in memory.
    void check_pyramid_of_large(const std::string& name) const;
    Light light() const { return linear_light_ ? Light::linear : Light::stored; }

    // Refuses methods without a slope, and antialiased values: these cannot be differentiated.
    Derivative derivative(const MethodSpec& spec) const;

private:
    std::optional<std::string> outside_, antialias_, pyramid_, derivative_;
    Outside other_outside_ = Outside::background;
    bool linear_light_ = false;
};

// Refuses the derivative along an axis that the image does not have.
void check_axis(Derivative derivative, bool one_dimensional);

// Refuses a border value with another number of channels than the image.
void check_border(const MethodSpec& spec, int channels);

// Says that a recipe is its weight function only, where its rules do not compute the picture.
void say_if_weights_alone(const Sampling& request, bool by_rules);

// Input and output of the commands: IN --part --channels --orientation --texels, -o --format --depth.

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
    void add_to(Command command, bool required = true);

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

    // Refuses names and options that are wrong for any image, and the file of the input, unless it may be replaced.
    void check(const std::string& input) const;

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
    bool overwrite_ = false;
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

// Images that are too large to be read into memory: read by regions, rendered and written row after row.

// --memory
class MemoryOption {
public:
    explicit MemoryOption(size_t least = least_tiled_memory) : least_(least) {}
    void add_to(Command command);

    // Throws UsageError.
    size_t bytes() const;

private:
    size_t least_;
    std::optional<std::string> memory_;
};

// --keep-levels
class LevelsOption {
public:
    void add_to(Command command);

    // Where the levels of the image are kept; null: nowhere. Throws UsageError.
    std::shared_ptr<KeptLevels> of(const TileSource& image) const;
    void check() const { static_cast<void>(wanted()); }

private:
    bool wanted() const;

    std::string keep_ = "on";
};

// Refuses what is wrong with the options of a command that writes a picture, before anything is read.
void check_all(const InputOptions& input, const OutputOptions& output, const MemoryOption& memory,
               const LevelsOption& levels, Light light);

// The steps of a bar that shows how far such an image is.
inline constexpr size_t progress_steps = 1000;

// What a command makes of such an image.
struct LargeRendering {
    std::shared_ptr<const TileSource> image;
    RenderRequest request;
    Light light = Light::stored;
    BackendChoice backend = BackendChoice::automatic;
    size_t memory = 0;                             // bytes, see MemoryOption
    std::shared_ptr<KeptLevels> levels = nullptr;  // see LevelsOption
};

// With a bar. Throws what reading, rendering and writing do.
void write_large(const LargeRendering& rendering, const OutputOptions& output);

// On stderr, if levels could not be kept; once all has been rendered. write_large() says it itself.
void say_if_not_kept(const LargeRendering& rendering);

}  // namespace texelscope
