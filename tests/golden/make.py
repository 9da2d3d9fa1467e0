"""Makes tiny checkpoints with random weights, and what `transformers` computes with them.

    python3 tests/golden/make.py              # every golden; checkpoints that are missing are made
    python3 tests/golden/make.py builtin      # only some, by name
    python3 tests/golden/make.py --fresh      # makes the tiny checkpoints again

A checkpoint NAME is the folder tests/golden/NAME, in the layout of Hugging Face; `builtin` is
data/model. Its golden is NAME.json (ids of prompts, of which positions logits are kept, 64 greedy
ids, and by how much each led the second) and NAME.safetensors (the logits). All is computed in
float32 on exactly the stored weights, without a cache. A golden without a model is skipped.
`rope` is rope.json, the frequencies at which published models rotate.

Weights of a tiny checkpoint are drawn until its greedy texts vary and none of its choices is close,
so that a difference between two texts is an error and not a matter of rounding.
"""

import argparse
import json
import pathlib

import safetensors.torch
import torch
import transformers
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

HERE = pathlib.Path(__file__).parent
BUILTIN = HERE.parent.parent / "data" / "model"
GREEDY_TOKENS = 64
# Of the largest logit; an implementation may be off by 1e-4.
SMALLEST_MARGIN = 1e-3
COMMON = dict(architectures=["LlamaForCausalLM"], model_type="llama", hidden_act="silu",
              num_hidden_layers=2, max_position_embeddings=128, rms_norm_eps=1e-5)
# Each differs from the others in as much as possible, so that together they cover the family.
TINY = {
    "llama-1-1": (torch.float32, dict(
        hidden_size=16, intermediate_size=40, num_attention_heads=1, num_key_value_heads=1,
        vocab_size=96, rope_theta=10000.0, tie_word_embeddings=False, eos_token_id=2)),
    "llama-4-2": (torch.bfloat16, dict(
        hidden_size=32, intermediate_size=72, num_attention_heads=4, num_key_value_heads=2,
        vocab_size=128, rope_theta=500000.0, tie_word_embeddings=True, eos_token_id=[5, 7])),
    "llama-6-2": (torch.float16, dict(
        hidden_size=48, intermediate_size=101, num_attention_heads=6, num_key_value_heads=2,
        vocab_size=160, rope_parameters=dict(rope_type="default", rope_theta=1000.0),
        tie_word_embeddings=False, bos_token_id=1)),
    # Heads that are wider than their share of the residual stream.
    "llama-wide-heads": (torch.bfloat16, dict(
        hidden_size=24, intermediate_size=56, num_attention_heads=4, num_key_value_heads=4,
        head_dim=8, vocab_size=101, rope_theta=10000.0, tie_word_embeddings=False)),
    # Of four frequencies one is fast, one between, and two are slow; texts are longer than the
    # original context.
    "llama3-rope": (torch.bfloat16, dict(
        hidden_size=24, intermediate_size=40, num_attention_heads=3, num_key_value_heads=1,
        vocab_size=96, rope_theta=1000.0, tie_word_embeddings=True,
        rope_scaling=dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0,
                          high_freq_factor=4.0, original_max_position_embeddings=48))),
    "linear-rope": (torch.bfloat16, dict(
        hidden_size=24, intermediate_size=40, num_attention_heads=3, num_key_value_heads=3,
        vocab_size=96, rope_theta=10000.0, tie_word_embeddings=True,
        rope_scaling=dict(type="linear", factor=4.0))),
    "llama-biases": (torch.bfloat16, dict(
        hidden_size=24, intermediate_size=40, num_attention_heads=2, num_key_value_heads=1,
        head_dim=8, vocab_size=96, rope_theta=10000.0, tie_word_embeddings=True,
        attention_bias=True)),
    "mistral-window": (torch.bfloat16, dict(
        architectures=["MistralForCausalLM"], model_type="mistral", hidden_size=32,
        intermediate_size=40, num_attention_heads=4, num_key_value_heads=2, vocab_size=96,
        rope_theta=10000.0, tie_word_embeddings=False, sliding_window=6)),
    "qwen2": (torch.bfloat16, dict(
        architectures=["Qwen2ForCausalLM"], model_type="qwen2", hidden_size=28,
        intermediate_size=40, num_attention_heads=7, num_key_value_heads=1, vocab_size=96,
        rope_theta=1000000.0, tie_word_embeddings=True, use_sliding_window=False,
        sliding_window=6, max_window_layers=1)),
    "qwen2-window": (torch.bfloat16, dict(
        architectures=["Qwen2ForCausalLM"], model_type="qwen2", hidden_size=16,
        intermediate_size=40, num_attention_heads=4, num_key_value_heads=2, vocab_size=96,
        rope_theta=1000000.0, tie_word_embeddings=True, use_sliding_window=True,
        sliding_window=5, max_window_layers=0)),
    "qwen3": (torch.bfloat16, dict(
        architectures=["Qwen3ForCausalLM"], model_type="qwen3", hidden_size=24,
        intermediate_size=40, num_attention_heads=4, num_key_value_heads=2, head_dim=10,
        vocab_size=96, rope_theta=1000000.0, tie_word_embeddings=True, attention_bias=False)),
    # Three shards, the first with the embedding.
    "sharded": (torch.float16, dict(
        hidden_size=16, intermediate_size=40, num_attention_heads=2, num_key_value_heads=2,
        vocab_size=96, rope_theta=10000.0, tie_word_embeddings=False)),
}
SHARDS = {"sharded": 3}
# Published rotations, whose frequencies are kept in rope.json.
ROPES = {
    "Llama 3.1": dict(head_dim=128, rope_theta=500000.0, factor=8.0),
    "Llama 3.2": dict(head_dim=64, rope_theta=500000.0, factor=32.0),
}
TEXTS = ["Once upon a time", "The old lighthouse keeper looked at the sea and",
         "\"Do not be afraid,\" said the fox. \"I only want to"]


