#pragma once
// A question that is answered in a thread of its own, so that the window keeps running. The newest question wins.

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "app/state/wake_up.h"

namespace texelscope {

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

    // `compute(question, stop)` runs in the thread and may throw. Ends the question before it.
    template <class Compute> void ask(Question question, Compute compute) {
        drop();
        run_ = std::make_unique<Run>();
        run_->question = std::move(question);
        run_->thread =
            std::jthread([run = run_.get(), compute = std::move(compute), wake = wake_](std::stop_token stop) {
                try {
                    run->answer.emplace(compute(run->question, stop));
                } catch (...) {
                    run->problem = std::current_exception();
                }
                run->ended = true;
                if (wake) wake();
            });
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

}  // namespace texelscope
