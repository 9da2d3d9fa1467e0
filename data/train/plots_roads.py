"""Plots about a journey and a lost child."""

from scenes import evening, friends_ever_after, hero, meet, one_day, opening


def journey(s):
    hero(s)
    s.set(day=one_day(s))
    g = s.rng.choice(
        [
            (
                "the sea", "see the sea",
                "The sea was [blue and grey and green|bigger than the sky], and it [never stood "
                "still|sang an endless song]", "a bottle of salt water"),
            (
                "the top of the mountain", "stand on the top of the mountain",
                "From the top [the whole land lay spread out|the villages were as small as toys], and "
                "[the clouds were below them|an eagle flew underneath]", "a white stone"),
            (
                "the great waterfall", "see the great waterfall",
                "The water [fell from the sky|came down like a silver curtain], and there was a "
                "rainbow in it", "a smooth round pebble"),
            (
                "the lighthouse", "climb the lighthouse",
                "The lighthouse was [tall and white|as tall as twenty trees], and the keeper let them "
                "turn the great lamp", "a piece of blue glass"),
            (
                "the winter fair", "go to the winter fair",
                "There were [a thousand lanterns|jugglers and drummers], [and it smelled of "
                "gingerbread|and a carousel with white horses]", "a gingerbread heart"),
            (
                "the end of the rainbow", "find the end of the rainbow",
                "The rainbow ended in a field of [poppies|yellow flowers], and [every drop of dew "
                "shone|there was no gold, but all the colours were there]", "a handful of flower seeds")])
    s.set(goal=g[0], do=g[1], view=s.expand(g[2]), token=g[3])
    opening(s, "to {do}")
    s.para(0.6)
    s.add(
        '"It is [far|too far] for [you|somebody so small]," said {a.his} {elder}. But {day} {a} '
        '[packed|put] [some bread and a warm scarf|an apple and a piece of cheese|{food}] into a bag '
        'and [set off|went]',
        "{day} {a.he} could wait no longer. {a.He} [packed a small bag|put on {a.his} warmest coat], "
        "[kissed {a.his} {elder}|said goodbye to {a.his} {elder}] and [set off|went out of the gate]")
    meet(s, mood="plain")
    s.say("a", "I am going to {goal}. Do you know the way?", "I want to {do}. Is it far?", mood="ask")
    s.say("b",
        "I have always wanted to go there too. May I come along?",
        "Two can carry a bag better than one. I am coming with you.",
        "I know the way as far as the river.", "It is far, but the road is good if one is not alone.")
    s.para(0.7)
    obstacles = s.rng.sample(
        [
            "They came to a river without a bridge, [but {b} knew where the stones were|so they built "
            "a raft out of branches|and a fisherman rowed them across]",
            "In the forest [the path divided into three|they lost the path]. {a} climbed a tree, and "
            "from the top {a.he} saw the road again",
            "It rained for two days, and they [sat under a rock and told stories|walked on under one "
            "big leaf|slept in a barn among the sheep]",
            "A big [dog|goose|bull] blocked the way. {a} was afraid, but {b} [spoke kindly to it|gave "
            "it a piece of bread], and it let them pass",
            'The hill was so steep that {b} [wanted to turn back|sat down]. "[Only as far as the next '
            'tree|Ten more steps]," said {a}, again and again, until they were at the top',
            "When the bread was gone, they [found nuts and berries|picked blackberries|helped an old "
            "woman with her hay, and she gave them soup]"], 2)
    s.add(obstacles[0])
    s.add(
        s.expand("[Then|The next day] ") + obstacles[1][0].lower() + obstacles[1][1:]
        if not obstacles[1].startswith(("In the", "When", "It rained"))
        else obstacles[1])
    s.maybe(0.4,
        '"[Are we nearly there|Is it still far]?" asked {b}. "[Nearly|Only over the next hill]," said '
        '{a}, [although {a.he} did not know|and this time it was true]')
    s.para(0.7)
    s.add(
        "And then, on the [third|fourth|seventh] day, they [were there|came to {goal}]. {view}",
        "At last they [reached|stood before] {goal}. {view}")
    s.add(
        '{a} [said nothing for a long time|could not say a word|stood with wide open eyes]. "[It is '
        'even better than I dreamed|So this is it]," {a.he} [whispered|said]',
        '"[Look|Oh, look]!" cried {b}. But {a} was already looking, [and would have liked to look for '
        'ever|with {a.his} mouth wide open]')
    s.maybe(0.7,
        "{a} took {token} home with {a.him}, [and it stood on the window sill|as a present for {a.his} "
        "{elder}]", "For {a.his} {elder} {a} brought back {token}")
    s.add(
        '"[Was it far|Well, was it too far]?" asked {a.his} {elder} when {a.he} came home. "[Yes, but '
        'not for two|Very far, and I would go again tomorrow]," said {a}',
        "The way home was [shorter|easier], as it always is, and [{a} and {b} sang|they talked] all "
        "the way")
    if s.rng.random() < 0.5:
        friends_ever_after(s)
    else:
        evening(s)


