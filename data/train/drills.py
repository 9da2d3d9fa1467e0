"""Very short stories that are mostly names and speech.

A model that is trained on them first learns to look back for who is there,
which takes it much longer on whole stories, where names are far apart."""

import random

import lexicon as lex
from grammar import Story
from scenes import hero, meet, opening

LINES = ["Good morning.", "I am here.", "What a fine day!", "Come with me.", "I know the way.", "Is it far?",
         "Look at me!", "I am glad.", "We must go home.", "I am not afraid.", "Thank you.", "Wait for me!"]
ALONE = [
    "{a} [smiled|laughed|nodded|waited|sat down|looked up|ran home|was happy|thought for a while]",
    "{a} [looked at|went to|ran back to] {a.his} {elder}",
    "The {a.short} [smiled|laughed|nodded|looked up]. It was a good day for {a}",
    "{a.His} {elder} [smiled at|called for|was proud of] {a}",
    "[Then|So|At last] {a} [went home|sat down|began to sing], [and {a.he} was glad|for {a.he} was tired]"]
TOGETHER = [
    "{a} and {b} [laughed|went home|sat down|looked up|were friends]",
    "{a} [looked at|smiled at|thanked|helped|ran to] {b}", "{b} [looked at|smiled at|thanked|helped|ran to] {a}",
    "\"[Hello|Thank you|Come here|Good night], {b},\" said {a}", "\"[Hello|Thank you|Come here|Good night], {a},\" said {b}",
    "The {b.short} [smiled|nodded], and {a} [smiled|nodded] too"]


def drill(seed):
    """The drill that belongs to a seed."""
    s = Story(random.Random(f"drill {seed}"))
    s.pick("food", lex.FOODS)
    hero(s)
    opening(s)
    pair = s.rng.random() < 0.5
    if pair:
        meet(s, mood=s.rng.choice(["kind", "plain"]))
    for _ in range(s.rng.randint(2, 5)):
        who = s.rng.choice("ab") if pair else "a"
        if s.rng.random() < 0.5:
            s.say(who, *LINES)
        else:
            s.add(*(TOGETHER if pair else ALONE))
    return s.text()
