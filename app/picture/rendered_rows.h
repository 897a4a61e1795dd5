#pragma once
// The rendering of an image that is not in memory, as rows that a writer asks for.

#include <exception>
#include <functional>
#include <memory>

#include "app/files/bytes/rows.h"
#include "gpu/tiles/tiled_image.h"

namespace texelscope {

// Renders in a thread of its own, at most one band ahead of what has been asked for. The image must not be used meanwhile, and
// outlive it.
class RenderedRows {
public:
    // `progress` is called there, with the part that is done.
    RenderedRows(TiledImage& image, const RenderRequest& request, std::function<void(double part)> progress = {});
    ~RenderedRows();  // what has not been asked for is not rendered
    RenderedRows(const RenderedRows&) = delete;
    RenderedRows& operator=(const RenderedRows&) = delete;

    // f32, with the channels and the alpha (premultiplied) of the image; slopes of alpha and of colour times alpha make no
    // transparent colour, so a derivative has none. Its rows throw what rendering throws; it ends with this object.
    RowSource source() const;

    // What rendering has thrown, before a writer put the name of its file in front; null: nothing.
    std::exception_ptr failure() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace texelscope
