#pragma once
// A child process whose stderr can be read line by line while it runs.

#include <sys/types.h>

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace texelscope::test {

class Process {
public:
    // Starts argv[0] from the PATH with these changes to the environment.
    Process(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment);
    ~Process();  // kills it if it still runs
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    bool running();
    // Seconds of processor time used so far, all threads; below 0 if unknown.
    double processor_seconds() const;
    // Exit status, or −1 if it has not ended after this many seconds.
    int wait(double seconds);
    void terminate();

    // Lines of stderr so far, whole ones.
    std::vector<std::string> lines();
    // Waits until a line from index `from` on satisfies the predicate: its index, or −1 after this many seconds.
    int wait_for_line(size_t from, const std::function<bool(const std::string&)>& predicate, double seconds);

private:
    void read_lines(int descriptor);

    pid_t pid_ = -1;
    int status_ = 0;
    bool ended_ = false;
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::vector<std::string> lines_;
    std::thread reader_;
};

// Runs a command to its end: exit status (−1: did not start or was killed).
int run(const std::vector<std::string>& arguments, const std::map<std::string, std::string>& environment = {});

}  // namespace texelscope::test
