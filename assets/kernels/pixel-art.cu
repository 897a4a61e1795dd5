//! name = Pixel art
//! parameter strength = 1 from 0 to 1
// Enlarges pixel art: each sample is a square, whose corner is cut off where a diagonal edge runs past it. An edge is found
// as xBR does, by comparing colours along both diagonals; the rest is simpler. The cut is as soft as a pixel of the output.
float apart(float4 a, float4 b) {
    float4 d = a - b;
    return fabsf(luma(d)) + 0.25f * (fabsf(d.x - d.y) + fabsf(d.z - d.y)) + fabsf(d.w);
}

float4 sample(Source s, double x, double y, Params p) {
    int i = whole(x + 0.5), j = whole(y + 0.5);
    float u = (float)(x - i), v = (float)(y - j);
    int right = u < 0 ? -1 : 1, down = v < 0 ? -1 : 1;  // towards the corner of this quarter of the square
    float4 here = s.tap(i, j), side = s.tap(i + right, j), below = s.tap(i, j + down),
           corner = s.tap(i + right, j + down);
    // Along the edge that would cut the corner off, and across it.
    float along = 4 * apart(side, below) + apart(here, s.tap(i + right, j - down)) +
                  apart(here, s.tap(i - right, j + down)) + apart(corner, s.tap(i + 2 * right, j)) +
                  apart(corner, s.tap(i, j + 2 * down));
    float across = 4 * apart(here, corner) + apart(below, s.tap(i - right, j)) + apart(side, s.tap(i, j - down)) +
                   apart(below, s.tap(i + right, j + 2 * down)) + apart(side, s.tap(i + 2 * right, j + down));
    if (along >= across) return here;
    float4 other = apart(here, side) < apart(here, below) ? side : below;
    float softness = fmaxf(0.02f, 0.7f * (float)s.scale);
    float cut = clamp((fabsf(u) + fabsf(v) - 0.5f) / softness + 0.5f, 0, 1);
    return lerp(here, other, p.strength * cut);
}
