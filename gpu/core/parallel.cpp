#include "gpu/core/parallel.h"

#include <algorithm>
#include <utility>

#if TEXELSCOPE_WITH_OPENMP
#include <omp.h>
#else
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include <sched.h>
#endif
#include <sys/resource.h>

namespace texelscope {
namespace {

thread_local std::stop_token stop_of_loops;

}  // namespace

StoppableLoops::StoppableLoops(std::stop_token stop) : before_(std::exchange(stop_of_loops, std::move(stop))) {}
StoppableLoops::~StoppableLoops() { stop_of_loops = std::move(before_); }
std::stop_token StoppableLoops::of_this_thread() { return stop_of_loops; }

void lower_priority() { set_niceness(10); }
void lowest_priority() { set_niceness(19); }

int niceness() { return ::getpriority(PRIO_PROCESS, 0); }

// The kernel counts it for each thread; threads that one starts inherit it.
void set_niceness(int niceness) { ::setpriority(PRIO_PROCESS, 0, niceness); }

#if TEXELSCOPE_WITH_OPENMP

int thread_count() { return omp_get_max_threads(); }

LoopsAlone::LoopsAlone() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
LoopsAlone::~LoopsAlone() { omp_set_num_threads(before_); }

void detail::in_every_thread(void (*share)(void* context), void* context) {
#pragma omp parallel
    share(context);
}

#else

namespace {

thread_local bool in_loop = false;  // a loop within a loop stays in its thread

// The threads that help others with their loops: the same ones for all, so that a thread ends without waiting for threads of
// its own. Where they are busy, or not started yet, a loop is done without them. They live as long as the process: one that
// ends them waits for those that have not started, and in WebAssembly the thread that ends the process is who starts them.
class Helpers {
public:
    explicit Helpers(int count) : count_(size_t(count)) {
        for (int i = 0; i < count; ++i) std::thread([this] { help(); }).detach();
    }

    void run(void (*share)(void*), void* context) {
        // Who gives way leaves half of them to the others, and comes last.
        const int nice = niceness();
        Loop loop{share, context, nice, nice > 0 ? std::max<size_t>(1, count_ / 2) : count_};
        {
            const std::lock_guard lock(mutex_);
            const auto later = std::ranges::find_if(loops_, [&](const Loop* other) { return other->nice >= nice; });
            loops_.insert(later, &loop);
        }
        changed_.notify_all();
        in_loop = true;
        share(context);
        in_loop = false;
        std::unique_lock lock(mutex_);
        std::erase(loops_, &loop);
        ended_.wait(lock, [&] { return loop.helped_by == 0; });
    }

private:
    struct Loop {
        void (*share)(void*);
        void* context;
        int nice;
        size_t room;  // for so many helpers
        size_t helped_by = 0;
    };

    Loop* waiting() const {
        const auto at = std::ranges::find_if(loops_, [](const Loop* loop) { return loop->helped_by < loop->room; });
        return at == loops_.end() ? nullptr : *at;
    }

    void help() {
        in_loop = true;
        for (std::unique_lock lock(mutex_);;) {
            changed_.wait(lock, [&] { return waiting() != nullptr; });
            Loop& loop = *waiting();
            ++loop.helped_by;
            lock.unlock();
            loop.share(loop.context);
            lock.lock();
            std::erase(loops_, &loop);  // nothing of it is left to be begun
            if (--loop.helped_by == 0) ended_.notify_all();
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_, ended_;
    std::vector<Loop*> loops_;  // that have something to be done; who gives way last
    size_t count_;
};

// OMP_NUM_THREADS counts here too, so that one setting limits every build.
int usable_threads() {
    if (const char* wanted = std::getenv("OMP_NUM_THREADS"))
        if (const int count = std::atoi(wanted); count > 0) return count;
    cpu_set_t set;
    return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : int(std::thread::hardware_concurrency());
}

}  // namespace

LoopsAlone::LoopsAlone() : before_(std::exchange(in_loop, true)) {}
LoopsAlone::~LoopsAlone() { in_loop = before_ != 0; }

int thread_count() {
    static const int count = std::max(1, usable_threads());
    return count;
}

void detail::in_every_thread(void (*share)(void* context), void* context) {
    if (in_loop || thread_count() == 1) return share(context);
    static Helpers& helpers = *new Helpers(thread_count() - 1);
    helpers.run(share, context);
}

#endif

}  // namespace texelscope
