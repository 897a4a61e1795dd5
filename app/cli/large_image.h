#pragma once
// Images that are too large to be read into memory: read by regions, rendered and written row after row.

#include <memory>
#include <optional>
#include <string>

#include "app/cli/command.h"
#include "app/cli/files_options.h"
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

// The steps of a bar that shows how far such an image is.
inline constexpr size_t progress_steps = 1000;

// What a command makes of such an image.
struct LargeRendering {
    std::shared_ptr<const TileSource> image;
    RenderRequest request;
    Light light = Light::stored;
    BackendChoice backend = BackendChoice::automatic;
    size_t memory = 0;  // bytes, see MemoryOption
};

// With a bar. Throws what reading, rendering and writing do.
void write_large(const LargeRendering& rendering, const OutputOptions& output);

}  // namespace texelscope
