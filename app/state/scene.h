#pragma once
// Scene: what is looked at and how, and what the sources of its documents say.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/files/decoding/picture_in_file.h"
#include "app/state/view_math.h"
#include "gpu/core/colour.h"
#include "gpu/core/image.h"
#include "gpu/core/names.h"
#include "gpu/core/view.h"
#include "gpu/display/display.h"
#include "gpu/method/spec.h"

namespace texelscope {

// Sources that are no file as a whole: pictures pushed by other programs or from standard input, shrunk and resized ones, and
// layers of a file as its parts.

inline constexpr std::string_view pushed_prefix = "@pushed:", standard_input_name = "standard input",
                                  pasted_name = "pasted";  // and "pasted 2" and so on

inline std::string pushed_source(std::string_view name) { return std::string(pushed_prefix).append(name); }

// Empty if the source is another.
inline std::optional<std::string> pushed_name(std::string_view source) {
    if (!source.starts_with(pushed_prefix)) return {};
    return std::string(source.substr(pushed_prefix.size()));
}

// Sources of documents that are made from another image: "@shrunk:4:bspline:stored:/d/photo.png", "stored,aliased" without
// antialiasing.

// An image that is shrunk by a factor. It can be made again at any time, as a session or redo needs it.
struct ShrunkSource {
    double factor = 1;
    std::string filter;  // id of the method or recipe that shrinks it
    Light light = Light::stored;
    std::string original;  // the source of the image
    bool antialias = true;

    std::string text() const;
    bool operator==(const ShrunkSource&) const = default;
};

// An image resized as a recipe says (gpu/recipes), or a step on the way from it to another recipe: ingredients up to
// `changed` are those of the other one. "@resized:224x224;like:pillow/bicubic;like:opencv/cubic;weights;/d/photo.png".
struct ResizedSource {
    Extent size;
    std::string recipe;
    std::string towards = {}, changed = {};  // the other recipe and the name of the ingredient; both empty: by `recipe`
    std::string original = {};               // the source of the image
    SampleRegion part = {};                  // of the resized picture; empty: all. "@resized:448x300,8,16,224x224;…"

    std::string text() const;
    bool operator==(const ResizedSource&) const = default;
};

// An image that another program has made larger: "@program:4:27:convert {in} … {out}:/d/photo.png", 27 being the bytes of the
// command. It is made again at any time, but only on a machine whose user allows the command.
struct ProgramSource {
    double factor = 1;
    std::string command;   // see docs/compare.md
    std::string original;  // the source of the image

    std::string text() const;
    bool operator==(const ProgramSource&) const = default;
};

// An image that a method has rotated again and again about its centre, each time by so many degrees:
// "@turned:36x10;bilinear;@text:128".
struct TurnedSource {
    static constexpr int most_turns = 360;
    int turns = 0;  // 0: the image itself
    double degrees = 0;
    std::string spec;      // of the method; mirrored at the edges unless it says otherwise
    std::string original;  // the source of the image

    std::string text() const;
    bool operator==(const TurnedSource&) const = default;
};

// The source that a shrunk, resized, turned or program's picture is made from; for other pictures, the source itself.
std::string original_source(const std::string& source);

// Empty if it is another kind of source.
std::optional<ShrunkSource> parse_shrunk_source(std::string_view source);
std::optional<ResizedSource> parse_resized_source(std::string_view source);
std::optional<ProgramSource> parse_program_source(std::string_view source);
std::optional<TurnedSource> parse_turned_source(std::string_view source);

// What one steps through in a file: its parts; of a file with a single one, its layers.

// The layers of a single picture, each with the channels that are shown together; if it has one layer of many channels,
// or plain data, its usual channels and then each one alone. None if there is nothing to step through.
std::vector<PictureFacts::Part> layers_as_parts(const PictureFacts& facts);

// These, or the parts.
std::vector<PictureFacts::Part> parts_to_step_through(const PictureFacts& facts);

// Which of the layers, from 0, holds the first channel that is read; `channels` are all of the picture.
int shown_layer(const PictureChoice& choice, const std::vector<PictureFacts::Part>& layers,
                const std::vector<std::string>& channels);

// Levels and non-finite samples that are found in an image when it is opened, so that its data are visible.

// The stored values that are shown black and white.
struct Levels {
    float black = 0, white = 1;
    bool operator==(const Levels&) const = default;
};

struct ImageLook {
    std::optional<Levels> levels;  // those of the data; empty: the samples are values for display, 0 … 1
    bool nan = false, plus_infinity = false, minus_infinity = false;  // there are such samples
    bool finite() const { return !nan && !plus_infinity && !minus_infinity; }
    bool operator==(const ImageLook&) const = default;
};

// Time and size of a file, to detect changes on disk.
struct FileStamp {
    int64_t modified = 0;
    uintmax_t bytes = 0;
    bool operator==(const FileStamp&) const = default;
};

// An open image and its view.
struct Document {
    std::string source;                  // a path, perhaps with a choice behind it (PictureChoice), a test image as
                                         // "@zone-plate:512", or "@pushed:x"
    std::shared_ptr<const Image> image;  // null until it is shown for the first time
    ImageLook look;                      // of the image, when it was read
    std::optional<Levels> levels = {};   // the user's, instead of those of `look`
    View view;
    bool keep_fit = true;               // the view follows the size of the window
    std::optional<Region> region = {};  // while it does: kept in view instead of the whole image
    FileStamp loaded;                   // of the file that `image` came from
    FileStamp seen;                     // at the last check; a change that has settled is read
    bool unreadable = false;            // for a pane; not retried until it is shown
    bool passing = false;               // walking through its folder came to it: the next step replaces it

