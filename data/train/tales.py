"""Reads the public-domain tales: text files (or .gz) with chapters separated by
<|endoftext|>.  Every fiftieth chapter is held out."""

import gzip
import pathlib

FILES = ("bailey.txt", "fairy.txt.gz", "gruelle_aesop_mcguffey.txt")
SHORTEST = 200
HELD_OUT_EVERY = 50


def read(path):
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        return file.read()


def chapters(folder):
    """(training chapters, held-out chapters), each a list of texts."""
    texts = []
    for name in FILES:
        parts = read(pathlib.Path(folder) / name).split("<|endoftext|>")
        texts += [part.strip() for part in parts if len(part.strip()) >= SHORTEST]
    held_out = texts[::HELD_OUT_EVERY]
    training = [text for index, text in enumerate(texts) if index % HELD_OUT_EVERY]
    return training, held_out


def passages(chapter, limit=1600):
    """Cuts a chapter at paragraph ends into passages of about `limit` characters."""
    out, current = [], ""
    for paragraph in chapter.split("\n\n"):
        if current and len(current) + len(paragraph) > limit:
            out.append(current)
            current = ""
        current += ("\n\n" if current else "") + paragraph.strip()
    return out + [current] if current else out
