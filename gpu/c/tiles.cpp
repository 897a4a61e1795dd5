// Images of the C interface that are not in memory.

#include "gpu/c/handles.h"
#include "gpu/core/parallel.h"
#include "gpu/tiles/tiled_image.h"

using namespace texelscope;
using namespace texelscope::c;

struct ts_tiled {
    std::shared_ptr<Engine> engine;
    std::unique_ptr<TiledImage> image;
};

namespace {

class CallbackTiles final : public TileSource {
public:
    explicit CallbackTiles(const ts_tile_source& of) : of_(of) {}
    ~CallbackTiles() override {
        if (of_.release) of_.release(of_.context);
    }
    CallbackTiles(const CallbackTiles&) = delete;
    CallbackTiles& operator=(const CallbackTiles&) = delete;

    void read_for(const Turns& turns) { turns_ = &turns; }

    void check() {
        constexpr Alpha alphas[] = {Alpha::none, Alpha::straight, Alpha::premultiplied};
        if (!of_.read) throw Error("a tile source needs a function that reads");
        if (of_.width < 1 || of_.height < 1 || of_.width > max_image_side || of_.height > max_image_side)
            throw Error(fmt::format("an image of {}×{} samples is impossible: sides are 1 to {}", of_.width, of_.height,
                                    max_image_side));
        if (of_.channels < 1 || of_.channels > 4)
            throw Error(fmt::format("{} channels are impossible: 1 to 4", of_.channels));
        if (of_.type < 0 || size_t(of_.type) >= all_sample_types.size())
            throw Error(fmt::format("there is no type {}", of_.type));
        if (of_.tile < 0) throw Error("the side of a tile is at least 1");
        info_ = {int(of_.width), int(of_.height), of_.channels, all_sample_types[size_t(of_.type)],
                 choice_of(of_.alpha, alphas, "alpha")};
    }

    const ImageInfo& info() const override { return info_; }
    int tile() const override { return of_.tile > 0 ? of_.tile : 512; }
    Extent level_extent(int) const override { return {info_.width, info_.height}; }
    void read(int level, const SampleRegion& region, std::byte* to, size_t row_bytes) const override {
        check_region(*this, level, region);
        const Turns::Work for_caller(*turns_);
        if (of_.read(of_.context, region.x, region.y, region.width, region.height, to, row_bytes) != 0)
            throw Error(taken_error("the samples of a tile could not be read"));
    }

private:
    ts_tile_source of_;
    const Turns* turns_ = nullptr;  // of the backend that renders
    ImageInfo info_;
};

}  // namespace

extern "C" {

int ts_tiled_create(ts_backend* backend, const ts_tile_source* source, ts_tiled** image) {
    return guarded([&] {
        const ts_tile_source all = known_fields(&checked(source, "the tile source"), "ts_tile_source");
        const auto tiles = std::make_shared<CallbackTiles>(all);
        tiles->check();
        checked(image, "the place for the image");
        const auto& engine = checked(backend, "the backend").engine;
        tiles->read_for(engine->turns);
        const Turn turn(*engine);
        TiledOptions options;
        if (all.memory > 0) options.memory = size_t(all.memory);
        auto made = std::make_unique<ts_tiled>();
        made->engine = engine;
        made->image = std::make_unique<TiledImage>(engine->backend, tiles, options);
        *image = made.release();
    });
}

void ts_tiled_free(ts_tiled* image) {
    if (!image) return;
    const std::shared_ptr<Engine> engine = image->engine;
    engine->give_up(std::shared_ptr<ts_tiled>(image));
}

int ts_tiled_render(ts_tiled* image, const ts_request* request, int64_t width, int64_t height, ts_rows take,
                    void* context) {
    return guarded([&] {
        ts_tiled& of = checked(image, "the image");
        if (!take) throw UsageError("the function that takes rows is null");
        if (width < 1 || height < 1 || width > max_image_side || height > max_image_side)
            throw Error(fmt::format("an output of {}×{} pixels is impossible: each side must be 1 to {}", width, height,
                                    max_image_side));
        const Turn turn(*of.engine);
        const Request all = checked_request(request);
        const ImageInfo& info = of.image->info();
        if (all.all.least_squares || all.all.float64)
            throw Error("an image that is not in memory is rendered in float32, and not by least squares");
        RenderRequest rendering = render_request(all, {info.width, info.height}, {int(width), int(height)});
        compute(*of.engine, double(width) * double(height) + double(info.width) * info.height, all.all.progress,
                all.all.progress_context, [&](const Report& report) {
                    Following following;
                    following.progress = report;
                    following.stop = StoppableLoops::of_this_thread();
                    of.image->render(
                        rendering, RenderTarget::Format::floats,
                        [&](const Image& rows, int first_row) {
                            ts_array array{};
                            array.size = sizeof array;
                            array.data = const_cast<std::byte*>(rows.data());
                            array.type = TS_F32, array.device = TS_HOST;
                            array.count = 1, array.height = rows.height(), array.width = rows.width(),
                            array.channels = rows.channels();
                            if (take(context, &array, first_row) != 0)
                                throw Cancelled(taken_error("the taker of rows has cancelled it"));
                        },
                        following);
                });
    });
}

}  // extern "C"
