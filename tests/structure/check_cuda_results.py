#!/usr/bin/env python3
"""Checks that no result of a CUDA call is dropped.

    check_cuda_results.py ROOT         every source below ROOT/gpu; status 1 and one line for each violation
    check_cuda_results.py --self-test  plants violations in a scratch tree and demands that each one is found

A call of a CUDA function (cudaMalloc, cuStreamQuery, …), or of one of ours that returns cudaError_t, must not be a
statement by itself, nor be cast to void: its result goes to cuda_check, to cuda_ignore if a failure has no
consequence, or into a comparison. Kernels are launched by launch_kernel, which reports: <<<…>>> returns nothing.
"""

import re

from checking import Planted, main

SUFFIXES = {".h", ".hpp", ".inl", ".cuh", ".cpp", ".cc", ".cu", ".c"}

CUDA_CALL = re.compile(r"\b(?:cuda[A-Z]\w*|cu[A-Z][a-z]\w*)(?=\s*\()")
NO_ERROR = re.compile(r"^(cudaCreateChannelDesc|cudaGetErrorString|cudaGetErrorName|make_cuda\w+)$")
OUR_FUNCTION = re.compile(r"\b(?:cudaError_t|CUresult)\s+(\w+)\s*\(")
CAST_TO_VOID = re.compile(r"(?:\(\s*void\s*\)|static_cast\s*<\s*void\s*>\s*\()\s*$")
LAUNCH = re.compile(r"<<<")

BEFORE_BLOCK = {"else", "do", "try", "const", "mutable", "noexcept", "override", "final"}

# cuda_check itself: the only place that clears a CUDA error that is reported or has no consequence.
FORGETS = {"gpu/core/cuda_check.h", "gpu/core/cuda_check.cpp"}
FORGETTING = "cudaGetLastError"


