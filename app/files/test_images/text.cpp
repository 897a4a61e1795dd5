// A page of text and pixel art: what staircases, blur and ringing do to letters and to hard-edged drawings.

#include "app/files/test_images/generators.h"

#include <string_view>

namespace texelscope {

// Our own 5 × 9 pixel font: capitals are 7 rows tall, small letters 5, and the last two rows are for descenders.

namespace {

constexpr int glyphs_in_line = 16;
constexpr int sheet_width = glyphs_in_line * glyph_advance - 1;

// ASCII 32 to 126, sixteen glyphs side by side, a line of glyphs nine rows of 95 characters.
constexpr std::string_view sheet[] = {
    // space to /
    "..... ..#.. .#.#. .#.#. ..#.. ##..# .##.. ..#.. ...#. .#... ..... ..... ..... ..... ..... ....#"
    "..... ..#.. .#.#. .#.#. .#### ##..# #..#. ..#.. ..#.. ..#.. ..#.. ..#.. ..... ..... ..... ....#"
    "..... ..#.. .#.#. ##### #.#.. ...#. #.#.. ..#.. .#... ...#. #.#.# ..#.. ..... ..... ..... ...#."
    "..... ..#.. ..... .#.#. .###. ..#.. .#... ..... .#... ...#. .###. ##### ..... ##### ..... ..#.."
    "..... ..#.. ..... ##### ..#.# .#... #.#.# ..... .#... ...#. #.#.# ..#.. ..... ..... ..... .#..."
    "..... ..... ..... .#.#. ####. #..## #..#. ..... ..#.. ..#.. ..#.. ..#.. .##.. ..... .##.. #...."
    "..... ..#.. ..... .#.#. ..#.. #..## .##.# ..... ...#. .#... ..... ..... .##.. ..... .##.. #...."
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..#.. ..... ..... ....."
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .#... ..... ..... .....",
    // 0 to ?
    ".###. ..#.. .###. ####. ...#. ##### ..##. ##### .###. .###. ..... ..... ....# ..... #.... .###."
    "#...# .##.. #...# ....# ..##. #.... .#... ....# #...# #...# .##.. .##.. ...#. ..... .#... #...#"
    "#..## #.#.. ....# ....# .#.#. ####. #.... ...#. #...# #...# .##.. .##.. ..#.. ##### ..#.. ....#"
    "#.#.# ..#.. ...#. .###. #..#. ....# ####. ..#.. .###. .#### ..... ..... .#... ..... ...#. ...#."
    "##..# ..#.. ..#.. ....# ##### ....# #...# ..#.. #...# ....# ..... ..... ..#.. ##### ..#.. ..#.."
    "#...# ..#.. .#... ....# ...#. #...# #...# .#... #...# ...#. .##.. .##.. ...#. ..... .#... ....."
    ".###. ##### ##### ####. ...#. .###. .###. .#... .###. .##.. .##.. .##.. ....# ..... #.... ..#.."
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..#.. ..... ..... ..... ....."
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .#... ..... ..... ..... .....",
    // @ to O
    ".###. ..#.. ####. .###. ###.. ##### ##### .###. #...# .###. ..### #...# #.... #...# #...# .###."
    "#...# .#.#. #...# #...# #..#. #.... #.... #...# #...# ..#.. ...#. #..#. #.... ##.## ##..# #...#"
    "#.### #...# #...# #.... #...# #.... #.... #.... #...# ..#.. ...#. #.#.. #.... #.#.# ##..# #...#"
    "#.#.# #...# ####. #.... #...# ####. ####. #.### ##### ..#.. ...#. ##... #.... #.#.# #.#.# #...#"
    "#.### ##### #...# #.... #...# #.... #.... #...# #...# ..#.. ...#. #.#.. #.... #...# #..## #...#"
    "#.... #...# #...# #...# #..#. #.... #.... #...# #...# ..#.. #..#. #..#. #.... #...# #..## #...#"
    ".###. #...# ####. .###. ###.. ##### #.... .#### #...# .###. .##.. #...# ##### #...# #...# .###."
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ....."
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....",
    // P to _
    "####. .###. ####. .#### ##### #...# #...# #...# #...# #...# ##### .###. #.... .###. ..#.. ....."
    "#...# #...# #...# #.... ..#.. #...# #...# #...# #...# #...# ....# .#... #.... ...#. .#.#. ....."
    "#...# #...# #...# #.... ..#.. #...# #...# #...# .#.#. .#.#. ...#. .#... .#... ...#. #...# ....."
    "####. #...# ####. .###. ..#.. #...# #...# #.#.# ..#.. ..#.. ..#.. .#... ..#.. ...#. ..... ....."
    "#.... #.#.# #.#.. ....# ..#.. #...# .#.#. #.#.# .#.#. ..#.. .#... .#... ...#. ...#. ..... ....."
    "#.... #..#. #..#. ....# ..#.. #...# .#.#. ##.## #...# ..#.. #.... .#... ....# ...#. ..... ....."
    "#.... .##.# #...# ####. ..#.. .###. ..#.. #...# #...# ..#.. ##### .###. ....# .###. ..... ....."
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... #####"
    "..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... ..... .....",
    // ` to o
    ".#... ..... #.... ..... ....# ..... ..##. ..... #.... ..#.. ...#. #.... .##.. ..... ..... ....."
    "..#.. ..... #.... ..... ....# ..... .#... ..... #.... ..... ..... #.... ..#.. ..... ..... ....."
    "...#. .###. ####. .#### .#### .###. ####. .#### ####. .##.. ..##. #..#. ..#.. ##.#. ####. .###."
    "..... ....# #...# #.... #...# #...# .#... #...# #...# ..#.. ...#. #.#.. ..#.. #.#.# #...# #...#"
    "..... .#### #...# #.... #...# ##### .#... #...# #...# ..#.. ...#. ##... ..#.. #.#.# #...# #...#"
    "..... #...# #...# #.... #...# #.... .#... #...# #...# ..#.. ...#. #.#.. ..#.. #.#.# #...# #...#"
    "..... .#### ####. .#### .#### .###. .#... .#### #...# .###. ...#. #..#. .###. #...# #...# .###."
    "..... ..... ..... ..... ..... ..... ..... ....# ..... ..... #..#. ..... ..... ..... ..... ....."
    "..... ..... ..... ..... ..... ..... ..... .###. ..... ..... .##.. ..... ..... ..... ..... .....",
    // p to ~
    "..... ..... ..... ..... .#... ..... ..... ..... ..... ..... ..... ...#. ..#.. .#... .....      "
    "..... ..... ..... ..... .#... ..... ..... ..... ..... ..... ..... ..#.. ..#.. ..#.. .....      "
    "####. .#### #.##. .#### ####. #...# #...# #...# #...# #...# ##### ..#.. ..#.. ..#.. .#..#      "
    "#...# #...# ##..# #.... .#... #...# #...# #...# .#.#. #...# ...#. .#... ..#.. ...#. #.#.#      "
    "#...# #...# #.... .###. .#... #...# #...# #.#.# ..#.. #...# ..#.. ..#.. ..#.. ..#.. #..#.      "
    "#...# #...# #.... ....# .#..# #..## .#.#. #.#.# .#.#. #...# .#... ..#.. ..#.. ..#.. .....      "
    "####. .#### #.... ####. ..##. .##.# ..#.. .#.#. #...# .#### ##### ...#. ..#.. .#... .....      "
    "#.... ....# ..... ..... ..... ..... ..... ..... ..... ....# ..... ..... ..#.. ..... .....      "
    "#.... ....# ..... ..... ..... ..... ..... ..... ..... .###. ..... ..... ..... ..... .....      "};

}  // namespace

bool glyph_pixel(char character, int x, int y) {
    if (x < 0 || x >= glyph_width || y < 0 || y >= glyph_height) return false;
    const int index = (character >= 32 && character <= 126 ? character : '?') - 32;
    const int column = index % glyphs_in_line * glyph_advance + x;
    return sheet[index / glyphs_in_line][size_t(y * sheet_width + column)] == '#';
}

namespace {

using Rgb = std::array<double, 3>;

constexpr int page = 256;  // pixels; a larger image repeats the page, every other one white on black
constexpr int art_size = 16;

// '.' paper, k ink, and colours by letter.
constexpr std::string_view cat =
    "..kk........kk.."
    ".kook......kook."
    ".kowok....kowok."
    ".kowookkkkoowok."
    ".kooooooooooook."
    "kooooooooooooook"
    "kooowkooookwoook"
    "koookkooookkoook"
    "koookkooookkoook"
    "kooooooooooooook"
    "koooooorrooooook"
    "korokookkookorok"
    "kooookkookkooook"
    ".kooooooooooook."
    "..kkooooooookk.."
    "....kkkkkkkk....";
constexpr std::string_view lighthouse =
    ".......kk......."
    "......krrk......"
    ".....krrrrk....."
    ".....kkkkkk....."
    "yyyyykyykykyyyyy"
    "..yyykyykykyyy.."
    "....kkkkkkkk...."
    ".....kwwwwk....."
    ".....krrrrk....."
    ".....krrrrk....."
    "....kwwwwwwk...."
    "....kwwkkwwk...."
    "....krrkkrrk...."
    "...krrrkkrrrk..."
    "bbbggggggggggbbb"
    "bbbbbggggggbbbbb";
constexpr std::string_view fish =
    "................"
    "......kkkk......"
    ".....kbbbbk....."
    "....kkkkkkkkk..."
    "kk.kttttttttkk.."
    "ktkttttttttttkk."
    "kttttytytyttwktk"
    ".kttytytytttkktk"
    ".ktttytytytttttk"
    "kttttttytytttkk."
    "ktktttttttttttk."
    "kk.kttttttttkk.."
    "....kkkkkkkk...."
    ".....kbbk......."
    "......kk........"
    "................";
constexpr std::string_view lens =
    "....kkkkk......."
    "..kktttttkk....."
    ".ktwwttttttk...."
    ".ktwttrrtttk...."
    "ktwtttrrttttk..."
    "ktttyyttbbttk..."
    "ktttyyttbbttk..."
    "ktttttggttttk..."
    "ktttttggttttk..."
    ".kttttttttwk...."
    ".ktttttttwtk...."
    "..kktttttkkok..."
    "....kkkkk.kook.."
    "...........kook."
    "............kook"
    ".............kk.";

static_assert(cat.size() == 256 && lighthouse.size() == 256 && fish.size() == 256 && lens.size() == 256);

constexpr Rgb ink{0.07, 0.08, 0.10}, paper{0.97, 0.96, 0.93};

Rgb colour_named(char letter) {
    switch (letter) {
        case 'k': return ink;
        case 'w': return {1.0, 1.0, 1.0};
        case 'o': return {0.93, 0.60, 0.24};
        case 'r': return {0.84, 0.22, 0.22};
        case 'y': return {0.98, 0.85, 0.35};
        case 'g': return {0.28, 0.58, 0.32};
        case 'b': return {0.20, 0.42, 0.78};
        case 't': return {0.55, 0.83, 0.86};
        default: return paper;
    }
}

struct Line {
    int top, scale;
    std::string_view text;
};

constexpr Line lines[] = {
    {8, 3, "Aa Rg 0123 &"},
    {42, 2, "between samples"},
    {66, 1, "A sample is a point, no little square:"},
    {77, 1, "what lies between is our own choice."},
    {88, 1, "Hold it up close: blur, jaggies, halos."},
    {104, 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ & 0123456789"},
    {115, 1, "abcdefghijklmnopqrstuvwxyz #@%$*+-=/\\"},
    {126, 1, "(<[{|}]>) ~^_` .,:;!?'\""},
};

bool text_at(int x, int y) {
    for (const Line& line : lines) {
        const int row = (y - line.top) / line.scale, column = (x - 8) / line.scale;
        if (x < 8 || y < line.top || row >= glyph_height) continue;
        const size_t index = size_t(column / glyph_advance);
        return index < line.text.size() && glyph_pixel(line.text[index], column % glyph_advance, row);
    }
    return false;
}

// The drawings side by side, at three times, twice and once their size. ' ' outside them.
char art_at(int x, int y) {
    constexpr std::array<std::string_view, 4> drawings{cat, lighthouse, fish, lens};
    constexpr int pitch = 61;
    for (const auto& [top, size] : {std::array{142, 3}, std::array{197, 2}, std::array{236, 1}}) {
        const int column = x - 8, row = (y - top) / size;
        if (y < top || row >= art_size || column < 0) continue;
        const int index = column / pitch, in_x = column % pitch / size;
        if (index < 4 && in_x < art_size) return drawings[size_t(index)][size_t(row * art_size + in_x)];
    }
    return ' ';
}

}  // namespace

Image make_text(const PicturePart& part) {
    return painted<uint8_t, 3>(part, [](int x, int y) {
        const bool light_on_dark = (x / page + y / page) & 1;
        const Rgb& front = light_on_dark ? paper : ink;
        const Rgb& back = light_on_dark ? ink : paper;
        const int in_x = x % page, in_y = y % page;
        const char letter = art_at(in_x, in_y);
        if (letter == '.' || letter == ' ') return text_at(in_x, in_y) ? front : back;
        return colour_named(letter);
    });
}

}  // namespace texelscope
