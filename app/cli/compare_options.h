#pragma once
// The arguments of texelscope compare as values, and the comparison they describe. The parsers throw UsageError.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "app/picture/comparison.h"
#include "app/state/app_state.h"
#include "gpu/core/light.h"

namespace texelscope {

// The reference that panes are measured against.
struct ComparisonReference {
    Reference::Kind kind = Reference::Kind::method;
    MethodSpec spec;          // of `method`
    bool own_address = true;  // of `method`: each pane's address modes, not those of the spec
    std::string source;       // of `image`
    std::shared_ptr<const Image> image;
};

// A whole comparison, ready to be computed.
struct ComparisonPlan {
    std::string source;  // of the image
    std::shared_ptr<const Image> image;
    Light light = Light::stored;
    std::vector<MethodSpec> specs;
    RenderRequest request;  // of every pane, except for its spec
    ComparisonReference reference;
    std::optional<Region> selection;
    std::optional<DifferenceSettings> difference;  // shown on the sheet instead of the pictures

    // Reads the reference image, if any. Throws UsageError if its size or number of channels differs.
    void load_reference();

    ComparedPane pane(int index) const;
};

// "SPEC; SPEC; …"; `defaults`: the settings that a SPEC does not name.
std::vector<MethodSpec> parse_panes(const std::string& text, const MethodSpec* defaults = nullptr);

// `panes`: as typed; the first of them is the reference if `text` is empty.
ComparisonReference parse_reference(const std::string& text, const std::string& panes);

Region parse_selection(const std::string& text);
int parse_columns(const std::string& text, bool with_sheet);

// --difference --gain --map
class DifferenceOptions {
public:
    void add_to(Command command);

    bool given() const { return kind_ || gain_ || map_; }

    // Empty if no difference was requested.
    std::optional<DifferenceSettings> settings(bool with_sheet) const;

private:
    std::optional<std::string> kind_, gain_, map_;
};

}  // namespace texelscope
