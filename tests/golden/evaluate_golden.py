"""Writes the loss that `transformers` has on a few texts, window by window, as evaluate_test expects.

    python3 tests/golden/evaluate_golden.py

Writes tests/golden/evaluate.json. The models are the tiny checkpoints beside it and the built-in one
(`builtin`, data/model): run this again when its weights change. Windows are those of
src/model/evaluate.h: the first has `context` tokens, each further one ends `stride` tokens later, and
tokens that an earlier window scored are masked out of the loss.
"""

import json
import pathlib

import torch
import transformers

HERE = pathlib.Path(__file__).parent
BUILTIN = HERE.parent.parent / "data" / "model"
TEXT = ("Once upon a time there was a small grey cat who lived in a mill. Every morning she sat by the "
        "wheel and counted the drops. \"One, two, three,\" she said. The miller laughed. One day the "
        "wheel stood still, and nobody knew why. The cat looked under it and found a little fish. ")
# Model, tokens, context, stride.
CASES = [("llama-4-2", 90, 128, 64), ("llama-4-2", 200, 33, 16), ("llama-6-2", 61, 20, 1),
         ("builtin", None, 1024, 512), ("builtin", None, 24, 12)]


def load(name):
    folder = BUILTIN if name == "builtin" else HERE / name
    return transformers.LlamaForCausalLM.from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager").eval()


def ids_for(name, count, vocabulary):
    if name == "builtin":
        tokenizer = transformers.PreTrainedTokenizerFast(
            tokenizer_file=str(BUILTIN / "tokenizer.json"))
        return tokenizer.encode(TEXT)
    random = torch.Generator().manual_seed(count)
    return torch.randint(0, vocabulary, (count,), generator=random).tolist()


@torch.no_grad()
def nats(model, ids, context, stride):
    """The summed loss, and how many tokens it is of."""
    total, scored, end = 0.0, 1, 0
    while end < len(ids):
        end = min(context if end == 0 else end + stride, len(ids))
        begin = max(0, end - context)
        labels = torch.tensor([ids[begin:end]])
        labels[0, :scored - begin] = -100
        loss = model(torch.tensor([ids[begin:end]]), labels=labels, use_cache=False).loss
        total += float(loss) * (end - scored)
        scored = end
    return total, len(ids) - 1


def main():
    torch.set_num_threads(1)
    texts = []
    for name, count, context, stride in CASES:
        model = load(name)
        ids = ids_for(name, count, model.config.vocab_size)
        total, scored = nats(model, ids, context, stride)
        print(f"{name}: {len(ids)} tokens, context {context}, stride {stride}: {total / scored:.5f}")
        texts.append(dict(model=name, context=context, stride=stride, scored=scored,
                          nats_per_token=total / scored, ids=ids))
        if name == "builtin":
            texts[-1]["text"] = TEXT
    golden = dict(transformers=transformers.__version__, torch=torch.__version__, texts=texts)
    lines = json.dumps(golden).replace('{"model"', '\n  {"model"')
    (HERE / "evaluate.json").write_text(lines + "\n")


if __name__ == "__main__":
    main()
