#pragma once
// The parts of a file: which one and which channels are chosen, and the pieces that a picture is decoded by.

#include <array>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/files/bytes/file_io.h"
#include "app/files/decoding/decoder.h"
#include "gpu/core/tile_source.h"

namespace texelscope {

// From a choice in words to the part and the channels of a file.

// Longer lists are cut: a part beyond them is chosen by its number.
inline constexpr int most_listed_parts = 1000;

// From 0, among `count` parts, of which the first ones are listed; or the part with a layer of that name. Throws Error if
// there is none.
int chosen_part(const PictureChoice& choice, const std::vector<PictureFacts::Part>& listed, int count);

struct ChosenChannels {
    std::vector<int> which;  // 1 to 4, from 0
    bool alpha = false;      // the last of them
};

// The channels to read of the layer that is chosen as part. By default R, G, B and alpha if the layer has these names,
// else its first channels up to alpha. `alpha_channel`: −1 if there is none. Throws Error if there is no such channel.
ChosenChannels chosen_channels(const PictureChoice& choice, const std::vector<std::string>& names, int alpha_channel);

// For formats that do not name them: Y, YA, RGB, RGBA; plain data are numbered.
std::vector<std::string> usual_channel_names(int channels, Alpha alpha);

// The facts of a file with one picture, whose channels have the usual names. Throws Error if another part is chosen.
PictureFacts facts_of_single(const PictureChoice& choice, int width, int height, int channels, Alpha alpha);

// Accepts only a whole single picture, read as it lies. Throws Error for another part, NotInParts for chosen channels.
void check_unchosen(const PictureChoice& choice);

struct ChosenPicture {
    PictureFacts facts;
    ChosenChannels channels;
};

// The chosen one among `pictures` pictures of one shape, whose channels have the usual names. Throws Error if there is
// no such part or channel.
ChosenPicture chosen_picture(const PictureChoice& choice, const PictureShape& stored, int pictures, int orientation);

// The orientation by which it is turned.
inline int turn_of(const PictureFacts& facts) { return facts.upright ? facts.orientation : 1; }

// The shape once it is turned, from the file's width and height.
PictureShape turned_shape(int width, int height, const ChosenChannels& channels, SampleType type, Alpha alpha,
                          const PictureFacts& facts);

// Does to a whole picture what a choice asks for; `facts`, unless null, become those of facts_of_single.
Image chosen_from(Image image, const PictureChoice& choice, PictureFacts* facts = nullptr);

// Layers within one part of a file: channels whose names begin alike, as OpenEXR has them: diffuse.R, diffuse.G, diffuse.B.

// "diffuse" of "diffuse.R"; "" of "R".
std::string_view layer_name(std::string_view channel);

struct ChannelLayer {
    std::string name;                   // empty: of the channels without a layer
    std::vector<std::string> channels;  // all of them, as stored
};

// In the order of their first channels, those without a layer first.
std::vector<ChannelLayer> layers_of(const std::vector<std::string>& channels);

// The 1 to 4 channels of a layer that are seen together: R, G, B and A if it has them, else its first ones. None if there
// is no such layer.
std::vector<std::string> channels_of_layer(const std::vector<std::string>& channels, std::string_view layer);

// Whether the last of these is "A" of the layer that the others belong to.
bool ends_in_alpha_of_layer(const std::vector<std::string>& channels);

// What an image is decoded by: pieces of it, of which the last ones used are kept.

struct Piece {
    SampleRegion region;
    Bytes samples = {};  // row by row without gaps
};

// Copies what both have in common; the region's rows begin `row_bytes` apart at `to`.
void copy_common(const Piece& piece, const SampleRegion& region, size_t pixel_bytes, std::byte* to, size_t row_bytes);

// The side of square tiles that are read most cheaply if pieces of this size are decoded.
int tile_of_pieces(int piece_width, int piece_height);

class KeptPieces {
public:
    using Place = std::array<int, 3>;  // level, and where in it

    explicit KeptPieces(size_t budget = 0) : budget_(budget) {}
    void set_budget(size_t bytes) { budget_ = bytes; }

    // Made by `decode` unless it is there; valid until the next one.
    template <class Decode> const Piece& at(const Place& place, const Decode& decode) {
        if (const auto found = places_.find(place); found != places_.end()) {
            pieces_.splice(pieces_.begin(), pieces_, found->second);
            return pieces_.front().second;
        }
        return keep(place, decode());
    }

private:
    using Pieces = std::list<std::pair<Place, Piece>>;

    const Piece& keep(const Place& place, Piece piece);

    size_t budget_, kept_ = 0;  // bytes
    Pieces pieces_;             // the last one used first
    std::map<Place, Pieces::iterator> places_;
};

// Regions are all that some readers need: the whole picture is made of them.

// From the first row to the last, in bands of whole tiles. Throws what reading and the target throw.
void read_whole(const TileSource& source, const PictureFacts& facts, DecodingTarget& target);

}  // namespace texelscope
