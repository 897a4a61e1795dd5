// A result's files.

#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "app/drawing/plot_picture.h"
#include "app/files/bytes/file_io.h"
#include "app/files/reading/image_files.h"
#include "app/studies/experiments/result_files.h"
#include "gpu/core/ascii.h"

namespace texelscope {
namespace {

namespace fs = std::filesystem;

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (!fs::is_directory(folder)) throw FileError(folder.string(), "is not a folder, and none can be created there");
}

// A letter of Latin, Greek or Cyrillic beyond ASCII, as UTF-8: "é", but neither "×" nor "°".
bool is_two_byte_letter(const std::string& text, size_t at) {
    if (at + 1 >= text.size()) return false;
    const auto lead = uint8_t(text[at]), next = uint8_t(text[at + 1]);
    if (next < 0x80 || next > 0xbf) return false;
    if (lead == 0xc3) return next != 0x97 && next != 0xb7;  // × and ÷
    return (lead >= 0xc4 && lead <= 0xc9) || (lead >= 0xce && lead <= 0xd3);
}

}  // namespace

void write_plot(const Plot& plot, const fs::path& path) {
    if (path.extension() == ".svg") write_text(path, to_svg(plot));
    else write_image(plot_picture(plot), path);
}

void write_table(const ResultTable& table, const fs::path& path) { write_text(path, table_as_csv(table)); }

std::string file_stem(const std::string& title) {
    std::string stem;
    for (size_t i = 0; i < title.size(); ++i) {
        const char c = title[i];
        const char small = lower_case(c);
        if (is_two_byte_letter(title, i)) stem += {c, title[++i]};
        else if ((small >= 'a' && small <= 'z') || (small >= '0' && small <= '9')) stem += small;
        else if (!stem.empty() && stem.back() != '-') stem += '-';
    }
    while (stem.ends_with('-')) stem.pop_back();
    return stem;
}

void write_folder(const ExperimentResult& result, const fs::path& folder) {
    make_folder(folder);
    std::set<std::string> taken;
    // Titles may be alike, for example of methods that are named twice.
    const auto named = [&](const char* kind, const std::string& title) {
        const std::string stem = fmt::format("{}-{}", kind, file_stem(title));
        std::string name = stem;
        for (int n = 2; !taken.insert(name).second; ++n) name = fmt::format("{}-{}", stem, n);
        return folder / name;
    };
    write_text(folder / "report.html", result_as_html(result));
    write_text(folder / "result.json", result_as_json(result));
    for (const ResultTable& table : result.tables) write_table(table, named("table", table.title).concat(".csv"));
    for (const Plot& plot : result.plots) {
        const fs::path name = named("plot", plot.title);
        for (const char* extension : {".svg", ".png"}) write_plot(plot, fs::path(name).concat(extension));
    }
    for (const ResultPicture& picture : result.pictures)
        write_image(picture.image, named("picture", picture.title).concat(".png"));
}

}  // namespace texelscope
