#pragma once
// Reads and writes image files. The format is recognised by the first bytes, or by the extension if they do not
// identify it. Every error is one sentence that begins with the name of the file.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/files/bytes/rows.h"
#include "app/files/codecs/codecs.h"
#include "app/files/colour/icc_conversion.h"
#include "app/files/decoding/decoder.h"
#include "gpu/core/image.h"

namespace texelscope {

// Formats other than our own are decoded in a process of their own (decoding/decoder.h). Blocks until that is done; a
// `reading` with a progress callback and a stop token makes it fit for a thread of its own.
// Throws FileError, OutOfMemory or Cancelled.
Image read_image(const std::filesystem::path& path, const Reading& reading = {});

// read_image() with the decoders in this process, which a damaged file may end: for tests of the decoders themselves.
Image read_image_in_process(const std::filesystem::path& path, const Reading& reading = {});

// What the file says of itself and of the picture that read_image would give, without decoding it; metadata are read where
// the picture would be. Throws what read_image throws.
PictureFacts read_facts(const std::filesystem::path& path, const Reading& reading = {});

struct WriteOptions {
    // Unset: integers stay as they are if the format has them; floats stay floats in PFM, .npy, EXR, HDR and TIFF,
    // and become 8 bits in other formats.
    std::optional<SampleType> type = {};

    // Called once the file is complete, before it takes its place; what it throws leaves the old file.
    std::function<void()> last_check = {};

    // Called while the file is made, with the part that is done; what it throws leaves the old file as well.
    std::function<void(double part)> progress = {};

    // An extension without its dot; it chooses the format instead of the name's.
    std::string format = {};
};

// The extension chooses the format; streams without one (see is_stream) get a PNG. Straight or premultiplied alpha is
// stored as the format defines it (.npy: straight); a format without alpha (JPEG, BMP, WebP, PNM, PFM, HDR) gets the
// picture over black. No incomplete file is ever left. Returns what the file could not keep.
// Throws UsageError for options that the format does not support and for sizes that it has no room for, else FileError or
// OutOfMemory. In image_writer.cpp, as all about writing.
Losses write_image(const Image& image, const std::filesystem::path& path, const WriteOptions& options = {});

// The file of write_image() from rows that are made meanwhile: a picture of any size in bounded memory, which is a few
// bands of rows (see RowSource), for a large TIFF also a row of its tiles. What `rows` throws is passed on, with the
// file's name in front as naming() does it, and leaves the old file.
Losses write_rows(const RowSource& picture, const std::filesystem::path& path, const WriteOptions& options = {});

// Throws what write_rows would throw before it opens the file and asks for rows, which may be missing.
void check_rows(const RowSource& picture, const std::filesystem::path& path, const WriteOptions& options = {});

// For a picture made from samples of type `stored`: in the chosen type; unless one is chosen, 16 bits stay 16 bits if the
// format has them.
WriteOptions options_for(const std::filesystem::path& path, SampleType stored, std::optional<SampleType> chosen,
                         const std::string& format = {});

// The bytes of a PNG file. Throws Error or OutOfMemory.
std::vector<std::byte> encoded_png(const Image& image);
std::string png_as_url(const Image& image);  // "data:image/png;base64,…", for pages

// Throws the UsageError of write_image for this name and these options, without needing an image.
void check_output_name(const std::filesystem::path& path, const WriteOptions& options = {});

// The type that write_image would store for a float image.
SampleType written_type(const std::filesystem::path& path, const WriteOptions& options = {});

// Whether those are integers, which are limited to [0, 1].
bool writes_integers(const std::filesystem::path& path, const WriteOptions& options = {});

// "png", "jpg", …: lower case, without the dot, the common ones first.
std::string readable_formats();  // their names: "PNG, JPEG, …"
std::vector<std::string> readable_extensions();
std::vector<std::string> writable_extensions();

// Loads an image from its source as the user writes it: a file, a built-in test image, or standard input.

// Coordinates of the samples of a signal: sample i is at origin + i · spacing.
struct SignalGrid {
    double origin = 0, spacing = 1;
};

// "@id", "@id:512" and "@id:640x480" are test images, "-" is standard input, everything else is a path: to a table, which
// is a signal with its own grid (app/files/tables/tables.h), or to an image, read as read_image does. Behind the name of an image may be
// a choice (decoding/picture_in_file.h), which takes the place of the reading's. Throws Error.
Image load_image(const std::string& source, SignalGrid* grid = nullptr, const Reading& reading = {});

// The source that somebody typed, or a shell or another program passed on: a file of just this name is that file, whatever
// follows a # in it; %23 stands for a # if there is no file whose name has it.
std::string typed_source(const std::string& typed);

// The source's name for people: "standard input" instead of "-".
std::string words_of_source(const std::string& source);

// What read_facts says of it; nothing of test images, tables and standard input, which can be read but once.
PictureFacts load_facts(const std::string& source);

// An image file whose bytes come from standard input or another descriptor, a pipe for example.
inline constexpr size_t most_piped_bytes = size_t(std::min<uint64_t>(uint64_t(4) << 30, PTRDIFF_MAX));

// Reads to the end; the first bytes tell the format. Throws FileError whose text begins with "standard input", for a
// terminal and an end at once as well.
Image read_standard_input(const Reading& reading = {});

// What read_facts says of the file; the same exceptions. Afterwards standard input is at its end.
PictureFacts read_standard_input_facts(const Reading& reading = {});

// Reads an image from any descriptor, at most `at_most` bytes of it. Throws Error without a name.
Image read_image_from(int descriptor, size_t at_most, const Reading& reading = {});

// The decoders of formats that are not our own. They may be fed anything: to be called in a process of its own, see
// decoding/decoder.h. Our own formats are read where they are needed: their readers are small and have been fuzzed for
// millions of inputs, and most of the work is to read the file.

// Checks the structure of the file (damage.cpp) and decodes it by the record of its format; reads its metadata;
// answers questions about colour profiles.
const Decoder& foreign_decoder();

// Questions about colour profiles, which a decoder answers: Little CMS parses nothing in this process. What the answer holds
// is finite numbers, of as many as its kind has.

// make_conversion, worked out in a decoder; what goes wrong there is its `problem`. Blocks for 5 s at most.
ProfileConversion ask_conversion(const ColourProfile& profile, int colours, const std::vector<std::byte>& screen);

// name_of_screen; empty for all that is no profile for RGB.
std::string ask_name_of_screen(const std::vector<std::byte>& icc);

// Decoder::compute. Throws Error.
std::vector<std::byte> answer_profile_question(std::span<const std::byte> question);

}  // namespace texelscope
