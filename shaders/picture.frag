#version 330 core
// The picture: a pixel of the screen for each pixel of the rendering, or the difference of two renderings.

#ifdef FROM_TEXTURE
uniform sampler2D rendering_a;
uniform sampler2D rendering_b;
#else
uniform samplerBuffer renderings;  // all renderings one after the other, rows from top to bottom
uniform int offset_a;              // texels
uniform int offset_b;
#endif

uniform ivec2 origin;         // of the picture in the framebuffer, from its lower left corner
uniform ivec2 size;           // of the picture
uniform int difference;       // 1: |A − B| · gain
uniform float gain;
uniform ivec2 loupe_centre;   // pixel of the picture, y down
uniform int loupe_radius;     // pixels; 0: no loupe
uniform int loupe_magnification;

out vec4 colour;

#ifdef FROM_TEXTURE
vec3 a_at(ivec2 p) { return texelFetch(rendering_a, p, 0).rgb; }
vec3 b_at(ivec2 p) { return texelFetch(rendering_b, p, 0).rgb; }
#else
vec3 a_at(ivec2 p) { return texelFetch(renderings, offset_a + p.y * size.x + p.x).rgb; }
vec3 b_at(ivec2 p) { return texelFetch(renderings, offset_b + p.y * size.x + p.x).rgb; }
#endif

// The pixel that the loupe shows at p. The cursor is amid the block of its own pixel.
ivec2 under_loupe(ivec2 p) {
    ivec2 away = p - loupe_centre;
    if (max(abs(away.x), abs(away.y)) >= loupe_radius) return p;
    return loupe_centre + ivec2(floor(vec2(away + loupe_magnification / 2) / float(loupe_magnification)));
}

void main() {
    ivec2 p = ivec2(gl_FragCoord.xy) - origin;
    p.y = size.y - 1 - p.y;
    p = under_loupe(p);
    if (any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, size))) {
        colour = vec4(vec3(32.0 / 255.0), 1.0);
        return;
    }
    vec3 shown = a_at(p);
    if (difference != 0) shown = abs(shown - b_at(p)) * gain;
    colour = vec4(shown, 1.0);
}
