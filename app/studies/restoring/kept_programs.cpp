#include "app/studies/restoring/kept_programs.h"

#include <cmath>
#include <list>
#include <mutex>

#include <fmt/format.h>

#include "gpu/core/errors.h"
#include "gpu/core/text.h"

namespace texelscope {
namespace {

constexpr size_t most_kept = 8, most_kept_bytes = size_t(512) << 20;

struct KeptRun {
    std::string command;
    Extent size;
    uint64_t given;  // hash of what the program got
    std::shared_ptr<const Image> made;
    double ms;
};

// Runs of this process, the latest first.
class KeptRuns {
public:
    static KeptRuns& all() {
        static KeptRuns runs;
        return runs;
    }

    std::shared_ptr<const Image> find(const std::string& command, Extent size, uint64_t given) {
        const std::lock_guard lock(mutex_);
        for (const KeptRun& run : runs_)
            if (run.command == command && run.size == size && run.given == given) return run.made;
        return nullptr;
    }
    void keep(KeptRun run) {
        const std::lock_guard lock(mutex_);
        runs_.push_front(std::move(run));
        size_t bytes = 0, count = 0;
        std::erase_if(runs_, [&](const KeptRun& each) {
            bytes += each.made->size_bytes();
            return ++count > 1 && (count > most_kept || bytes > most_kept_bytes);
        });
    }
    double ms_of(const std::string& command) {
        const std::lock_guard lock(mutex_);
        for (const KeptRun& run : runs_)
            if (run.command == command) return run.ms;
        return 0;
    }

private:
    std::mutex mutex_;
    std::list<KeptRun> runs_;
};

}  // namespace

std::shared_ptr<const Image> enlarged_by_program(const Image& given, const std::string& command, double factor,
                                                 const std::function<void()>& check) {
    const auto side = [&](int n) { return int(std::lround(n * factor)); };
    const Extent size{side(given.width()), side(given.height())};
    const uint64_t hash =
        fnv1a({given.data(), given.size_bytes()}, uint64_t(given.type()) * 64 + uint64_t(given.channels()));
    if (auto made = KeptRuns::all().find(command, size, hash)) return made;
    OutsideResult result = program_method(command, {}).make(given, size, check);
    if (result.image.width() != size.width || result.image.height() != size.height)
        throw Error(fmt::format("{}: it is {}×{} instead of {}×{}", command_name(command), result.image.width(),
                                result.image.height(), size.width, size.height));
    auto made = std::make_shared<const Image>(std::move(result.image));
    KeptRuns::all().keep({command, size, hash, made, result.milliseconds});
    return made;
}

double ms_of_program(const std::string& command) { return KeptRuns::all().ms_of(command); }

}  // namespace texelscope
