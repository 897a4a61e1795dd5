#pragma once
// What texelscope compare is made of: its arguments, its output, and --restore.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "app/picture/comparison.h"
#include "app/state/app_state.h"
#include "app/studies/restoring/many_pictures.h"
#include "app/studies/restoring/restoring.h"
#include "gpu/core/colour.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

// The reference that panes are measured against.
struct ComparisonReference {
    Reference::Kind kind = Reference::Kind::method;
    MethodSpec spec;          // of `method`
    bool own_address = true;  // of `method`: each pane's address modes, not those of the spec
    std::string source;       // of `image`
    std::shared_ptr<const Image> image;
    std::optional<TestImageRequest> formula;  // of `truth`
};

// A whole comparison, ready to be computed.
struct ComparisonPlan {
    std::string source;  // of the image
    std::shared_ptr<const Image> image;
    bool partial = false;                     // a file may lack samples
    std::shared_ptr<const TileSource> tiles;  // instead, of one that is too large to be in memory
    Light light = Light::stored;
    std::vector<MethodSpec> specs;
    RenderRequest request;  // of every pane, except for its spec
    ComparisonReference reference;
    std::optional<Region> selection;
    std::optional<DifferenceSettings> difference;  // shown on the sheet instead of the pictures; or a map of errors
    std::vector<std::string> map_files;            // of each pane, or none

    // What other programs made of the image, by pane.
    struct Made {
        std::shared_ptr<const Image> picture;
        double milliseconds;
    };
    std::map<int, Made> made = {};

    // What is known of the image, whether it is in memory or not.
    ImageInfo info() const;
    bool is_signal() const { return image && image->one_dimensional(); }

    // Reads the reference image, if any, or finds the formula. Throws UsageError if the image shows another field or has
    // other channels, or if there is no formula.
    void load_reference();

    // Whether the reference is an image of another size.
    bool against_another_size() const;

    // Shows the whole picture at the size of the reference image, their outer edges agreeing.
    void show_at_size_of_reference();

    // A pane of the plan, whose renditions name no image if that is not in memory.
    ComparedPane pane(int index) const;

    // Whether all panes are measured against themselves.
    bool only_arithmetic() const;
    // Whether the reference is a method that is widened as the others are (see Against).
    bool tells_likeness() const;
    std::string reference_name() const;  // within a sentence: "quintic B-spline", "photo.png"

private:
    MethodSpec reference_for(const MethodSpec& spec) const;
    Against against(const RenderRequest& shown) const;
    // The pane shows what a program made over the same field, instead of the image: at the program's own pixels, unless the
    // view moves them.
    void show_made(ComparedPane& pane) const;
};

// The parts of --panes, between semicolons; a semicolon within a command's quotes belongs to the command.
std::vector<std::string_view> pane_words(std::string_view text);

// "SPEC; SPEC; …"; `defaults`: the settings that a SPEC does not name. A command becomes the spec of what is outside.
std::vector<MethodSpec> parse_panes(const std::string& text, const MethodSpec& defaults);

// The method of --method-file, if it was given, then those of --panes or, without that option, usual(defaults).
using UsualSpecs = std::vector<MethodSpec>(const MethodSpec& defaults);
std::vector<MethodSpec> compared_specs(const MethodOptions& method, const std::optional<std::string>& panes,
                                       const MethodSpec& defaults, UsualSpecs usual);
std::vector<MethodSpec> four_panes(const MethodSpec& defaults);  // of usual_panes()

// The methods of the viewer's first preset.
std::string usual_panes();

// The default reference if nothing was typed.
ComparisonReference parse_reference(const std::optional<std::string>& text);

// The size of the output that shows as much of the picture as an output of the picture's size would, and nothing beyond
// its edges unless the view is rotated or moved.
Extent picture_area(const View& view, const ImageShape& image);

Region parse_selection(const std::string& text);
// Refuses one that no pixel can read, unless the picture is extended beyond its edges.
void check_selection(const Region& region, const std::string& text, const ImageShape& image);
int parse_columns(const std::string& text, bool with_sheet);

// --pixels-per-degree, --screen: the viewing distance of FLIP.
class ViewingOptions {
public:
    void add_to(Command command);

