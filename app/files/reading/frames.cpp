#include "app/files/reading/frames.h"

#include <algorithm>

#include "app/files/bytes/chosen_parts.h"
#include "app/files/bytes/turned_rows.h"
#include "app/files/codecs/apng.h"
#include "app/files/codecs/exif.h"
#include "app/files/codecs/gif.h"

namespace texelscope {
namespace {

void take(Image canvas, const PictureChoice& choice, PictureFacts facts, DecodingTarget& target) {
    const ChosenChannels channels = chosen_channels(choice, usual_channel_names(4, Alpha::straight), 3);
    facts.channels = channels.which;
    facts.upright = choice.upright;
    Image& image = target.begin(
        turned_shape(canvas.width(), canvas.height(), channels, canvas.type(), Alpha::straight, facts), facts);
    place_rows({canvas.data(), canvas.width(), 0, canvas.height(), 4, channels.which}, turn_of(facts), image);
}

}  // namespace

bool decode_frame(const Format& format, const PictureChoice& choice, ByteSpan file, DecodingTarget& target) {
    PictureFacts facts;
    if (format.id == FormatId::gif) {
        const int frames = count_gif_frames(file);
        const PictureFacts::Part part{"", int(le16(file, 6)), int(le16(file, 8)),
                                      usual_channel_names(4, Alpha::straight)};
        facts.parts.assign(size_t(std::min(frames, most_listed_parts)), part);
        facts.part = chosen_part(choice, facts.parts, frames);
        take(gif_frame(file, facts.part), choice, facts, target);
        return true;
    }
    if (format.id != FormatId::png || choice.part.empty()) return false;
    facts.parts = parts_of_png(file);
    facts.part = chosen_part(choice, facts.parts, int(facts.parts.size()));
    facts.orientation = stored_orientation(format, file);
    if (facts.part > 0) take(apng_frame(file, facts.part), choice, facts, target);
    return facts.part > 0;
}

}  // namespace texelscope
