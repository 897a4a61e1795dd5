#pragma once
// Images that are too large to be read into memory: read by regions, rendered and written row after row.

#include <memory>
#include <optional>
#include <string>

#include "app/cli/command.h"
#include "app/cli/files_options.h"
#include "app/files/tiles/kept_levels.h"
#include "gpu/core/tile_source.h"
#include "gpu/tiles/tiled_image.h"

namespace texelscope {

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
