"""Tokens for training: grammar stories mixed with passages of the tales."""

import pathlib

import numpy as np
from tokenizers import Tokenizer

import tales
from stories import story

BOS, EOS = 0, 1
PAD = 65535                      # fills the end of a row; never trained on
CONTEXT = 1024
ROW = 512                        # tokens of a packed row; longer windows join rows
POOL = 64
TRAINING_STORIES = 80000
HELD_OUT_SEED = 1_000_000_000    # seeds from here on are never trained on
HELD_OUT_STORIES = 500


def load_tokenizer(folder):
    return Tokenizer.from_file(str(pathlib.Path(folder) / "tokenizer.json"))


def held_out_stories():
    return [story(HELD_OUT_SEED + index) for index in range(HELD_OUT_STORIES)]


def encode(tokenizer, texts):
    """Documents of token ids, each from <|bos|> to <|eos|>."""
    out = []
    for start in range(0, len(texts), 5000):
        for code in tokenizer.encode_batch(texts[start:start + 5000]):
            out.append(np.array(code.ids + [EOS], dtype=np.uint16))
    return out


def pack(documents, window):
    """Windows of window + 1 ids that hold whole documents; rests are filled with PAD.

    Each window takes, from a pool of waiting documents, the longest that still fits."""
    waiting, rows = [], []
    source = iter(documents)
    for first in source:
        waiting.append(first[:window + 1])
        while len(waiting) > POOL:
            rows.append(fill_window(waiting, window + 1))
    while waiting:
        rows.append(fill_window(waiting, window + 1))
    return np.stack(rows)


def fill_window(waiting, size):
    row, used = np.full(size, PAD, dtype=np.uint16), 0
    while waiting:
        fitting = [index for index, document in enumerate(waiting) if len(document) <= size - used]
        if not fitting:
            break
        best = fitting[0] if used == 0 else max(fitting, key=lambda index: len(waiting[index]))
        document = waiting.pop(best)
        row[used:used + len(document)] = document
        used += len(document)
    return row


def documents_of(rows, first, count):
    """The documents of `count` rows, each an array of ids."""
    ids = rows[np.arange(first, first + count) % len(rows)]
    ids = ids[ids != PAD]
    return np.split(ids, np.flatnonzero(ids == BOS)[1:])


def windows_of(rows, first, count):
    """`count` rows as windows of CONTEXT + 1 ids that begin with a document."""
    parts = [rows[np.arange(start, start + CONTEXT // ROW) % len(rows)]
             for start in range(first, first + count, CONTEXT // ROW)]
    return [part[part != PAD][:CONTEXT + 1] for part in parts]


def build(work, tokenizer_folder, tales_folder, seed=1):
    """Packed rows of training tokens in a fixed random order, kept in `work` for later runs."""
    path = pathlib.Path(work) / f"windows-{ROW}.npy"
    if path.exists():
        return np.load(path, mmap_mode="r")
    texts = list(dict.fromkeys(story(index) for index in range(TRAINING_STORIES)))
    assert not set(texts) & set(held_out_stories()), "a held-out story is in the training set"
    texts += [text for chapter in tales.chapters(tales_folder)[0] for text in tales.passages(chapter)]
    documents = encode(load_tokenizer(tokenizer_folder), texts)
    order = np.random.default_rng(seed).permutation(len(documents))
    rows = pack([documents[index] for index in order], ROW)
    tokens = int((rows != PAD).sum())
    print(f"{len(documents)} documents, {len(rows)} rows, {tokens} tokens, "
          f"{tokens / rows.size:.3f} full", flush=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    np.save(path, rows)
    return rows


def held_out(tokenizer_folder, tales_folder, count=100):
    """For "stories" and "tales": held-out documents, and how many bytes they are."""
    tokenizer = load_tokenizer(tokenizer_folder)
    texts = {"stories": held_out_stories()[:count],
             "tales": [text for chapter in tales.chapters(tales_folder)[1]
                       for text in tales.passages(chapter)][:count]}
    return {kind: (encode(tokenizer, some), sum(len(text.encode()) for text in some))
            for kind, some in texts.items()}
