"""The machinery of the story grammar: templates, characters, things, stories.

A template is text with choices in square brackets, "[red|blue]" or
"[|very ]", which may nest, and slots in braces, "{a.he}", filled from the
story.  A Story collects paragraphs; every random choice comes from its own
generator, so that a seed determines a story.
"""

import functools
import re

import lexicon as lex

# How a line of speech is told, by mood.
VERBS = {
    "say": ["said", "said", "said", "answered", "replied"],
    "ask": ["asked", "asked", "wondered"],
    "cry": ["cried", "shouted", "cried"],
    "sad": ["sighed", "said sadly", "said in a small voice"]}
JOY = "(joy)"
GESTURES = {
    "say": ["smiled", "nodded", "thought for a moment", "came closer"],
    "ask": ["looked up", "tilted {his} head", "stopped"],
    "cry": ["jumped up", JOY, "could not keep still"],
    "sad": ["hung {his} head", "looked at the ground", "wiped away a tear"]}


@functools.lru_cache(maxsize=None)
def parse(template):
    """Turns a template into a tuple of strings and lists of parsed choices."""
    position = 0

    def sequence(nested):
        nonlocal position
        options, parts, text = [], [], ""
        while position < len(template):
            char = template[position]
            position += 1
            if char == "[":
                parts += [text, sequence(True)]
                text = ""
            elif nested and char in "|]":
                options.append(tuple(parts + [text]))
                parts, text = [], ""
                if char == "]":
                    return options
            else:
                text += char
        assert not nested, f"unclosed bracket: {template}"
        return tuple(parts + [text])

    return sequence(False)


def choose(tree, rng):
    """Picks one option at every choice of a parsed template."""
    return "".join(part if isinstance(part, str) else choose(rng.choice(part), rng)
                   for part in tree)


class Character:
    """Somebody in a story; attributes are the words used to speak of them."""

    def __init__(self, rng, name, kind, short, adjective, female):
        self.name, self.kind, self.short, self.adj = name, kind, short, adjective
        self.rng = rng
        self.he, self.him, self.his = ("she", "her", "her") if female else ("he", "him", "his")
        self.himself = self.him + "self"
        self.He, self.His = self.he.capitalize(), self.his.capitalize()
        self.animal = short in lex.ANIMAL_KINDS
        self.the = "the " + short
        self.The = "The " + short

    def __str__(self):
        return self.name

    @property
    def intro(self):
        """A phrase that introduces the character, such as "a fox called Pip"."""
        adjective = self.adj + " " if self.rng.random() < 0.75 else ""
        link = self.rng.choice(["named", "called", "named", "called", "whose name was"])
        return f"a {adjective}{self.kind} {link} {self.name}"


class Thing:
    """An object with a fixed adjective, a use, and a good point."""

    def __init__(self, rng, noun):
        adjectives, self.use, self.good = lex.TREASURES[noun]
        self.noun, self.adj = noun, rng.choice(adjectives)
        self.a = f"a {self.adj} {noun}"
        self.the = f"the {self.adj} {noun}"
        self.The = f"The {self.adj} {noun}"

    def __str__(self):
        return f"{self.adj} {self.noun}"


class Story:
    """A story under construction."""

    def __init__(self, rng):
        self.rng = rng
        self.slots = {}
        self.paragraphs = [[]]
        self.used_names, self.used_kinds = set(), set()

    def set(self, **slots):
        self.slots.update(slots)

    def cast(self, slot, animal=None, kinds=None):
        """Creates a character whose name and kind are new to this story."""
        rng = self.rng
        if animal is None:
            animal = rng.random() < 0.5
        female = rng.random() < 0.5
        if animal:
            names = lex.SHE_ANIMALS if female else lex.HE_ANIMALS
            kind = short = self.fresh(kinds or lex.ANIMAL_KINDS, self.used_kinds)
            adjective = rng.choice(lex.ANIMAL_ADJECTIVES)
        else:
            names = lex.GIRLS if female else lex.BOYS
            options = lex.GIRL_KINDS if female else lex.BOY_KINDS
            options = [pair for pair in options if pair[1] not in self.used_kinds]
            kind, short = rng.choice(options)
            self.used_kinds.add(short)
            adjective = rng.choice(lex.CHILD_ADJECTIVES)
        if adjective in kind:
            adjective = "cheerful"
        name = self.fresh(names, self.used_names)
        self.slots[slot] = Character(rng, name, kind, short, adjective, female)
        return self.slots[slot]

    def fresh(self, options, used):
        choice = self.rng.choice([option for option in options if option not in used])
        used.add(choice)
        return choice

    def thing(self, slot, nouns=None):
        self.slots[slot] = Thing(self.rng, self.rng.choice(nouns or list(lex.TREASURES)))
        return self.slots[slot]

    def pick(self, slot, options):
        self.slots[slot] = self.rng.choice(options)
        return self.slots[slot]

    def expand(self, *templates):
        return choose(parse(self.rng.choice(templates)), self.rng).format(**self.slots)

    def add(self, *templates):
        """Adds one of the templates to the current paragraph."""
        text = self.expand(*templates)
        if text:
            self.paragraphs[-1].append(text if text[-1] in '.!?"' else text + ".")

    def maybe(self, chance, *templates):
        if self.rng.random() < chance:
            self.add(*templates)

    def para(self, chance=1.0):
        """Starts a new paragraph, unless the current one is empty."""
        if self.paragraphs[-1] and self.rng.random() < chance:
            self.paragraphs.append([])

    def say(self, who, *lines, mood="say"):
        """Adds a line of speech in one of several shapes."""
        speaker = self.slots[who]
        if self.paragraphs[-1] and self.paragraphs[-1][-1].endswith('"'):
            self.para(0.5)
        line = self.expand(*lines)
        name = speaker.name if self.rng.random() < 0.7 else speaker.the
        verb = self.rng.choice(VERBS[mood])
        shape = self.rng.random()
        if shape < 0.55:
            quoted = line[:-1] + "," if line.endswith(".") else line
            text = f'"{quoted}" {verb} {name}.'
            if verb.startswith("said "):
                text = f'"{quoted}" said {name}{verb[4:]}.'
        elif shape < 0.75:
            text = f'{name} {verb}, "{line}"'
        else:
            gesture = self.rng.choice(GESTURES[mood])
            if gesture == JOY:
                gesture = "hopped up and down" if speaker.animal else "clapped {his} hands"
            text = f'{name} {gesture}. "{line}"'.replace("{his}", speaker.his)
        self.paragraphs[-1].append(text)

    def text(self):
        paragraphs = [" ".join(parts) for parts in self.paragraphs if parts]
        return "\n\n".join(polish(paragraph) for paragraph in paragraphs)


def polish(text):
    """Capitalises sentences and turns "a" into "an" before a vowel."""
    text = re.sub(r"\b([Aa]) (?=[aeiouAEIO])(?!one\b|us)", r"\1n ", text)
    upper = lambda match: match.group(1) + match.group(2).upper()
    text = re.sub(r'(^"?|[.!?] |\." )([a-z])', upper, text)
    return text