def without_comments_and_strings(text):
    """The same text, line by line, with comments and literals blanked."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', blank, text, flags=re.S)


def without_qualifier(before):
    """`before` without the `::`, `std::` or `object.` that belongs to the call."""
    return re.sub(r"(?:\w+\s*::|::|\w+\s*\.|\w+\s*->)\s*$", "", before.rstrip()).rstrip()


def closes_a_condition(before):
    """Whether the last parenthesis of `before` closes the one of if, for, while or switch."""
    depth = 0
    for at in range(len(before) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(before[at], 0)
        if depth == 0:
            return bool(re.search(r"\b(if|for|while|switch)(\s+constexpr)?\s*$", before[:at]))
    return False


def opens_list(before):
    """Whether a brace after `before` opens a list of values, not a block of statements."""
    before = before.rstrip()
    if before.endswith(":"):
        return innermost_bracket(before) == "("  # for (… : {…}); else a label
    if before.endswith(("=", "(", ",", "?")) or re.search(r"\breturn$", before):
        return True
    word = re.search(r"(->\s*[\w:<>,\s*&]*)?\b(\w+)$", before)  # a type, but not that of a function's result
    return bool(word) and not word.group(1) and word.group(2) not in BEFORE_BLOCK


def innermost_bracket(before):
    """The bracket that is open at the end of `before`, "{" for a block, "[" or "(" for a list of values; or nothing."""
    depth = 0
    for at in range(len(before) - 1, -1, -1):
        letter = before[at]
        if letter in ")]}":
            depth += 1
        elif letter in "([{":
            if depth == 0:
                return "(" if letter == "{" and opens_list(before[:at]) else letter
            depth -= 1
    return ""


def is_dropped(before):
    """Whether the code after `before` is a whole statement, or cast to void."""
    if CAST_TO_VOID.search(before):
        return True
    before = without_qualifier(before)
    if CAST_TO_VOID.search(before):
        return True
    if not before or before[-1] in ";}":
        return True
    if before[-1] == "{":
        return not opens_list(before[:-1])
    if before[-1] == ")":
        return closes_a_condition(before)
    if before[-1] == ",":
        return innermost_bracket(before) not in ("(", "[")
    if before[-1] == ":":  # a label; else the third operand of ?:, whose value is used where the whole is
        return not re.search(r"\?[^;{}]*:$", before)
    return bool(re.search(r"\b(else|do)$", before))


def check(root):
    root = root.resolve()
    violations = []
    texts = {}
    for path in sorted(p for p in (root / "gpu").rglob("*") if p.suffix in SUFFIXES):
        texts[path.relative_to(root).as_posix()] = without_comments_and_strings(path.read_text())
    for name, text in texts.items():
        ours = {match.group(1) for match in OUR_FUNCTION.finditer(text)}
        calls = re.compile("|".join([CUDA_CALL.pattern, *(rf"\b{re.escape(f)}(?=\s*\()" for f in sorted(ours))]))

        def violation(at, what):
            violations.append(f"{name}:{text.count(chr(10), 0, at) + 1}: {what}")

        for match in calls.finditer(text):
            called = match.group()
            before = text[:match.start()]
            if NO_ERROR.match(called) or re.search(r"\b(cudaError_t|CUresult)\s+(\w+::)*$", before):  # defined here
                continue
            if called == FORGETTING and name in FORGETS:
                continue
            if is_dropped(before):
                violation(match.start(), f"the result of {called} is dropped: use cuda_check, or cuda_ignore and say why")
        for match in LAUNCH.finditer(text):
            violation(match.start(), "<<<…>>> drops the error of the launch: use launch_kernel")
    return violations


CLEAN = {
    "gpu/core/cuda_check.h": "inline void cuda_ignore(cudaError_t error) {\n"
                             "    if (error != cudaSuccess) static_cast<void>(cudaGetLastError());\n}\n",
    "gpu/a.cpp": "void f() {\n"
                 "    cuda_check(cudaMalloc(&p, n), \"cudaFree(p); is text\");  // cudaFree(p);\n"
                 "    /* cudaFree(p); */ cuda_ignore(cudaFree(p));\n"
                 "    const cudaError_t error = cudaStreamQuery(stream);\n"
                 "    if (cudaMallocHost(&p, n) != cudaSuccess || ::cudaEventQuery(e) == cudaErrorNotReady) return;\n"
                 "    if (ready) cuda_check(cudaEventRecord(e, s), cudaGetErrorString(error));\n"
                 "    const auto format = cudaCreateChannelDesc(8, 0, 0, 0, kind);\n"
                 "    for (cudaError_t e : {cudaFree(a), cudaFree(b)}) cuda_check(e, \"free\");\n"
                 "    cuda_check(wide ? cudaFree(a)\n              : cudaFree(b), \"free\");\n"
                 "    return cudaGetDevice(&device) == cudaSuccess;\n}\n"
                 "cudaError_t unmap() { return cudaGraphicsUnmapResources(1, &r, s); }\n"
                 "void g() { cuda_check(unmap(), \"unmap\"); }\n"
                 "using Memory = Owner<void*, cudaFree>;\ncudaStream_t stream(0);\n",
    "gpu/b.cu": "void h() { launch_kernel(\"a\", kernel, grid, block, 0, stream); }\n",
}
PLANTED = [
    "void f() { cudaFree(p); }",
    "void f() {\n    cuda_check(cudaMalloc(&p, n), \"no\");\n    cudaMemset(p, 0, n);\n}",
    "void f() { if (p) cudaFree(p); }",
    "void f() { if (g(p, (1))) ::cudaFree(p); }",
    "void f() { if (p) return; else cudaFree(p); }",
    "void f() { for (int i = 0; i < n; ++i) cudaFree(p[i]); }",
    "void f() { (void)cudaFree(p); }",
    "void f() { static_cast<void>(cudaFree(p)); }",
    "void f() { std::ignore = 1, cudaFree(p); }",
    "void f() { a = b; b = c, cudaFree(p); }",
    "void f() { [&] { cudaDeviceSynchronize(); }(); }",
    "void f() { const auto g = [&]() -> void { cudaFree(p); }; }",
    "struct A {\n    void f() const { cudaFree(p); }\n};",
    "void f() { switch (n) { case 1: { cudaFree(p); } } }",
    "void f() { switch (n) { case 1: cudaFree(p); } }",
    "void f() { do cudaFree(p); while (more()); }",
    "void f() {\n    // comment;\n    cudaEventRecord(\n        e, s);\n}",
    "void f() { cuStreamSynchronize(stream); }",
    "void f() { cudaGetLastError(); }",
    "void f() { static_cast<void>(cudaGetLastError()); }",
    "cudaError_t unmap() { return cudaFree(p); }\nvoid f() { if (mapped) unmap(); }",
    "void f() { kernel<<<grid, block>>>(p); }",
]
VIOLATIONS = [Planted(text, {"gpu/planted.cu": text + "\n"}, "gpu/planted.cu:", range(1, 2)) for text in PLANTED]

if __name__ == "__main__":
    main(__doc__, check, "no result of a CUDA call is dropped", CLEAN, VIOLATIONS)
