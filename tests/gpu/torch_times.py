"""Times PyTorch's operators at the sizes of kernel_times.cpp, and adds them to its JSON.

torch_times.py FILE: reads "sizes", adds "torch_seconds" to the kernels for which PyTorch has the same
operator, and prints both times. Weights, keys and values are BF16 as ours are, and so are
activations, which ours keep in F32: PyTorch moves fewer bytes.
"""

import json
import sys
import time

import torch
import torch.nn.functional as F


def seconds_of(work):
    """The least of three means, each over about 50 ms."""

    def mean(times):
        start = time.perf_counter()
        for _ in range(times):
            work()
        torch.cuda.synchronize()
        return (time.perf_counter() - start) / times

    mean(3)
    times = int(min(max(0.05 / mean(1), 1), 1000))
    return min(mean(times) for _ in range(3))


def noise(*shape):
    return torch.randn(*shape, device="cuda", dtype=torch.bfloat16)


def operators(s):
    """Yields names of kernel_times.cpp, each with a call; what it needs goes before the next comes."""
    rows, hidden = s["rows"], s["hidden"]
    x, y, gain = noise(rows, hidden), noise(rows, hidden), noise(hidden)
    yield "add", lambda: x.add_(y)
    yield "add_bias", lambda: x.add_(gain)
    yield "silu_mul", lambda: F.silu(x) * y
    yield "widen", lambda: x.float()
    yield "rms_norm", lambda: F.rms_norm(x, (hidden,), gain)
    yield "softmax", lambda: torch.softmax(x, -1)
    picked = torch.randperm(rows, device="cuda")
    yield "embed", lambda: F.embedding(picked, x)
    yield "gather_rows", lambda: x.index_select(0, picked)

    logits = noise(512, s["vocabulary"])
    yield "argmax", lambda: logits.argmax(-1)
    del logits

    weight = noise(s["ffn"], hidden)
    for few in (1, 8, 1024):
        some = x[:few]
        yield f"linear, {few} {'row' if few == 1 else 'rows'}", lambda: F.linear(some, weight)

    def attention(sequences, queries, keys):
        q = noise(sequences, s["heads"], queries, s["head_dim"])
        k = noise(sequences, s["kv_heads"], keys, s["head_dim"])
        v = noise(sequences, s["kv_heads"], keys, s["head_dim"])
        causal = queries > 1
        return lambda: F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=True)

    decode = attention(s["sequences"], 1, s["keys"])
    for version in ("v0", "v1", "v2"):
        yield f"attend {version}, decode", decode
    prompt = attention(1, s["prompt"], s["prompt"])
    for version in ("v0", "v1", "v2"):
        yield f"attend {version}, a prompt", prompt


def main(path):
    with open(path) as file:
        times = json.load(file)
    of_name = {kernel["name"]: kernel for kernel in times["kernels"]}
    times["torch"] = torch.__version__
    print(f"{'kernel':<24} {'ours (us)':>12} {'PyTorch (us)':>12}")
    with torch.inference_mode():
        for name, call in operators(times["sizes"]):
            kernel = of_name[name]
            kernel["torch_seconds"] = seconds_of(call)
            print(f"{name:<24} {1e6 * kernel['seconds']:>12.1f} {1e6 * kernel['torch_seconds']:>12.1f}")
    with open(path, "w") as file:
        json.dump(times, file, indent=2)
        file.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])
