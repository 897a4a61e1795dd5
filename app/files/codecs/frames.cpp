#include "app/files/codecs/frames.h"

#include "app/files/bytes/chosen_parts.h"
#include "app/files/bytes/turned_rows.h"

namespace texelscope {

void show_canvas(Image canvas, const PictureChoice& choice, PictureFacts facts, DecodingTarget& target) {
    const ChosenChannels channels = chosen_channels(choice, usual_channel_names(4, Alpha::straight), 3);
    facts.channels = channels.which;
    facts.upright = choice.upright;
    if (!canvas.missing().empty())
        facts.missing = turned(canvas.missing(), canvas.width(), canvas.height(), turn_of(facts));
    Image& image = target.begin(
        turned_shape(canvas.width(), canvas.height(), channels, canvas.type(), Alpha::straight, facts), facts);
    place_rows({canvas.data(), canvas.width(), 0, canvas.height(), 4, channels.which}, turn_of(facts), image);
    image.set_missing(facts.missing);
}

}  // namespace texelscope
