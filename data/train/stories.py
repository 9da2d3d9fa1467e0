"""Writes stories of the grammar: `python stories.py --count 5 --seed 1`."""

import argparse
import random

import lexicon as lex
from grammar import Story
from plots_courage import boasting, fear, learning
from plots_doors import night_noise, storm
from plots_friends import kindness_returned, lonely, quarrel
from plots_gifts import birthday_gift, garden, honesty
from plots_roads import journey, lost_child
from plots_wishes import earned_wish, lost_treasure, making

PLOTS = [lost_treasure, earned_wish, making, birthday_gift, garden, quarrel, kindness_returned,
         lonely, honesty, boasting, fear, journey, night_noise, storm, lost_child, learning]


def story(seed):
    """The story that belongs to a seed."""
    s = Story(random.Random(seed))
    s.pick("food", lex.FOODS)
    s.rng.choice(PLOTS)(s)
    return s.text()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for seed in range(options.seed, options.seed + options.count):
        print(story(seed), end="\n\n* * *\n\n")


if __name__ == "__main__":
    main()
