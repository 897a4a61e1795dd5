#pragma once
// The work layer: Worker, which the window's loop polls; Demand, values that are wanted, being made or there;
// BackgroundWork, a question in a thread of its own.

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/state/wake_up.h"

namespace texelscope {

// What the window's loop asks of everything that works in the background or from time to time.

struct AppState;

class Worker {
public:
    virtual ~Worker() = default;

    // Once per turn of the loop: takes what has come, and begins what is due. True if there is something new to draw.
    virtual bool poll(AppState& state) = 0;

    // Before the loop sleeps: when it is to draw or to poll again.
    virtual void wake(const AppState& /*state*/, WakeUp& /*wake_up*/) const {}

    // The presenter is about to change: nothing is left on its device afterwards.
    virtual void leave_device() {}
};

// What looks at files, about once per second.
class EverySecond {
public:
    bool due(double now) {
        if (now < next_) return false;
        next_ = now + 1;
        return true;
    }

private:
    double next_ = 0;
};

// A question that is answered in a thread of its own, so that the window keeps running. The newest question wins.

// One sentence; empty: there is no problem.
inline std::string words_of_problem(const std::exception_ptr& problem) {
    if (!problem) return {};
    try {
        std::rethrow_exception(problem);
    } catch (const std::exception& error) {
        return error.what();
    }
}

// Not thread-safe itself. Its end waits for all threads, which have been asked to stop.
template <class Question, class Answer> class BackgroundWork {
public:
    // Called in the thread, when an answer is there; unset: the window looks from time to time.
    explicit BackgroundWork(std::function<void()> wake = {}) : wake_(std::move(wake)) {}

    // `compute(question, stop)` runs in the thread and may throw. Ends the question before it. If there is no thread to be
    // had, as in some pages, it is answered at once.
    template <class Compute> void ask(Question question, Compute compute) {
        drop();
        run_ = std::make_unique<Run>();
        run_->question = std::move(question);
        auto answer = [run = run_.get(), compute = std::move(compute), wake = wake_](const std::stop_token& stop) {
            try {
                run->answer.emplace(compute(run->question, stop));
            } catch (...) {
                run->problem = std::current_exception();
            }
            run->ended = true;
            if (wake) wake();
        };
        const auto work = std::make_shared<const decltype(answer)>(std::move(answer));
        try {
            run_->thread = std::jthread([work](const std::stop_token& stop) { (*work)(stop); });
        } catch (const std::exception&) {
            (*work)({});
        }
    }

    // The question is not of interest any more. Its thread ends by itself: nothing waits for it.
    void drop() {
        forget_ended();
        if (!run_) return;
        run_->thread.request_stop();
        leaving_.push_back(std::move(run_));
    }

    // The question whose answer is not taken yet; null: none.
    const Question* question() const { return run_ ? &run_->question : nullptr; }
    bool has_news() const { return run_ && run_->ended; }

    struct Result {
        Question question;
        std::optional<Answer> answer;
        std::exception_ptr problem;  // if there is no answer

        std::string why() const { return words_of_problem(problem); }
    };
    // Drops the question, and waits for all threads.
    void end() {
        drop();
        end_dropped();
    }
    // Waits for the threads of questions that were dropped.
    void end_dropped() { leaving_.clear(); }

    // The thread is asked to end early; its answer or problem is taken all the same.
    void stop() {
        if (run_) run_->thread.request_stop();
    }
    // For the answer, which can be taken then.
    void wait() {
        if (run_) run_->join();
    }

    // Once, when it has been answered.
    std::optional<Result> take() {
        forget_ended();
        if (!has_news()) return {};
        run_->join();
        Result result{std::move(run_->question), std::move(run_->answer), run_->problem};
        run_.reset();
        return result;
    }

    // Asks to be looked at, for a window that is not woken.
    void wake(WakeUp& wake_up, double look_every) const {
        if (run_) wake_up.look_in(look_every);
    }

private:
    struct Run {
        Question question;
        std::optional<Answer> answer;
        std::exception_ptr problem;
        std::atomic<bool> ended = false;
        std::jthread thread;  // last: it uses all of the above
        void join() {
            if (thread.joinable()) thread.join();
        }
    };
    // What threads that were dropped have held is freed once they have ended.
    void forget_ended() {
        std::erase_if(leaving_, [](const std::unique_ptr<Run>& run) { return run->ended.load(); });
    }

    std::function<void()> wake_;
    std::unique_ptr<Run> run_;
    std::vector<std::unique_ptr<Run>> leaving_;
};

// Values that take longer than a frame, by key: each is wanted, being made in a thread of its own, or there.

// What becomes of values that are there when a frame has not asked for them.
enum class Unasked { forgotten, kept };

// Made one at a time; what is asked for first in a frame is made first. All calls are from the window's thread, makers
// run in others.
template <class Key, class Value, class Same = std::equal_to<Key>> class Demand {
public:
    struct Made {
        Key key;
        std::optional<Value> value;
        std::exception_ptr problem = nullptr;  // of the maker, if there is no value

        std::string why() const { return words_of_problem(problem); }
    };
    // Runs in the thread. May throw; then the key is there without a value, and not made again.
    using Maker = std::function<Value(const std::stop_token&)>;

    // `wake`: see BackgroundWork.
    explicit Demand(const std::function<void()>& wake = {}, Unasked unasked = Unasked::forgotten, Same same = {})
        : unasked_(unasked), same_(std::move(same)), work_(wake) {}

    // What is there for the key; null: nothing. It is not asked for.
    const Made* find(const Key& key) const {
        const auto at =
            std::find_if(there_.begin(), there_.end(), [&](const Entry& e) { return same_(e.made.key, key); });
        return at == there_.end() ? nullptr : &at->made;
    }

    // What is there for the key, asked for in this frame: what is not there is made, and what is there stays until the
    // next frame.
    const Made* ask(const Key& key) {
        for (Entry& entry : there_)
            if (same_(entry.made.key, key)) {
                entry.asked = true;
                return &entry.made;
            }
        if (!contains(wanted_, key)) wanted_.push_back(key);
        return nullptr;
    }

    // Takes a value that was made elsewhere.
    void put(Made made) {
        cancel(made.key);
        there_.push_back({std::move(made)});
    }

    // The key is not wanted, not being made and not there any more.
    void cancel(const Key& key) {
        std::erase_if(wanted_, [&](const Key& each) { return same_(each, key); });
        if (const Job* job = work_.question(); job && contains(job->keys, key)) work_.drop();
        forget_if([&](const Key& each) { return same_(each, key); });
    }

    // Forgets what is there for the keys that meet the condition.
    template <class Condition> void forget_if(Condition condition) {
        std::erase_if(there_, [&](const Entry& entry) { return condition(entry.made.key); });
    }

    // Once per frame, when all have asked: forgets and ends what nobody has asked for, and begins with what is wanted
    // first. `begin(key)` returns its Maker; may throw, too.
    template <class Begin> void end_frame(Begin begin) {
        end_frame([](const Key&, const Key&) { return false; },
                  [&](const std::vector<Key>& keys) { return begin(keys.front()); });
    }

    // end_frame(begin), but keys for which `together(first, other)` are made with the first, by one `begin(keys)`.
    template <class Together, class Begin> void end_frame(Together together, Begin begin) {
        if (unasked_ == Unasked::forgotten)
            std::erase_if(there_, [](Entry& entry) { return !std::exchange(entry.asked, false); });
        const std::vector<Key> wanted = std::exchange(wanted_, {});
        const auto still = [&](const Key& key) { return contains(wanted, key); };
        if (const Job* job = work_.question(); job && std::any_of(job->keys.begin(), job->keys.end(), still)) return;
        work_.drop();
        if (wanted.empty()) return;
        std::vector<Key> keys{wanted.front()};
        for (size_t i = 1; i < wanted.size(); ++i)
            if (together(wanted.front(), wanted[i])) keys.push_back(wanted[i]);
        try {
            Maker make = begin(keys);
            work_.ask({keys, std::move(make)},
                      [](const Job& job, const std::stop_token& stop) { return job.make(stop); });
        } catch (const std::exception&) {
            for (Key& key : keys) put({std::move(key), {}, std::current_exception()});
        }
    }

    // Once per turn of the loop. True if something has come, which `use(made)` sees first; it may take the value away.
    template <class Use> bool take(Use use) {
        auto result = work_.take();
        if (!result) return false;
        std::vector<Key>& keys = result->question.keys;
        Made first{keys.front(), std::move(result->answer), result->problem};
        use(first);
        for (size_t i = 1; i < keys.size(); ++i) put({std::move(keys[i]), first.value, first.problem});
        put(std::move(first));
        return true;
    }
    bool take() {
        return take([](const Made&) {});
    }
    bool has_news() const { return work_.has_news(); }

    // For a window that is not woken.
    void wake(WakeUp& wake_up, double look_every) const { work_.wake(wake_up, look_every); }

private:
    struct Entry {
        Made made;
        bool asked = true;
    };
    // What a maker holds is freed in the window's thread, with the question.
    struct Job {
        std::vector<Key> keys;
        Maker make;
    };
    bool contains(const std::vector<Key>& keys, const Key& key) const {
        return std::any_of(keys.begin(), keys.end(), [&](const Key& each) { return same_(each, key); });
    }

    Unasked unasked_;
    Same same_;
    std::vector<Key> wanted_;  // in this frame
    std::list<Entry> there_;
    BackgroundWork<Job, Value> work_;
};

}  // namespace texelscope