def draw_weights(config, seed):
    """Random weights under the names of a Hugging Face checkpoint, in float32."""
    random = torch.Generator().manual_seed(seed)
    hidden, ffn = config["hidden_size"], config["intermediate_size"]
    head_dim = config.get("head_dim", hidden // config["num_attention_heads"])
    q, kv = config["num_attention_heads"] * head_dim, config["num_key_value_heads"] * head_dim

    def matrix(out, inputs, gain):
        return torch.randn(out, inputs, generator=random) * gain / inputs**0.5

    def norm(size=hidden):
        return 1 + 0.2 * torch.randn(size, generator=random)

    def biases(prefix):
        sizes = dict(q=q, k=kv, v=kv)
        if config["model_type"] != "qwen2":
            sizes["o"] = hidden
        return {f"{prefix}self_attn.{name}_proj.bias": torch.randn(size, generator=random)
                for name, size in sizes.items()}

    vocabulary = config["vocab_size"]
    weights = {"model.embed_tokens.weight": matrix(vocabulary, hidden, 2.0),
               "model.norm.weight": norm()}
    for layer in range(config["num_hidden_layers"]):
        prefix = f"model.layers.{layer}."
        weights |= {
            prefix + "input_layernorm.weight": norm(),
            prefix + "self_attn.q_proj.weight": matrix(q, hidden, 1.5),
            prefix + "self_attn.k_proj.weight": matrix(kv, hidden, 1.5),
            prefix + "self_attn.v_proj.weight": matrix(kv, hidden, 1.5),
            prefix + "self_attn.o_proj.weight": matrix(hidden, q, 3.0),
            prefix + "post_attention_layernorm.weight": norm(),
            prefix + "mlp.gate_proj.weight": matrix(ffn, hidden, 2.0),
            prefix + "mlp.up_proj.weight": matrix(ffn, hidden, 2.0),
            prefix + "mlp.down_proj.weight": matrix(hidden, ffn, 3.0),
        }
        if config["model_type"] == "qwen2" or config.get("attention_bias"):
            weights |= biases(prefix)
        if config["model_type"] == "qwen3":
            weights |= {prefix + "self_attn.q_norm.weight": norm(head_dim),
                        prefix + "self_attn.k_norm.weight": norm(head_dim)}
    if not config["tie_word_embeddings"]:
        weights["lm_head.weight"] = matrix(vocabulary, hidden, 2.0)
    return weights


def write_config(folder):
    dtype, sizes = TINY[folder.name]
    config = COMMON | sizes | {"torch_dtype": str(dtype).removeprefix("torch.")}
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    return dtype, config


def save(tensors, file):
    safetensors.torch.save_file(tensors, file, metadata={"format": "pt"})
    file.chmod(0o644)


def save_checkpoint(weights, folder):
    """One file, or shards of about as many tensors each, with their index."""
    shards = SHARDS.get(folder.name, 1)
    if shards == 1:
        save(weights, folder / "model.safetensors")
        return
    names = list(weights)
    places = {}
    for shard in range(shards):
        file = f"model-{shard + 1:05}-of-{shards:05}.safetensors"
        part = names[shard * len(names) // shards:(shard + 1) * len(names) // shards]
        save({name: weights[name] for name in part}, folder / file)
        places |= {name: file for name in part}
    size = sum(w.nbytes for w in weights.values())
    index = dict(metadata=dict(total_size=size), weight_map=places)
    (folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=2) + "\n")


def has_weights(folder):
    return any(folder.glob("*.safetensors"))


def load(folder):
    model = transformers.AutoModelForCausalLM.from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager")
    return model.eval()


@torch.no_grad()
def logits_of(model, ids):
    return model(torch.tensor([ids]), use_cache=False).logits[0]


def greedy(model, ids, smallest_margin=0.0):
    """The next 64 ids, and by how much of the largest logit each led the second.

    Stops early where a choice is closer than it may be.
    """
    known, margins = list(ids), []
    while len(margins) < GREEDY_TOKENS and min(margins, default=1.0) >= smallest_margin:
        last = logits_of(model, known)[-1]
        best = torch.topk(last, 2)
        margins.append(float((best.values[0] - best.values[1]) / last.abs().max()))
        known.append(int(best.indices[0]))
    return known[len(ids):], margins


def tiny_prompts(vocabulary):
    """One token, a few, and some that cross a block of 16."""
    random = torch.Generator().manual_seed(vocabulary)
    return [torch.randint(8, vocabulary, (n,), generator=random).tolist() for n in (1, 7, 17)]


def builtin_prompts():
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(BUILTIN / "tokenizer.json"))
    return [tokenizer.encode(text, add_special_tokens=False) for text in TEXTS]


