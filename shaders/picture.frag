#version 330 core
// A picture: one pixel of the screen for each pixel of the rendering.

#ifdef FROM_TEXTURE
uniform sampler2D rendering;
#else
uniform samplerBuffer renderings;  // all renderings one after another, rows from top to bottom
uniform int offset;                // of this one, texels
#endif

uniform ivec2 origin;         // of the picture in the framebuffer, from its lower left corner
uniform ivec2 size;           // of the picture
#ifdef LOUPE
uniform ivec2 loupe_centre;   // pixel of the picture, y down
uniform int loupe_radius;     // pixels
uniform int loupe_magnification;
#endif

out vec4 colour;

#ifdef FROM_TEXTURE
vec3 pixel_at(ivec2 p) { return texelFetch(rendering, p, 0).rgb; }
#else
vec3 pixel_at(ivec2 p) { return texelFetch(renderings, offset + p.y * size.x + p.x).rgb; }
#endif

#ifdef LOUPE
// The pixel that the loupe shows at p. The cursor is in the middle of the block of its own pixel.
ivec2 under_loupe(ivec2 p) {
    ivec2 away = p - loupe_centre;
    if (max(abs(away.x), abs(away.y)) >= loupe_radius) return p;
    return loupe_centre + ivec2(floor(vec2(away + loupe_magnification / 2) / float(loupe_magnification)));
}
#endif

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy) - origin;
    p.y = size.y - 1 - p.y;
#ifdef LOUPE
    p = under_loupe(p);
    if (any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, size))) {
        colour = vec4(vec3(32.0 / 255.0), 1.0);
        return;
    }
#endif
    colour = vec4(pixel_at(p), 1.0);
}
