#include "gpu/c/handles.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <new>
#include <optional>
#include <stop_token>

#include "gpu/core/parallel.h"

namespace texelscope::c {
namespace {

thread_local std::string last_error, error_of_callback;

int failed(int status, const char* what) noexcept {
    try {
        last_error = what;
    } catch (...) {
        last_error.clear();
    }
    return status;
}

std::atomic<unsigned> times_forked = 0;

thread_local const Turns* worked_for = nullptr;

}  // namespace

int status_of_failure() noexcept {
    try {
        throw;
    } catch (const FileError& error) {
        return failed(TS_FILE_ERROR, error.what());
    } catch (const OutOfMemory& error) {
        return failed(TS_OUT_OF_MEMORY, error.what());
    } catch (const DeviceLost& error) {
        return failed(TS_DEVICE_LOST, error.what());
    } catch (const Cancelled& error) {
        return failed(TS_CANCELLED, error.what());
    } catch (const Unavailable& error) {
        return failed(TS_UNAVAILABLE, error.what());
    } catch (const Error& error) {
        return failed(TS_INVALID, error.what());
    } catch (const std::bad_alloc&) {
        return failed(TS_OUT_OF_MEMORY, "there is no memory left");
    } catch (const std::exception& error) {
        return failed(TS_INTERNAL, error.what());
    } catch (...) {
        return failed(TS_INTERNAL, "an unknown error");
    }
}

std::string taken_error(const char* otherwise) {
    std::string taken = std::move(error_of_callback);
    error_of_callback.clear();
    return taken.empty() ? otherwise : taken;
}

Turns::Work::Work(const Turns& turns) : before_(std::exchange(worked_for, &turns)) {}
Turns::Work::~Work() { worked_for = before_; }

void Turns::begin() {
    std::unique_lock lock(mutex_);
    const auto self = std::this_thread::get_id();
    if (owner_ == self || worked_for == this)
        throw Error("a callback cannot use the backend that calls it: use another one");
    free_.wait(lock, [this] { return owner_ == std::thread::id(); });
    owner_ = self;
}

bool Turns::begin_if_free() {
    const std::lock_guard lock(mutex_);
    if (owner_ != std::thread::id()) return false;
    owner_ = std::this_thread::get_id();
    return true;
}

void Turns::end() {
    {
        const std::lock_guard lock(mutex_);
        owner_ = {};
    }
    free_.notify_one();
}

unsigned Engine::forks() { return times_forked; }

Engine::Engine(std::shared_ptr<Backend> of) : backend(std::move(of)) {
    static const int registered = ::pthread_atfork(nullptr, nullptr, [] { ++times_forked; });
    static_cast<void>(registered);
}

Turn::Turn(Engine& engine) : engine_(engine) {
    if (engine.fork_generation != times_forked)
        throw Error("this backend was made before the process was forked: make another one in the child");
    engine_.turns.begin();
}

Turn::~Turn() {
    std::vector<std::shared_ptr<void>> left;
    {
        const std::lock_guard lock(engine_.left_mutex);
        left.swap(engine_.left);
    }
    left.clear();
    engine_.turns.end();
}

namespace {

// After a fork: its threads are not here, and may have held locks.
void never_free(std::shared_ptr<void> what) { static_cast<void>(new std::shared_ptr<void>(std::move(what))); }

}  // namespace

void Engine::let_go(std::shared_ptr<Engine> engine) noexcept {
    if (engine->fork_generation != times_forked) never_free(std::move(engine));
}

void Engine::give_up(std::shared_ptr<void> what) noexcept {
    if (fork_generation != times_forked) return never_free(std::move(what));
    if (!turns.begin_if_free()) {
        const std::lock_guard lock(left_mutex);
        left.push_back(std::move(what));
        return;
    }
    what.reset();
    turns.end();
}

Helper::Helper() : thread_([this] { live(); }) {}

Helper::~Helper() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void Helper::live() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return ending_ || work_; });
        if (ending_) return;
        const auto* work = work_;
        lock.unlock();
        try {
            (*work)();
        } catch (...) {
            failure_ = std::current_exception();
        }
        lock.lock();
        work_ = nullptr;
        changed_.notify_all();
    }
}

void Helper::run(const std::function<void()>& work, const std::function<void()>& wait) {
    constexpr auto between_calls = std::chrono::milliseconds(50);
    std::unique_lock lock(mutex_);
    failure_ = nullptr;
    work_ = &work;
    changed_.notify_all();
    while (!changed_.wait_for(lock, between_calls, [this] { return !work_; })) {
        lock.unlock();
        wait();
        lock.lock();
    }
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void compute(Engine& engine, double numbers, ts_progress progress, void* context,
             const std::function<void(const Report&)>& work) {
    constexpr double worth_threads = 1 << 13;
    std::atomic<double> part = -1;
    std::stop_source stop;
    const auto followed = [&] {
        std::optional<LoopsAlone> alone;
        if (numbers < worth_threads && !engine.on_gpu()) alone.emplace();
        work([&](double done) {
            if (stop.stop_requested()) throw Cancelled("the computation was cancelled");
            part = done;
        });
    };
    // OpenMP's threads of the parent are not here: only a new thread gets others.
    if (!progress && times_forked == 0) return followed();
    if (!engine.helper) engine.helper = std::make_unique<Helper>();
    engine.helper->run(
        [&] {
            const Turns::Work for_caller(engine.turns);
            const StoppableLoops stoppable(stop.get_token());
            followed();
        },
        [&] {
            if (progress && progress(context, part) != 0) stop.request_stop();
        });
}

const MethodSpec& spec_of(const ts_method* method) {
    static const MethodSpec bilinear = default_spec(parse_method("bilinear"));
    return method ? method->spec : bilinear;
}

}  // namespace texelscope::c

extern "C" {

const char* ts_version(void) { return TEXELSCOPE_VERSION; }
const char* ts_last_error(void) { return texelscope::c::last_error.c_str(); }
void ts_set_error(const char* sentence) {
    texelscope::c::guarded([&] { texelscope::c::error_of_callback = sentence ? sentence : ""; });
}

}  // extern "C"

// Backends of the C interface.

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
