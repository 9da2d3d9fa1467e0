"""What `transformers` says with published models that are not part of the sources.

    python3 tests/golden/published.py smollm2 tinystories

Writes tests/golden/smollm2.json from data/models/smollm2 (`data/get_model smollm2`) and prompts of
../shared/data/prompts, and tests/golden/tinystories.json from ../shared/data/models. Neither models
nor prompts are kept, only where each prompt is, and greedy ids: 64 of them, or up to the end of the
story. For TinyStories the text must also be the one that others recorded beside the model.

`weights` are eight numbers of one tensor, so that another edition of the model is told apart.
Prompts of which a choice is close are left out.
"""

import json
import pathlib
import sys

import torch
import transformers

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
SHARED = ROOT.parent / "shared" / "data"
SMOLLM2 = ROOT / "data" / "models" / "smollm2"
TINYSTORIES = SHARED / "models" / "tinystories-656k"
PROMPTS = {"mt_bench/question.jsonl": lambda row: row["turns"][0],
           "gsm8k/test.jsonl": lambda row: row["question"]}
PROMPTS_A_FILE = 5
GREEDY_TOKENS = 64
# Of the largest logit; two results may each be off by 1e-4.
SMALLEST_MARGIN = 4e-4


def load(folder):
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
    model = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    return tokenizer, model.eval()


@torch.no_grad()
def greedy(model, ids, limit, eos=None):
    """The next ids, and by how much of the largest logit each led the second."""
    tokens, margins = [], []
    out = model(torch.tensor([ids]), use_cache=True)
    while True:
        last = out.logits[0, -1]
        best = torch.topk(last, 2)
        margins.append(float((best.values[0] - best.values[1]) / last.abs().max()))
        tokens.append(int(best.indices[0]))
        if len(tokens) == limit or tokens[-1] == eos:
            return tokens, margins
        out = model(torch.tensor([tokens[-1:]]), past_key_values=out.past_key_values, use_cache=True)


def fingerprint(model):
    return model.model.layers[0].mlp.down_proj.weight[0, :8].tolist()


def write(name, model, prompts):
    golden = dict(transformers=transformers.__version__, torch=torch.__version__,
                  weights=fingerprint(model), prompts=prompts)
    lines = json.dumps(golden).replace('{"file"', '\n  {"file"')
    (HERE / f"{name}.json").write_text(lines + "\n")


def entry(file, line, tokens, margins):
    return dict(file=file, line=line, greedy=tokens, smallest_margin=float(f"{min(margins):.3g}"))


def write_smollm2():
    tokenizer, model = load(SMOLLM2)
    prompts = []
    for file, text_of in PROMPTS.items():
        taken = 0
        for line, row in enumerate((SHARED / "prompts" / file).read_text().splitlines()):
            ids = tokenizer.encode(text_of(json.loads(row)), add_special_tokens=False)
            tokens, margins = greedy(model, ids, GREEDY_TOKENS)
            if min(margins) < SMALLEST_MARGIN:
                continue
            prompts.append(entry(file, line, tokens, margins))
            print(f"{file} {line}: {len(ids)} tokens, smallest margin {min(margins):.2g}")
            taken += 1
            if taken == PROMPTS_A_FILE:
                break
    write("smollm2", model, prompts)


def write_tinystories():
    tokenizer, model = load(TINYSTORIES / "hf-bf16")
    recorded = json.loads((TINYSTORIES / "expected.json").read_text())["hf_greedy"]
    prompts = []
    for index, story in enumerate(recorded):
        ids = tokenizer.encode(story["prompt"], add_special_tokens=True)
        tokens, margins = greedy(model, ids, 400, model.config.eos_token_id)
        text = tokenizer.decode(ids + tokens)
        print([ids, text, story["expected_full_text"]])
        if story["expected_full_text"] not in text:
            raise SystemExit(f"story {index} is not the one that was recorded")
        prompts.append(entry("expected.json", index, tokens, margins) | dict(ids=ids))
        print(f"story {index}: {len(tokens)} tokens, smallest margin {min(margins):.2g}")
    write("tinystories", model, prompts)


def main():
    torch.set_num_threads(1)
    for name in sys.argv[1:]:
        {"smollm2": write_smollm2, "tinystories": write_tinystories}[name]()


if __name__ == "__main__":
    main()
