// Backends of the C interface.

#include "gpu/c/handles.h"

using namespace texelscope;
using namespace texelscope::c;

namespace {

std::shared_ptr<Backend> made_as(const ts_backend_options& options) {
    constexpr BackendChoice kinds[] = {BackendChoice::automatic, BackendChoice::cpu, BackendChoice::cuda};
    CudaOptions cuda;
    cuda.stream = static_cast<CUstream_st*>(options.stream);
    if (options.use_device) cuda.device = options.device;
    return make_backend(choice_of(options.kind, kinds, "kind"), cuda);
}

}  // namespace

extern "C" {

int ts_backend_create(const ts_backend_options* options, ts_backend** backend) {
    return guarded([&] {
        checked(backend, "the place for the backend");
        const ts_backend_options all = known_fields(options, "ts_backend_options");
        auto engine = std::make_shared<Engine>(made_as(all));
        if (all.kept_memory > 0) engine->backend->memory().set_limit(size_t(all.kept_memory));
        engine->device = engine->backend->info().device;
        engine->detail = engine->backend->info().detail;
        *backend = new ts_backend{std::move(engine)};
    });
}

// The last image of it may be freed later.
void ts_backend_free(ts_backend* backend) {
    if (backend) Engine::let_go(std::move(backend->engine));
    delete backend;
}

int ts_backend_get_info(ts_backend* backend, ts_backend_info* info) {
    return guarded([&] {
        Engine& engine = *checked(backend, "the backend").engine;
        const Turn turn(engine);
        const BackendInfo& of = engine.backend->info();
        MemoryBudget& memory = engine.backend->memory();
        write_known_fields(info,
                           {.size = 0,
                            .kind = of.kind == BackendKind::cuda ? TS_CUDA : TS_CPU,
                            .device = of.kind == BackendKind::cuda ? of.device_index : TS_HOST,
                            .name = engine.device.c_str(),
                            .detail = engine.detail.c_str(),
                            .stream = engine.backend->stream(),
                            .memory_taken = memory.taken(),
                            .most_memory_taken = memory.most_taken()},
                           "ts_backend_info");
    });
}

int ts_backend_synchronize(ts_backend* backend) {
    return guarded([&] {
        Engine& engine = *checked(backend, "the backend").engine;
        const Turn turn(engine);
        engine.backend->synchronize();
    });
}

const char* ts_why_no_cuda(void) {
    thread_local std::string reason;
    guarded([] { reason = why_no_cuda(); });
    return reason.c_str();
}

}  // extern "C"
