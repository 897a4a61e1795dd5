// A decoder's side of regions: the file stays open, and each region that is asked for goes into memory of the program.

#include <memory>
#include <tuple>
#include <utility>

#include "app/files/decoding/not_in_parts.h"
#include "app/files/decoding/worker_parts.h"

namespace texelscope::decoding {
namespace {

using Kind = Message::Kind;

void tell_source(int socket, const TileSource& source, Message& claim) {
    Message message;
    message.kind = Kind::level;
    for (int level = 0; level < source.levels(); ++level) {
        const Extent extent = source.level_extent(level);
        message.width = extent.width;
        message.height = extent.height;
        send(socket, message);
    }
    const ImageInfo& info = source.info();
    claim.kind = Kind::claim;
    claim.width = info.width;
    claim.height = info.height;
    claim.channels = info.channels;
    claim.type = int32_t(info.type);
    claim.alpha = int32_t(info.alpha);
    claim.rows = source.tile();
    claim.frame = info.frame.value_or(SampleRegion{});
}

// Null, and the reason has been sent, if it cannot be opened.
std::unique_ptr<const TileSource> opened(int socket, const EncodedFile& file, const Decoder& decoder,
                                         Printed& printed) {
    std::unique_ptr<const TileSource> source;
    const Message said = outcome([&](Message& message) {
        try {
            if (!decoder.open_regions) throw NotInParts(fmt::format("it is a {} file", file.format_name));
            auto made = decoder.open_regions(file);
            if (const std::string complaint = printed.complaint(); !complaint.empty())
                throw Error(fmt::format("the {} is damaged ({})", file.format_name, complaint));
            tell_source(socket, *made, message);
            source = std::move(made);
        } catch (const NotInParts& why) {
            message.kind = Kind::whole;
            message.set_text(why.what());
        }
    });
    send(socket, said);
    return source;
}

}  // namespace

void serve_regions(int socket, const EncodedFile& file, const Decoder& decoder, Printed& printed,
                   const Permission& permission) {
    const auto source = opened(socket, file, decoder, printed);
    const Received given = source ? receive(socket) : Received();
    if (given.what != Received::What::message || given.descriptors.size() != 1) ::_exit(0);
    const Mapped memory(given.descriptors[0].number(), PROT_READ | PROT_WRITE);
    const ImageInfo& info = source->info();
    const size_t pixel = size_t(info.channels) * size_t(bytes_per_sample(info.type));
    for (;;) {
        const Received asked = receive(socket);
        if (asked.what != Received::What::message || asked.message.kind != Kind::region) ::_exit(0);
        permission.give(asked.message);
        static_cast<void>(printed.complaint());  // about another region
        send(socket, outcome([&](Message&) {
                 const auto& [x, y, width, height] =
                     std::tie(asked.message.x, asked.message.y, asked.message.width, asked.message.height);
                 const size_t row_bytes = size_t(std::max(width, 0)) * pixel;
                 if (row_bytes * size_t(std::max(height, 0)) > memory.bytes) throw Error("the region is too large");
                 source->read(asked.message.part, {x, y, width, height}, memory.begin(), row_bytes);
                 if (const std::string complaint = printed.complaint(); !complaint.empty())
                     throw Error(fmt::format("the {} is damaged ({})", file.format_name, complaint));
             }));
    }
}

}  // namespace texelscope::decoding
