"""Writes a checkpoint as a Hugging Face folder in BF16 and compares it with transformers.

`python export.py main --work build/train --out ../model`
"""

import argparse
import json
import pathlib
import shutil

import torch
from safetensors.torch import save_file

import model as llama
from corpus import BOS, EOS

TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json")


def configuration(name):
    return {"architectures": ["LlamaForCausalLM"], "model_type": "llama", **llama.COMMON,
            **llama.SHAPES[name], "hidden_act": "silu", "attention_bias": False, "mlp_bias": False,
            "attention_dropout": 0.0, "initializer_range": 0.02, "pretraining_tp": 1,
            "tie_word_embeddings": True, "use_cache": True, "torch_dtype": "bfloat16",
            "bos_token_id": BOS, "eos_token_id": EOS}


def write_json(path, content):
    path.write_text(json.dumps(content, indent=2) + "\n")


def compare(out, ours):
    """Largest difference of the logits of this and of transformers' implementation."""
    from transformers import AutoModelForCausalLM
    theirs = AutoModelForCausalLM.from_pretrained(out, dtype=torch.float32).eval()
    ids = torch.randint(2, ours.config.vocab_size, (2, 300), generator=torch.Generator().manual_seed(1))
    with torch.no_grad():
        return (ours(ids) - theirs(ids).logits).abs().max().item()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=llama.SHAPES)
    parser.add_argument("--work", default="build/train")
    parser.add_argument("--tokenizer", default="../model")
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    state = torch.load(pathlib.Path(options.work) / f"{options.name}.pt", weights_only=True)
    weights = {name: weight.to(torch.bfloat16).contiguous() for name, weight in state["model"].items()}
    out = pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    save_file(weights, str(out / "model.safetensors"), metadata={"format": "pt"})
    (out / "model.safetensors").chmod(0o644)
    write_json(out / "config.json", configuration(options.name))
    write_json(out / "generation_config.json",
               {"bos_token_id": BOS, "eos_token_id": EOS, "do_sample": True, "temperature": 0.8})
    for file in TOKENIZER_FILES:
        if pathlib.Path(options.tokenizer).resolve() != out.resolve():
            shutil.copy(pathlib.Path(options.tokenizer) / file, out / file)
    ours = llama.build(options.name)
    ours.load_state_dict({name: weight.float() for name, weight in weights.items()})
    print(f"{options.name}: step {state['step']}, {state['tokens']} tokens, {state['seconds']:.0f} s; "
          f"largest difference from transformers {compare(out, ours.eval()):.2e}")


if __name__ == "__main__":
    main()