    bool given() const { return degree_ || screen_; }
    float pixels_per_degree() const;

private:
    std::optional<std::string> degree_, screen_;
};

// --difference --gain --map --write-map
class DifferenceOptions {
public:
    void add_to(Command command);

    bool given() const { return kind_ || gain_ || map_ || file_; }

    // Empty if no difference was requested. A map of errors has figures, and needs no sheet.
    std::optional<DifferenceSettings> settings(bool with_sheet, const ViewingOptions& viewing) const;

    // The files of the maps of all panes, {pane} being A, B, …; none if they are not wanted.
    std::vector<std::string> files(size_t panes) const;

private:
    std::optional<std::string> kind_, gain_, map_, file_;
};

// "command:'PROGRAM … {in} {out}'" of --panes: the spec of what is outside. Throws UsageError.
MethodSpec command_spec(std::string_view word);

// --allow-commands, --command-seconds, --command-memory: programs among the methods of --panes.
class CommandOptions {
public:
    void add_to(Command command);

    // The commands among the specs. Throws UsageError for a wrong one, and for any unless they are allowed.
    std::vector<OutsideMethod> programs(const std::vector<MethodSpec>& specs) const;

private:
    ProgramLimits limits() const;

    std::optional<std::string> seconds_, memory_;
    bool allowed_ = false;
};

// The output of texelscope compare, on the terminal and in files.
struct ComparisonResult {
    ComparisonPlan plan;
    BackendInfo backend;
    std::vector<PaneFigures> figures;  // one per pane
};

// Image, view, reference and device, and a row for each pane.
std::string comparison_table(const ComparisonResult& result);

// Described in docs/compare.md.
std::string comparison_json(const ComparisonResult& result);

// The map of errors of a pane: one channel of floats.
Image map_image(const ComparisonResult& result, size_t pane);

SheetText sheet_text(const ComparisonResult& result);

// texelscope compare IN --restore: which method is best for this picture?

// {name} of a picture: "photo" of a/photo.png, "zone-plate-512" of @zone-plate:512.
std::string name_of_source(const std::string& source);

// A restore test, ready to be computed.
struct RestoreRun {
    RestoringPlan plan;  // without source and image
    std::vector<OutsideMethod> programs;
    std::vector<std::string> inputs;  // pictures and folders, as typed
    BackendChoice backend = BackendChoice::automatic;
    std::string json;   // file, "-" or empty
    std::string sheet;  // file or empty
    int columns = 0;    // of the sheet, 0: about 16:9
    PictureOptions picture = {};
    bool partial = false;  // files may lack samples
};

// --restore --shrink-with --report and what many pictures have.
class RestoreOptions {
public:
    void add_to(Command command);

    bool given() const { return restore_.has_value() || merge_; }
    bool merges() const { return merge_; }

    // Refuses what does not go together. Throws UsageError.
    void check() const;

    // `panes`: as typed, else all methods; `method`: the settings they do not name. With plan and commands. Throws UsageError.
    RestoreRun plan(const std::optional<std::string>& panes, const MethodOptions& method, const ViewingOptions& viewing,
                    const CommandOptions& commands) const;

    // Computes and prints. Throws Error.
    void run(RestoreRun run) const;
    // Reports many pictures from results that --json wrote.
    void merge(const std::vector<std::string>& files, const std::string& json) const;

private:
    struct Shard {
        size_t part = 0, parts = 1;  // pictures part, part + parts, …
    };
    Shard shard() const;
    // Refuses patterns that would name the same file for two pictures.
    void check_patterns(const std::vector<std::string>& sources) const;
    KeptRecords kept() const;
    // The programs, and the results for this picture.
    std::vector<OutsideMethod> outside_for(std::vector<OutsideMethod> programs, const std::string& source) const;
    void run_one(RestoreRun& run, const std::string& source) const;
    void run_many(const RestoreRun& run, const std::vector<std::string>& sources) const;
    void write_shrunk(const RestoreRun& run, const std::vector<std::string>& sources) const;
    void put_out(const PicturesResult& result, const std::string& json) const;

    std::optional<std::string> restore_, judge_, filter_, jobs_, shard_, shrunk_, keep_;
    std::vector<std::string> results_;
    std::string report_, csv_;
    bool merge_ = false;
};

}  // namespace texelscope
