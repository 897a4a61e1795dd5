#!/usr/bin/env python3
"""Computes the numbers that the built-in lessons claim, from formulas in float64, and compares.

    check_lesson_numbers.py ROOT                 status 1 and one line for each number that is wrong or that no row computes
    check_lesson_numbers.py ROOT --pictures PROGRAM  the numbers about test images and many turns; 77 if NumPy is missing
    check_lesson_numbers.py --self-test          plants faults in a scratch tree and demands that each one is found

A row of lesson_numbers.txt is `LESSON#STEP | words of the step`, in which {expression} stands for each number that is computed;
it must be the value, rounded to the digits that are written. Numbers that stand in the row itself are given: a place, a parameter, a
value to compute with. BY names the C++ test that computes all of a step. Every number of a lesson with a decimal point or before
%, dB, times and the like must be in a row, in a step of BY, or in a time that check_quoted_times.py compares. What a difference
is amplified by is compared with the step's state."""

import json
import math
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "structure"))
from checking import Planted, main

NUMBER = r"[−-]?\d+(?:\.\d+)?(?:/\d+)?"
CLAIM = re.compile(r"(?<![\w.,±])(?<!± )[−-]?(?:\d+\.\d+(?![\w²])|\d+(?=[ \u00a0](?:%|dB|times|grey levels|fetches)\b|[ \u00a0]%))")

# Weight functions.


def keys(a):
    return lambda x: ((a + 2) * abs(x) ** 3 - (a + 3) * x * x + 1 if abs(x) < 1 else
                      a * (abs(x) ** 3 - 5 * x * x + 8 * abs(x) - 4) if abs(x) < 2 else 0.0)


def spline(degree):
    """B-splines by differences of truncated powers."""
    n = degree + 1

    def weight(x):
        return sum((-1) ** k * math.comb(n, k) * max(n / 2 - abs(x) - k, 0.0) ** degree for k in range(n + 1)) / math.factorial(degree)
    return weight


def mitchell(x):
    x = abs(x)
    return ((7 * x ** 3 - 12 * x * x + 16 / 3) / 6 if x < 1 else (-7 / 3 * x ** 3 + 12 * x * x - 20 * x + 32 / 3) / 6 if x < 2 else 0.0)


def sinc(x):
    return 1.0 if x == 0 else math.sin(math.pi * x) / (math.pi * x)


def lanczos(n):
    raw = lambda x: sinc(x) * sinc(x / n) if abs(x) < n else 0.0
    return lambda x: raw(x) / sum(raw(x - k) for k in range(math.floor(x) - n, math.floor(x) + n + 2)) if raw(x) else 0.0


bilinear, cubic, quintic, catmull = (lambda x: max(1 - abs(x), 0.0)), spline(3), spline(5), keys(-0.5)
z = math.sqrt(3) - 2


# Prefilters: b(k), of the exact inverse of what the weights do at samples, or of its 2n + 1 central ones.

def at_samples(weight, f):
    return sum(weight(k) * math.cos(2 * math.pi * f * k) for k in range(-3, 4))


def inverse(weight, length=128):
    half = [1 / at_samples(weight, j / (2 * length)) for j in range(2 * length)]
    b = [sum(h * math.cos(math.pi * j * k / length) for j, h in enumerate(half)) / (2 * length) for k in range(41)]
    return {k: b[abs(k)] for k in range(-40, 41)}