def lost_child(s):
    hero(s)
    s.set(day=one_day(s))
    opening(s)
    children = ["duck", "lamb", "owl", "bear", "otter", "hedgehog", "rabbit", "goat"]
    if s.slots["a"].short in ("duck", "lamb"):
        children = ["owl", "bear", "otter"]
    s.set(m=s.cast("b", True, children))
    s.para(0.5)
    s.add(
        "{day} {a} found a very small {b.short} [crying under a bush|sitting all alone beside the "
        "path]. {b.His} name was {b}, [and that was all {b.he} knew|and {b.he} could say little else]",
        "{day} {a} heard crying [in the reeds|behind a stone]. It was a tiny {b.short} named {b}")
    s.say("b",
        "I have lost my mother.",
        "I only followed a butterfly, and now I do not know where I am.", "I want to go home.",
        mood="sad")
    s.say("a",
        "Do not cry. We shall find her.", "Come with me. We shall look until we find her.",
        "What does your mother look like?")
    if s.rng.random() < 0.6:
        s.add(
            '"She is [the most beautiful of all|warm and soft], and she smells of [home|moss]," said '
            '{b}. That was not [much help|a great help], but [they set off|{a} did not say so]')
    s.para(0.6)
    asked = s.rng.sample(
        [
            "the miller", "an old crow", "the washerwoman at the river", "a snail",
            "the shepherd on the hill", "two cows", "the ferryman"], 3)
    s.set(q1=asked[0], q2=asked[1], q3=asked[2])
    s.add(
        "They asked {q1}, who [knew nothing|only shook a tired head]. They asked {q2}, who [had seen "
        "no one|had been asleep]. [The sun sank lower|It began to get dark]",
        'First they asked {q1}, but there was no answer. Then they asked {q2}. "[Try farther up the '
        'brook|Ask somewhere else]," was the answer')
    s.maybe(0.6,
        "{b} was so tired that {a} [had to carry {b.him}|took {b.him} on {a.his} back]",
        "To keep {b.him} from crying, {a} [sang a song|told {b.him} a story about the moon]")
    s.add(
        "Then {a} had an idea. \"[Call as loudly as you can|Let us stand still and listen],\" {a.he} "
        "said. [And from far away there came an answer|They listened, and far away somebody was "
        "calling {b}'s name]",
        'At last they asked {q3}. "[Somebody is looking for a child down by the willows|A mother has '
        'been calling in the valley all day]," was the answer, and they ran there')
    s.para(0.6)
    s.add(
        "[Out of the mist|Over the hill|Through the grass] came {b}'s mother. [How they hugged|What a "
        "joy that was]! \"[Never run after butterflies again|There you are]!\" she said, [laughing and "
        "crying|and kissed {b.him} all over]",
        '"There she is!" cried {b}, and [ran|jumped down and ran] [into her arms|to her]. {a} [stood a '
        'little apart and was glad|had something in {a.his} eye]')
    s.add(
        "\"How can I thank you?\" {b}'s mother asked {a}. \"[You need not|It was a fine walk],\" said "
        "{a}",
        "Before {a} went home, {b}'s mother gave {a.him} [a feather for luck|a pot of honey|a kiss on "
        "each cheek]")
    s.add(
        "[Often|Every week] after that, {b} came to [visit|play], [and never got lost again|and {a} "
        "always took {b.him} home before dark]",
        "And {b} [grew up big and strong|grew and grew], but never forgot who had [carried "
        "{b.him}|helped {b.him}] that day")
    if s.rng.random() < 0.5:
        evening(s)