    void take_samples_of(const Document& open);
    bool is_file() const { return !source.starts_with('@'); }
    bool operator==(const Document&) const = default;
    std::string title() const;  // the file's name without folders, or the source
};

// A picture in the window: a method with all its settings, over an image, under a view.
struct Pane {
    MethodSpec spec;
    std::string label = {};   // replaces the method in words; empty: the words
    std::string source = {};  // the document it shows; empty or not open: the current one

    // Linked panes follow the current document's view, and show the same field of an image of another size; `offset`
    // then moves (samples of the pane's own image), turns and scales that view.
    View offset = {};
    std::optional<View> own_view = {};   // not linked: the view itself
    std::optional<bool> antialias = {};  // unset: the scene's
    std::optional<Light> light = {};     // likewise
    bool difference = false;             // shows how it differs from what it is against
    int against = reference_pane;        // of figures and difference: the scene's reference, or another pane

    static constexpr int reference_pane = -1;
    bool operator==(const Pane&) const = default;
};
inline constexpr int max_panes = 16;

// How the panes share the picture area. Single: only the active one. Wipe: A and the active one over each other, with a
// divider; A and B if A is active.
enum class Arrangement { single, columns, rows, grid, wipe };
inline constexpr NamedValue<Arrangement> arrangements[] = {{Arrangement::single, "single"},
                                                           {Arrangement::columns, "columns"},
                                                           {Arrangement::rows, "rows"},
                                                           {Arrangement::grid, "grid"},
                                                           {Arrangement::wipe, "wipe"}};
constexpr auto& names_table(Arrangement) { return arrangements; }
inline constexpr auto all_arrangements = all_values<Arrangement>;

// The divider between A and another pane.
struct Wipe {
    bool horizontal = false;  // the divider is horizontal, with A above it; else A is left of it
    bool held = false;        // the divider does not follow the mouse
    double at = 0.5;          // of the picture's width or height
    bool operator==(const Wipe&) const = default;
};

// The reference that panes are measured against, in float64, unless they are against another pane.
struct Reference {
    enum class Kind {
        own,     // each pane's method, exact: shows what its path and prefilter lose
        method,  // another method
        image,   // another document: of the same size interpolated like the pane, else read over the same field
        truth    // the function that the image is the samples of
    };
    Kind kind = Kind::own;
    MethodSpec spec = {};     // of `method`
    std::string source = {};  // of `image`
    bool operator==(const Reference&) const = default;
};
inline constexpr NamedValue<Reference::Kind> reference_kinds[] = {{Reference::Kind::own, "own"},
                                                                  {Reference::Kind::method, "method"},
                                                                  {Reference::Kind::image, "image"},
                                                                  {Reference::Kind::truth, "truth"}};
constexpr auto& names_table(Reference::Kind) { return reference_kinds; }

// The line of the profile, in the sample space of the current image.
struct ProfileLine {
    enum class Along { row, column, line } along = Along::row;
    bool pinned = false;  // a row or column stays; else it follows the cursor
    Point a, b;           // ends of a line; a pinned row or column goes through a
    bool operator==(const ProfileLine&) const = default;
};
inline constexpr NamedValue<ProfileLine::Along> profile_directions[] = {
    {ProfileLine::Along::row, "row"}, {ProfileLine::Along::column, "column"}, {ProfileLine::Along::line, "line"}};
constexpr auto& names_table(ProfileLine::Along) { return profile_directions; }

// Images, panes and how they are shown: the part that undo, presets and session files handle.
struct Scene {
    std::vector<Document> documents;
    int current = -1;         // index of the document shown; −1: none
    std::vector<Pane> panes;  // A, B, …; 1 to max_panes
    int active = 0;           // index of the pane that is edited; the only one in view if they are not side by side
    Arrangement arrangement = Arrangement::single;
    Wipe wipe;
    Reference reference;
    DifferenceSettings difference;
    DisplaySettings display;     // its levels act only if they are locked
    bool levels_locked = false;  // the same levels for all images; else each has its own
    ProfileLine profile;
    Outside outside = Outside::background;
    bool antialias = true;        // when the view zooms out
    Light light = Light::stored;  // the values that are interpolated
    Warp warp;                    // of the image under the view; see acting_warp
    bool address_for_all = true;  // choosing an address mode applies it to all panes
    std::optional<Region> selection;

    Document* document() { return current < 0 ? nullptr : &documents[size_t(current)]; }
    const Document* document() const { return current < 0 ? nullptr : &documents[size_t(current)]; }
    Pane& pane() { return panes[size_t(active)]; }
    const Pane& pane() const { return panes[size_t(active)]; }
    MethodSpec& spec() { return pane().spec; }
    const MethodSpec& spec() const { return pane().spec; }
    Light light_of(int pane) const { return panes[size_t(pane)].light.value_or(light); }
    bool operator==(const Scene&) const = default;
};

// "A", "B", …
std::string pane_name(int index);

}  // namespace texelscope
