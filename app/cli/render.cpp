// texelscope render IN -o OUT: one view of an image into a file.

#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/files/image_files.h"
#include "app/image_source.h"

namespace texelscope {
namespace {

struct RenderCommand {
    std::string input, output;
    std::optional<std::string> size, depth;
    ViewOptions view;
    MethodOptions method;

    void run() const {
        // Everything that can be refused is refused before anything is computed.
        RenderRequest request;
        request.spec = method.spec();
        request.view = view.view();
        request.outside = view.outside().value_or(Outside::extend);
        view.check_antialias();
        const BackendChoice choice = method.backend();
        WriteOptions write;
        if (depth) write.type = sample_type();
        check_output_name(output, write);
        Size wanted{0, 0};
        if (size) wanted = parse_size("--size", *size);

        const Image image = load_image(input);
        request.width = wanted.width ? wanted.width : image.width();
        request.height = wanted.height ? wanted.height : image.height();
        SourceImage source(make_backend(choice), image);
        const Image result = source.render_to_image(request);
        if (!write.type && image.type() == SampleType::u16 && holds_16_bits()) write.type = SampleType::u16;
        write_image(result, output, write);
    }

    SampleType sample_type() const {
        for (const SampleType type : {SampleType::u8, SampleType::u16, SampleType::f16, SampleType::f32})
            if (name_of(type) == *depth) return type;
        throw UsageError("--depth must be u8, u16, f16 or f32, not '" + *depth + "'");
    }

    // A 16-bit source keeps its depth in the formats that this build can write so.
    bool holds_16_bits() const {
        try {
            check_output_name(output, {SampleType::u16});
            return true;
        } catch (const UsageError&) {
            return false;
        }
    }
};

}  // namespace

void add_render(CLI::App& app) {
    auto* command = app.add_subcommand("render", "Draw one view of an image into a file");
    auto options = std::make_shared<RenderCommand>();
    command->add_option("IN", options->input, "Image file, or a built-in test image such as @zone-plate:512")->required();
    command->add_option("-o,--output", options->output, "Image file; its extension chooses the format")->required()->type_name("OUT");
    command->add_option("--size", options->size, "Size of the output; default: that of the image")->type_name("WxH");
    command->add_option("--depth", options->depth, "Samples of the output: u8, u16, f16 or f32; default: as the format and the image have it")
        ->type_name("TYPE");
    options->view.add_to(*command);
    options->method.add_to(*command);
    command->callback([options] { options->run(); });
}

}  // namespace texelscope
