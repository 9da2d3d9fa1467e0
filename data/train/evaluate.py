"""Measures an exported model: held-out nats per byte, and 100 continued openings.

`python evaluate.py ../model --tales FOLDER`.  Of every opening it samples one
continuation at temperature 0.8 and one greedily, each of at most 400 tokens.
A sample passes if it ends by itself and names only characters it introduced.
A greedy continuation passes if no 8 tokens in a row occur three times in it.
"""

import argparse
import collections
import pathlib

import torch
from transformers import AutoModelForCausalLM

import corpus
from check_stories import strangers

MOST_TOKENS = 400
TEMPERATURE = 0.8
BATCH = 50


def continuations(model, tokenizer, openings, **sampling):
    """Token ids that follow each opening, up to and with <|eos|> where it came."""
    out = []
    for start in range(0, len(openings), BATCH):
        codes = [tokenizer.encode(text).ids for text in openings[start:start + BATCH]]
        width = max(map(len, codes))
        ids = torch.tensor([[corpus.EOS] * (width - len(code)) + code for code in codes])
        mask = torch.tensor([[0] * (width - len(code)) + [1] * len(code) for code in codes])
        made = model.generate(ids, attention_mask=mask, max_new_tokens=MOST_TOKENS,
                              pad_token_id=corpus.EOS, eos_token_id=corpus.EOS, **sampling)
        for row in made[:, width:].tolist():
            out.append(row[:row.index(corpus.EOS) + 1] if corpus.EOS in row else row)
    return out


def most_repeated(ids, length=8):
    """How often the commonest run of `length` tokens occurs."""
    runs = collections.Counter(tuple(ids[start:start + length]) for start in range(len(ids) - length + 1))
    return max(runs.values(), default=0)


@torch.no_grad()
def nats_per_byte(model, documents, size):
    total = 0.0
    for document in documents:
        ids = torch.tensor([document[:corpus.CONTEXT].tolist()])
        total += model(ids, labels=ids).loss.item() * (ids.shape[1] - 1)
    return total / size


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("model", help="exported folder")
    parser.add_argument("--openings", default="../prompts/openings.txt")
    parser.add_argument("--tales", help="folder of the tales; without it no held-out loss")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=0, help="print this many samples")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    model = AutoModelForCausalLM.from_pretrained(options.model, dtype=torch.float32).eval()
    tokenizer = corpus.load_tokenizer(options.model)
    if options.tales:
        for kind, some in corpus.held_out(options.model, options.tales).items():
            print(f"held-out {kind}: {nats_per_byte(model, *some):.4f} nats per byte", flush=True)

    openings = pathlib.Path(options.openings).read_text().splitlines()
    samples = continuations(model, tokenizer, openings, do_sample=True,
                            temperature=TEMPERATURE, top_k=0, top_p=1.0)
    texts = [first + tokenizer.decode(rest) for first, rest in zip(openings, samples)]
    ended = [rest[-1] == corpus.EOS for rest in samples]
    clean = [not strangers(text) for text in texts]
    both = sum(end and name for end, name in zip(ended, clean))
    print(f"of {len(openings)} samples {sum(ended)} end, {sum(clean)} name only introduced characters, "
          f"{both} do both; {sum(map(len, samples)) / len(samples):.0f} tokens on average", flush=True)
    for text, end, name in zip(texts, ended, clean):
        if not (end and name):
            print(f"--- {'' if end else 'no end; '}strangers {strangers(text)}: {text[-300:]!r}")
    for text in texts[:options.show]:
        print(f"\n* * *\n\n{text}")

    greedy = continuations(model, tokenizer, openings, do_sample=False)
    worst = [most_repeated(rest) for rest in greedy]
    print(f"greedy: {sum(count < 3 for count in worst)} of {len(greedy)} repeat no 8 tokens three times, "
          f"{sum(rest[-1] == corpus.EOS for rest in greedy)} end")


if __name__ == "__main__":
    main()
