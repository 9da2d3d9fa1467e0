"""Writes the openings of held-out stories, one a line: `python openings.py --out ../prompts/openings.txt`."""

import argparse
import pathlib
import re

from check_stories import WORD
from corpus import held_out_stories
from lexicon import NAMES

COUNT = 100
SENTENCE_END = re.compile(r'(?<=[.!?])"? ')


def opening(text, index):
    """One sentence or two, alternately, but always enough to hear the hero's name."""
    paragraph = text.split("\n\n")[0]
    ends = [match.start() + len(match.group()) - 1 for match in SENTENCE_END.finditer(paragraph)]
    ends.append(len(paragraph))
    for end in ends[index % 2:] or ends[-1:]:
        if any(word in NAMES for word in WORD.findall(paragraph[:end])):
            return paragraph[:end]
    return paragraph


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default="../prompts/openings.txt")
    path = pathlib.Path(parser.parse_args().out)
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [opening(text, index) for index, text in enumerate(held_out_stories()[:COUNT])]
    path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
