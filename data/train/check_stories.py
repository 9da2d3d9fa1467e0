"""Checks of the grammar: introductions, leftovers of templates, duplicates, lengths.

Run `python check_stories.py --count 20000`; it prints statistics and fails on
the first story that breaks a rule.
"""

import argparse
import re

from lexicon import NAMES
from stories import story

WORD = re.compile(r"[A-Za-z]+")
INTRODUCTION = re.compile(r"\b(?:named|called|name was|name is) ([A-Z][a-z]+)")
SUSPICIOUS = re.compile(r"[\[\]{}|]|\.\.|,,|,\.|  | ,| \.|\?\."
                        r"|\ba [aeio]|\ban [^aeiouAEIO]|\b(\w+) \1\b|, One\b|None")


def strangers(text):
    """Names of the grammar that `text` mentions before introducing them."""
    found, known = [], {}
    for match in INTRODUCTION.finditer(text):
        known.setdefault(match.group(1), match.start(1))
    for match in WORD.finditer(text):
        name = match.group()
        if name in NAMES and match.start() < known.get(name, len(text)):
            found.append(name)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20000)
    options = parser.parse_args()
    seen, words, names = set(), 0, 0
    for seed in range(options.count):
        text = story(seed)
        assert not strangers(text), (seed, strangers(text), text)
        flaw = SUSPICIOUS.search(text)
        assert not flaw, (seed, flaw.group(), text)
        assert text.count('"') % 2 == 0, (seed, text)
        seen.add(text)
        words += len(text.split())
        names += len({word for word in WORD.findall(text) if word in NAMES})
    print(f"{options.count} stories, {len(seen)} distinct, {words / options.count:.1f} words and "
          f"{names / options.count:.2f} names a story")


if __name__ == "__main__":
    main()