def fir(taps):
    b = {k: z ** abs(k) for k in range(-(taps // 2), taps // 2 + 1)}
    return {k: v / sum(b.values()) for k, v in b.items()}


NONE = {0: 1.0}


def response(weight, b, f, t):
    """What a wave is multiplied with at the fraction t, real and imaginary part."""
    gain = sum(v * math.cos(2 * math.pi * f * k) for k, v in b.items())
    parts = [(weight(t - k), 2 * math.pi * f * (k - t)) for k in range(-5, 7)]
    return gain * sum(w * math.cos(p) for w, p in parts), gain * sum(w * math.sin(p) for w, p in parts)


def errors(weight, b, f, steps=64):
    return [math.hypot(re - 1, im) for re, im in (response(weight, b, f, (i + 0.5) / steps) for i in range(steps))]


def rms(weight, b, f):
    return math.sqrt(sum(e * e for e in errors(weight, b, f)) / 64 / 2)


def order_constant(weight, b, order, f=1 / 64):
    return max(errors(weight, b, f, 200)) / (2 * math.pi * f) ** order


def cardinal(weight, b, x):
    return sum(v * weight(x - k) for k, v in b.items())


def overshoot(weight, b=NONE):
    """Beyond a step from 0 to 1, as a part of it."""
    c = {k: sum(v for j, v in b.items() if j <= k) for k in range(-12, 20)}
    return max(sum(c[k] * weight(x - k) for k in range(math.floor(x) - 4, math.floor(x) + 6)) for x in (i / 200 for i in range(800))) - 1


def gain(weight, b, f):
    """Of the method: the Fourier transform of its even weights, by Simpson's rule between knots, and the prefilter's."""
    n, total = 16, 0.0
    for knot in (k / 2 for k in range(6)):
        for i in range(n + 1):
            x = knot + i / (2 * n)
            inside = min(max(x, knot + 1e-12), knot + 0.5 - 1e-12)
            total += (1 if i in (0, n) else 4 if i % 2 else 2) * weight(inside) * math.cos(2 * math.pi * f * x) / (3 * n)
    return total * sum(v * math.cos(2 * math.pi * f * k) for k, v in b.items())


def directions(weight, b, f=0.25, steps=90):
    """The loss of a grating in dB, on average over all directions."""
    turned = [(f * math.cos(math.pi / 2 * (i + 0.5) / steps), f * math.sin(math.pi / 2 * (i + 0.5) / steps)) for i in range(steps)]
    return -sum(20 * math.log10(abs(gain(weight, b, x) * gain(weight, b, y))) for x, y in turned) / steps


def after_turns(weight, b, f, turns=36):
    """What a grating has of its amplitude after turns by 10°."""
    kept = 1.0
    for n in range(turns):
        angle = math.radians(10 * n)
        kept *= abs(gain(weight, b, f * math.cos(angle)) * gain(weight, b, f * math.sin(angle)))
    return kept


def damping(taps):
    """The least that is left of a wave at samples."""
    return min(sum(v * math.cos(math.pi * j * k / 200) for k, v in fir(taps).items()) * at_samples(cubic, j / 400) for j in range(201))


def boost(taps):
    """The largest gain of the cubic B-spline with so many taps of its prefilter."""
    return max(gain(cubic, fir(taps), f / 400) for f in range(20, 100))


def linear(stored):
    return ((stored + 0.055) / 1.055) ** 2.4


def stored(light):
    return 1.055 * light ** (1 / 2.4) - 0.055


def fraction_range(weight):
    pairs = [(weight(1 + t), weight(t)) for t in (i / 1000 for i in range(1, 1000))]
    return min(b / (a + b) for a, b in pairs), max(b / (a + b) for a, b in pairs)


def gibbs():
    """The largest value of ∫ sinc beyond a jump from 0 to 1, less 1."""
    n = 2000
    return 0.5 + sum((sinc((i + 0.5) / n)) / n for i in range(n)) - 1


exact3, exact5 = inverse(cubic), inverse(quintic)


TABLE = "tests/docs/lesson_numbers.txt"

# Steps whose numbers a C++ test computes from what their panes show.
BY = {"03#6": "AllLessons.HalfASampleOutweighsTheMethod", "17#1": "Pitfalls.EqualPsnrOfBlocksAndFog",
      "17#3": "Pitfalls.AMovedPictureLosesAgainstABlurredOne", "17#4": "Pitfalls.ABorderDecides",
      "17#5": "Pitfalls.ABorderDecides", "17#6": "Pitfalls.AFlatSkyPays"}


def steps_of(path):
    """The words of each step, and the gain of the difference that its state has, by "LESSON#STEP"."""
    steps, gains, place, block, state = {}, {}, None, None, ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            if block == "state" and '"gain"' in state:
                gains.setdefault(place, float(re.search(r'"gain": ([0-9.]+)', state)[1]))
            block, state = (None if block else line[3:]), ""
        elif block:
            state += line
        elif line.startswith("## "):
            place = f"{path.name[:2]}#{sum(p.startswith(path.name[:2]) for p in steps) + 1}"
            steps[place] = [line[3:]]
        elif place:
            steps[place].append(line)
    words = {p: " ".join(re.sub(r"(?<!\\)\*", "", " ".join(lines)).split()) for p, lines in steps.items()}
    return words, gains


def value_of(number):
    above, _, below = number.replace("−", "-").partition("/")
    return float(above) / float(below or 1)


def is_rounded(number, value):
    """Whether the value, rounded to its digits, is the number; a fraction is compared to half a percent."""
    if "/" in number:
        return abs(value_of(number) - value) <= 0.005 * abs(value)
    return abs(value_of(number) - value) <= 0.5 * 10 ** -len(number.partition(".")[2]) + 1e-9


def pieces_of(row):
    """A row's words with a group for each number that is computed, and the expressions."""
    parts = re.split(r"\{([^{}]*)\}", row)
    return re.compile("".join(re.escape(p) if i % 2 == 0 else f"({NUMBER})" for i, p in enumerate(parts))), parts[1::2]


# What expressions about pictures begin with: they are computed by --pictures.
OF_PICTURES = re.compile(r"\{(?:random_|hardware_error|turned)")


def check_rows(root, steps, names, of_pictures, problems):
    """Compares; returns what the rows cover, by place."""
    covered = {}
    for line in (root / TABLE).read_text(encoding="utf-8").splitlines():
        place, row = line.split(" | ", 1)
        pattern, expressions = pieces_of(row)
        found = list(pattern.finditer(steps.get(place, "")))
        covered.setdefault(place, []).extend(m.span() for m in found)
        if bool(OF_PICTURES.search(row)) != of_pictures:
            continue
        if not found:
            problems.append(f"{place}: does not contain: {row}")
        for match in found:
            for number, expression in zip(match.groups(), expressions):
                value = eval(expression, names)
                if not is_rounded(number, value):
                    problems.append(f"{place}: {number} is {value:.6g} ({expression})")
    return covered


WORDS = {"sixteen": 16, "twenty": 20}
AMPLIFIED = re.compile(r"amplified (\d+|sixteen|twenty) times|gain of (\d+)")


def check(root, by=BY):
    problems, steps, gains = [], {}, {}
    for path in sorted((root / "assets/lessons").glob("*.md")):
        words, amplified = steps_of(path)
        steps |= words
        gains |= amplified
    names = globals() | {"gain_of": gains.get}
    covered = check_rows(root, steps, names, False, problems)
    tests = "".join(p.read_text(encoding="utf-8") for p in (root / "tests/viewer/lessons").glob("*.cpp"))
    for place, test in by.items():
        if not re.search(r"TEST(?:_F)?\(%s, %s\)" % tuple(test.split(".")), tests):
            problems.append(f"{place}: there is no test {test}")
    times = root / "assets/lessons/times.json"
    quotes = json.loads(times.read_text(encoding="utf-8"))["quotes"] if times.is_file() else []
    for place, words in steps.items():
        spans = covered.get(place, []) + [m.span() for m in re.finditer(r"`[^`]*`", words)]
        for quote in quotes:
            if quote["file"].startswith(f"assets/lessons/{place[:2]}-"):
                spans += [m.span() for m in re.finditer(re.escape(re.sub(r"\*", "", quote["text"])), words)]
        for match in CLAIM.finditer(words):
            if place not in by and not any(begin <= match.start() and match.end() <= end for begin, end in spans):
                problems.append(f"{place}: no row computes {match.group()}: …{words[max(match.start() - 40, 0):match.end() + 20]}…")
        for match in AMPLIFIED.finditer(words):
            said = match[1] or match[2]
            if float(WORDS.get(said) or said) != gains.get(place):
                problems.append(f"{place}: \"{match.group()}\", but the state's gain is {gains.get(place)}")
    return problems


# What test images give.

def check_pictures(root, program):
    import subprocess
    import tempfile
    import numpy as np

    folder = tempfile.TemporaryDirectory()

    def made(*words):
        out = pathlib.Path(folder.name) / "out.npy"
        subprocess.run([program, "render", *words, "-o", str(out)], check=True, capture_output=True)
        image = np.load(out).astype(np.float64)
        return 255 * (image[..., 0] if image.ndim == 3 else image)

    def hardware_error(image, size, zoom, place):
        """Of four fetches against exact taps: RMS and largest."""
        view = [image, "--size", size, "--zoom", str(zoom), "--translate", place]
        off = made(*view, "--method", "bspline:path=hardware") - made(*view, "--method", "bspline:path=lookup")
        return math.sqrt((off ** 2).mean()), abs(off).max()

    def omoms(x):
        x = abs(x)
        return (x ** 3 / 2 - x * x + x / 14 + 13 / 21 if x < 1 else
                -x ** 3 / 6 + x * x - 85 / 42 * x + 29 / 21 if x < 2 else 0.0)

    methods = {"nearest": (1, lambda x: float(-0.5 <= x < 0.5), None), "bilinear": (2, bilinear, None), "catmull": (4, catmull, None),
               "cubic": (4, cubic, exact3), "fir7": (4, cubic, fir(7)), "fir11": (4, cubic, fir(11)), "fir15": (4, cubic, fir(15)),
               "omoms": (4, omoms, inverse(omoms)), "quintic": (6, quintic, exact5)}
    done = {}

    def turned(name, turns=36, angle=10):
        """RMS in the central disc after all turns, each from the result of the last, mirrored at the edges."""
        if name in done:
            return done[name]
        taps, weight, b = methods[name]
        original = made("@natural:512", "--method", "nearest")
        n = original.shape[0]
        middle, a = (n - 1) / 2, math.radians(angle)
        j, i = np.mgrid[0:n, 0:n] - middle
        x, y = middle + math.cos(a) * i - math.sin(a) * j, middle + math.sin(a) * i + math.cos(a) * j

        def axis(p):
            first = np.floor(p if taps % 2 == 0 else p + 0.5).astype(int) - (taps - 1) // 2
            each = np.vectorize(weight, otypes=[float])
            index = first[..., None] + np.arange(taps)
            mirrored = np.where(index % (2 * n) < n, index % (2 * n), 2 * n - 1 - index % (2 * n))
            return mirrored, np.stack([each(p - first - k) for k in range(taps)], axis=-1)

        (column, wx), (row, wy) = axis(x), axis(y)

        def prefiltered(image):
            if b is None:
                return image
            for _ in range(2):
                whole = np.fft.rfft(np.concatenate([image, image[::-1]]), axis=0)
                f = np.arange(whole.shape[0]) / (2 * n)
                response = sum(v * np.cos(2 * np.pi * f * k) for k, v in b.items())
                image = np.fft.irfft(whole * response[:, None], axis=0)[:n].T
            return image

        image = original
        for _ in range(turns):
            c = prefiltered(image)
            image = sum(wy[..., m] * sum(wx[..., k] * c[row[..., m], column[..., k]] for k in range(taps)) for m in range(taps))
        disc = i ** 2 + j ** 2 <= (0.45 * n) ** 2
        done[name] = math.sqrt(((image - original)[disc] ** 2).mean())
        return done[name]

    steps = {}
    for path in (root / "assets/lessons").glob("*.md"):
        steps |= steps_of(path)[0]
    problems = []
    names = {"hardware_error": hardware_error, "turned": turned, "random_row": made("@random:12x1", "--method", "nearest")[0],
             "random_square": made("@random:4", "--method", "nearest")}
    check_rows(root, steps, names, True, problems)
    return problems


LESSON = "# T\n\n## S\n\nIt is {} or 7.25 %, amplified {} times.\n\n```state\n{{\"difference\": {{\"gain\": 16}}}}\n```\n"
CLEAN = {"assets/lessons/01-a.md": LESSON.format("0.667", 16), TABLE: "01#1 | It is {2/3} or 7.25 %, amplified 16",
         "assets/lessons/02-b.md": "# U\n\n## S\n\nAbout 3.5 dB.\n", "tests/viewer/lessons/t.cpp": "TEST(A, B) {"}


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[2] == "--pictures":
        try:
            import numpy
        except ImportError as missing:
            print(f"skipped: {missing}")
            sys.exit(77)
        wrong = check_pictures(pathlib.Path(sys.argv[1]), sys.argv[3])
        print("\n".join(wrong) or "every number about pictures is as computed")
        sys.exit(1 if wrong else 0)
    main(__doc__, check, "every number is as computed", CLEAN, [
        Planted("a number that is wrong", {"assets/lessons/01-a.md": LESSON.format("0.668", 16)}, "01#1: 0.668 is"),
        Planted("a number that no row computes", {"assets/lessons/03-c.md": "# V\n\n## S\n\nAbout 3.5 dB.\n"}, "03#1: no row computes 3.5"),
        Planted("words that are gone", {"assets/lessons/01-a.md": LESSON.format("", 16)}, "01#1: "),
        Planted("another gain", {"assets/lessons/01-a.md": LESSON.format("0.667", 8)}, "01#1: "),
        Planted("a C++ test that is gone", {"tests/viewer/lessons/t.cpp": "// by nothing"}, "02#1: there is no test A.B"),
    ], lambda root: check(root, {"02#1": "A.B"}))
