"""Words of the story grammar: names, kinds, things, places and small phrases.

Every name appears in exactly one list, which fixes the pronoun that goes with
it.  No name is an ordinary English word, so a script may look for names in a
text by comparing whole words.
"""

GIRLS = ("Mia Lily Nora Ella Ruby Zoe Emma Maya Lucy Tess Nina Hanna Leah Sofia "
         "Mila Freya Greta Isla Carla Tilda Wanda Yara Clara Anya").split()
BOYS = ("Tom Ben Leo Max Sam Finn Noah Oscar Hugo Theo Adam Luke Jonas Emil "
        "Omar Felix Otto Anton Niko Kofi Ravi Milo Karl Evan").split()
HE_ANIMALS = "Pip Bruno Tobi Rufus Bobo Gus Kiko Rollo Nibs Tuk Ozzy Hobb Boris Zeb".split()
SHE_ANIMALS = "Tilly Momo Luna Fifi Dotty Bella Nell Suki Pippa Mimi Lotta Juno Pim Wilma".split()

NAMES = frozenset(GIRLS + BOYS + HE_ANIMALS + SHE_ANIMALS)

# (words of the introduction, short form used afterwards)
GIRL_KINDS = [("girl", "girl")] * 6 + [
    ("shepherd girl", "girl"), ("farmer's daughter", "girl"), ("miller's daughter", "girl"),
    ("fisherman's daughter", "girl"), ("young princess", "princess"), ("goose girl", "girl")]
BOY_KINDS = [("boy", "boy")] * 6 + [
    ("shepherd boy", "boy"), ("farmer's son", "boy"), ("miller's son", "boy"),
    ("fisherman's son", "boy"), ("young prince", "prince"), ("baker's boy", "boy")]
ANIMAL_KINDS = ("fox hedgehog rabbit squirrel mouse bear badger duck frog owl otter mole hare "
                "cat puppy beaver goat lamb sparrow turtle donkey hen crow pig").split()

CHILD_ADJECTIVES = ["little", "small", "clever", "shy", "cheerful", "curious", "quiet", "brave",
                    "kind", "dreamy", "merry", "lively", "thoughtful"]
ANIMAL_ADJECTIVES = ["little", "small", "young", "old", "plump", "clever", "shy", "cheerful", "curious",
                     "sleepy", "gentle", "brown", "grey", "busy", "friendly", "hungry", "proud"]

HOMES = [
    "in a small house at the edge of the forest", "in a village by the sea",
    "in a cottage beside a slow green river", "on a farm between two hills",
    "in a crooked house at the end of a lane", "near an old mill", "in a quiet valley",
    "on the sunny side of a hill", "in a town with narrow streets", "beside a round blue lake",
    "under the roots of a great oak", "at the foot of a mountain", "by a stone bridge",
    "in a meadow full of clover", "behind the bakery", "on a small island"]
# Homes that suit only an animal or only a child.
ANIMAL_HOMES = {"under the roots of a great oak", "in a meadow full of clover"}
CHILD_HOMES = {"in a town with narrow streets", "behind the bakery", "on a farm between two hills",
               "in a village by the sea"}

# noun: (adjectives, what one does with it, what is good about it)
TREASURES = {
    "kite": (["red", "blue", "yellow", "paper"], "fly it from the top of the hill",
             "it flew higher than the tallest trees"),
    "whistle": (["silver", "tin", "wooden"], "blow it on the way home",
                "its note was as clear as the song of a bird"),
    "boat": (["wooden", "little white", "toy"], "sail it on the pond",
             "it never once tipped over"),
    "bell": (["brass", "silver", "little"], "ring it in the morning",
             "it could be heard across the whole valley"),
    "hat": (["straw", "green", "pointed", "red"], "wear it on the way to market",
            "it kept off both the sun and the rain"),
    "drum": (["little", "painted", "red"], "beat it in the village square",
             "it made everyone want to march"),
    "lantern": (["tin", "yellow", "paper", "round"], "carry it through the dark",
                "it shone like a small moon"),
    "blanket": (["woollen", "soft blue", "striped"], "wrap it around cold toes",
                "it was warmer than a hot stove"),
    "ball": (["red", "golden", "striped"], "bounce it against the wall",
             "it bounced higher than the gate"),
    "book": (["picture", "blue", "thick"], "read it by the window",
             "it was full of ships and dragons"),
    "umbrella": (["green", "spotted", "yellow"], "open it in the rain",
                 "it was as wide as a small roof"),
    "flute": (["wooden", "silver", "reed"], "play it in the evening",
              "even the wind stopped to listen to it"),
    "scarf": (["red", "long blue", "woollen"], "wear it on frosty days",
              "it was as soft as feathers"),
    "sledge": (["wooden", "fast", "little"], "ride it down the white hill",
               "it slid faster than the wind"),
    "basket": (["willow", "round", "strong"], "fill it with berries",
               "it never lost a single berry"),
    "key": (["golden", "rusty", "little brass"], "turn it in the lock of the old chest",
            "it opened the old chest in the attic"),
}

HIDING_PLACES = [
    "under the bed", "behind the barn", "in the long grass", "beside the well", "among the reeds",
    "beneath the old oak", "behind the garden wall", "in the hay", "by the mill stream",
    "under the stone bridge", "between the cabbages", "in the hollow log", "behind the stove",
    "under the blackberry bush", "at the bottom of the ditch", "on top of the cupboard"]

FOODS = ["apple pie", "honey cake", "carrot soup", "plum jam", "warm bread", "pancakes",
         "berry pudding", "hot chestnuts", "oatmeal with honey", "gingerbread"]

GROWNUPS_CHILD = ["grandmother", "grandfather", "mother", "father", "aunt", "uncle"]
GROWNUPS_ANIMAL = ["grandmother", "grandfather", "mother", "father"]

# (how it is told at the beginning, how it comes back at the end)
DETAILS = [
    (
        "{a.He} always wore a red scarf, [even in summer|summer and winter|whatever the weather]",
        "The red scarf [fluttered behind {a.him} like a flag|was wet and muddy, but {a} did not mind]"),
    (
        "{a.He} hummed a little tune whenever {a.he} was thinking",
        "And {a} hummed {a.his} little tune [all the way home|until the stars came out]"),
    (
        "{a.He} kept three smooth stones in {a.his} pocket for luck",
        "{a.He} gave one of {a.his} three lucky stones to {b}, [and kept the other two|because luck is "
        "best when it is shared]"),
    (
        "{a.He} had a very loud laugh, which [made the windows rattle|could be heard across the river]",
        "{a} laughed {a.his} loud laugh, and [even the crows flew up|everyone laughed too]"),
    (
        "Every morning {a.he} said good day to the sun",
        "And in the morning {a} [said good day to the sun twice, because {a.he} was so happy|did not "
        "forget to say good day to the sun]"),
    (
        "{a.He} asked more questions than [anybody could answer|there are leaves on a tree]",
        'For once {a} had [no questions at all|only one question left, and it was, "When can we do it '
        'again?"]'),
    (
        "{a.He} liked to count things, [such as clouds and snails and steps|clouds most of all]",
        "{a} counted {a.his} friends that evening, and [there was one more than before|was pleased "
        "with the number]")]
