#pragma once
// What the handles of the C interface are, and how exceptions become a status.

#include <condition_variable>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "gpu/backend/backend.h"
#include "gpu/backend/memory_budget.h"
#include "gpu/backend/source_image.h"
#include "gpu/c/texelscope_c.h"
#include "gpu/core/errors.h"
#include "gpu/method/spec.h"

namespace texelscope::c {

// The status of the exception that is being handled; its text becomes ts_last_error().
int status_of_failure() noexcept;

template <class Body> int guarded(Body&& body) noexcept {
    try {
        body();
        return TS_OK;
    } catch (...) {
        return status_of_failure();
    }
}

// The sentence of ts_set_error() since it was last asked for, else `otherwise`.
std::string taken_error(const char* otherwise);

// Throws UsageError for null.
template <class Handle> Handle& checked(Handle* handle, const char* name) {
    if (!handle) throw UsageError(fmt::format("{} is null", name));
    return *handle;
}

// The caller's struct, with zeros for fields that it does not know. Throws UsageError for one that is larger than ours.
template <class Struct> Struct known_fields(const Struct* given, const char* name) {
    Struct all{};
    if (!given) return all;
    if (given->size < sizeof(size_t) || given->size > sizeof(Struct))
        throw UsageError(
            fmt::format("the size of {} is {}: set it to sizeof, at most {} in this version of the library", name,
                        given->size, sizeof(Struct)));
    std::memcpy(&all, given, given->size);
    return all;
}

// Writes those fields of a result that the caller knows.
template <class Struct> void write_known_fields(Struct* to, Struct all, const char* name) {
    known_fields(&checked(to, name), name);
    all.size = to->size;
    std::memcpy(to, &all, all.size);
}

// The choice of a number from a list. Throws UsageError.
template <class Choice, size_t n> Choice choice_of(int32_t number, const Choice (&choices)[n], const char* name) {
    if (number < 0 || number >= int32_t(n))
        throw UsageError(fmt::format("{} is {}: choose 0 to {}", name, number, n - 1));
    return choices[number];
}

// One computes at a time: others wait.
class Turns {
public:
    // Throws Error in a thread that has the turn already, or works for one that has it: in a callback.
    void begin();
    bool begin_if_free();
    void end();

    // This thread works for the one that has the turn, as long as it lives.
    class Work {
    public:
        explicit Work(const Turns& turns);
        ~Work();
        Work(const Work&) = delete;
        Work& operator=(const Work&) = delete;

    private:
        const Turns* before_;
    };

private:
    std::mutex mutex_;
    std::condition_variable free_;
    std::thread::id owner_;
};

// A thread that does what others wait for, one thing after the other.
class Helper {
public:
    Helper();
    ~Helper();
    // Does the work there; meanwhile calls `wait` again and again, in this thread. Throws what the work throws.
    void run(const std::function<void()>& work, const std::function<void()>& wait);

private:
    void live();

    std::mutex mutex_;
    std::condition_variable changed_;
    const std::function<void()>* work_ = nullptr;
    std::exception_ptr failure_;
    bool ending_ = false;
    std::thread thread_;
};

// A backend with what all users of it share. Images and tiled images keep it.
struct Engine {
    explicit Engine(std::shared_ptr<Backend> of);

    std::shared_ptr<Backend> backend;
    Scratch output, points, second;  // memory of the backend
    Turns turns;
    std::unique_ptr<Helper> helper;  // made when progress is first asked for
    std::mutex left_mutex;
    std::vector<std::shared_ptr<void>> left;  // given up while something was computed
    std::string device, detail;               // for strings that are handed out

    const unsigned fork_generation = forks();

    static unsigned forks();  // how often this process was forked from another one that had engines
    bool on_gpu() const { return backend->info().kind == BackendKind::cuda; }
    // Frees it now, or after what is being computed.
    void give_up(std::shared_ptr<void> what) noexcept;
    static void let_go(std::shared_ptr<Engine> engine) noexcept;
};

// The turn of a thread, as long as it lives. Throws Error for an engine from before a fork.
class Turn {
public:
    explicit Turn(Engine& engine);
    ~Turn();
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

private:
    Engine& engine_;
};

// Reports the part of the work that is done.
using Report = std::function<void(double part)>;

// Does the work of a thread that has the turn, on about so many numbers at a time, and calls `progress` (null: nothing) meanwhile. Throws
// Cancelled if that wants it.
void compute(Engine& engine, double numbers, ts_progress progress, void* context,
             const std::function<void(const Report&)>& work);

// The method of a request; null: bilinear.
const MethodSpec& spec_of(const ts_method* method);

}  // namespace texelscope::c

struct ts_backend {
    std::shared_ptr<texelscope::c::Engine> engine;
};

struct ts_method {
    texelscope::MethodSpec spec;
    // What is handed out, made when it is first asked for, by whichever thread.
    std::mutex mutex = {};
    std::string texts[5] = {};  // id, name, summary, paper, spec; the last is never empty
    std::vector<double> poles = {};
    std::vector<std::string> parameter_texts = {};
};