def is_lively(model, ids):
    tokens, margins = greedy(model, ids, SMALLEST_MARGIN)
    return min(margins) >= SMALLEST_MARGIN and len(set(tokens)) > GREEDY_TOKENS // 4


def make_checkpoint(folder):
    dtype, config = write_config(folder)
    model = transformers.AutoModelForCausalLM.from_config(
        transformers.AutoConfig.from_pretrained(folder), dtype=torch.float32,
        attn_implementation="eager").eval()
    prompts = tiny_prompts(config["vocab_size"])
    for seed in range(1000):
        weights = {name: w.to(dtype) for name, w in draw_weights(config, seed).items()}
        model.load_state_dict({name: w.float() for name, w in weights.items()}, strict=False)
        if all(is_lively(model, ids) for ids in prompts):
            print(f"{folder.name}: weights of seed {seed}")
            save_checkpoint(weights, folder)
            return
    raise SystemExit(f"{folder.name}: no draw gives lively texts")


def write_golden(name, folder):
    model = load(folder)
    is_tiny = folder != BUILTIN
    prompts = tiny_prompts(model.config.vocab_size) if is_tiny else builtin_prompts()
    tensors, entries = {}, []
    for index, ids in enumerate(prompts):
        positions = list(range(len(ids))) if is_tiny else [0, len(ids) - 1]
        tensors[f"logits.{index}"] = logits_of(model, ids)[positions].contiguous()
        tokens, margins = greedy(model, ids)
        entries.append(dict(ids=ids, positions=positions, greedy=tokens,
                            margins=[float(f"{margin:.4g}") for margin in margins]))
    golden = dict(transformers=transformers.__version__, torch=torch.__version__, prompts=entries)
    lines = json.dumps(golden).replace('{"ids"', '\n  {"ids"')
    (HERE / f"{name}.json").write_text(lines + "\n")
    save(tensors, HERE / f"{name}.safetensors")
    smallest = min(min(entry["margins"]) for entry in entries)
    print(f"{name}: {len(prompts)} prompts, smallest margin {smallest:.2g}")


def write_ropes():
    """The frequencies of published models that scale them as Llama 3.1 does."""
    ropes = []
    for name, rope in ROPES.items():
        scaling = dict(rope_type="llama3", factor=rope["factor"], low_freq_factor=1.0,
                       high_freq_factor=4.0, original_max_position_embeddings=8192)
        config = transformers.LlamaConfig(
            hidden_size=rope["head_dim"], num_attention_heads=1, max_position_embeddings=131072,
            rope_parameters=scaling | dict(rope_theta=rope["rope_theta"]))
        frequencies = ROPE_INIT_FUNCTIONS["llama3"](config, torch.device("cpu"))[0]
        ropes.append(dict(name=name, config=rope, frequencies=frequencies.tolist()))
    lines = json.dumps(ropes).replace('{"name"', '\n  {"name"')
    (HERE / "rope.json").write_text(lines + "\n")
    print(f"rope: {len(ropes)} models")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=[*TINY, "builtin", "rope"])
    parser.add_argument("--fresh", action="store_true", help="make tiny checkpoints again")
    options = parser.parse_args()
    torch.set_num_threads(1)
    for name in options.names:
        if name == "rope":
            write_ropes()
            continue
        folder = BUILTIN if name == "builtin" else HERE / name
        if name in TINY and (options.fresh or not has_weights(folder)):
            make_checkpoint(folder)
        if has_weights(folder):
            write_golden(name, folder)
        else:
            print(f"{name}: no model yet")


if __name__ == "__main__":
    main()
