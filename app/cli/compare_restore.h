#pragma once
// texelscope compare IN --restore: which method is best for this picture?

#include <optional>
#include <string>

#include "app/cli/options.h"
#include "app/studies/restoring/restoring.h"

namespace texelscope {

// --restore --shrink-with --report
class RestoreOptions {
public:
    void add_to(Command command);

    bool given() const { return restore_.has_value(); }

    // Refuses --shrink-with if nothing is shrunk, --report if nothing is restored. Throws UsageError.
    void check() const;

    // `panes`: as typed, else all methods; `method`: the settings they do not name. Without source, image and light. Throws
    // UsageError.
    RestoringPlan plan(const std::optional<std::string>& panes, const MethodOptions& method) const;

    const std::string& report() const { return report_; }

private:
    std::optional<std::string> restore_, filter_;
    std::string report_;
};

struct RestoreRun {
    RestoringPlan plan;  // with its source, without image
    BackendChoice backend = BackendChoice::automatic;
    std::string json;           // file, "-" or empty
    std::string sheet, report;  // files or empty
    int columns = 0;            // of the sheet, 0: about 16:9
    bool partial = false;       // the file may lack samples
};

// Computes and prints. Throws Error.
void run_restore(RestoreRun run);

}  // namespace texelscope
