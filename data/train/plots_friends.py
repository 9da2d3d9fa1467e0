"""Plots about friends: a quarrel, help returned, loneliness."""

from scenes import evening, friends_ever_after, hero, one_day, opening


def quarrel(s):
    hero(s)
    s.set(day=one_day(s))
    t = s.thing("t", ["kite", "boat", "ball", "drum", "sledge", "book", "umbrella", "flute"])
    opening(s)
    b = s.cast("b")
    s.set(m=b)
    s.add(
        "{a.His} best friend was {b.intro}, [and they played together every day|who lived next "
        "door|who came to visit every day]",
        "Next door lived {b.intro}. The two of them [did everything together|were always together]")
    s.para(0.7)
    s.add("{day} they found {t.a} [beside the road|in the grass|floating in the brook|in the attic]",
          "{day} an old [sailor|pedlar|soldier] gave them {t.a}, and {t.good}")
    s.say("a",
        "It is mine! I saw it first!", "I shall {t.use}!", "Give it to me! I am the older one!",
        mood="cry")
    s.say("b",
        "No, it is mine! I picked it up!", "You always want everything for yourself!",
        "I want to {t.use} too!", mood="cry")
    s.add(
        "They pulled [at both ends|to the left and to the right] until [something cracked|both fell "
        "over|both of them were red in the face]",
        "Neither of them would let go, [and soon they were shouting|and the birds flew away from the "
        "noise]")
    s.maybe(0.7,
        "Then {b} went home [without a word|and shut the door]. {a} [had {t.the} all alone|kept "
        "{t.the}], but [it was no fun at all|somehow it had lost its shine]",
        "At last they turned their backs on each other. [It was very quiet|Nobody wanted to play any "
        "more]")
    s.para(0.8)
    way = s.rng.random()
    if way < 0.4:
        s.add(
            'An old woman who was passing by [shook her head|had seen everything]. "There is a morning '
            'and an afternoon in every day," she said. "[Have you thought of that|Is that not enough '
            'for two]?"',
            '{a.His} {elder} had seen it all. "[You can find another {t.noun}|A {t.noun} can be '
            'mended]," {eldhe} said, "but a friend is harder to find."')
        s.add(
            "{a} [looked at {b}'s closed door|thought about it for a while|felt ashamed]. Then {a.he} "
            "[knocked at {b}'s window|went to find {b}]")
    else:
        s.add(
            "That [night|evening] {a} could not [sleep|eat]. {t.The} lay on the table, and it [looked "
            "sad|seemed to look at {a.him}]. [In the morning|Before breakfast] {a.he} went to find {b}",
            'After a while {a} [looked at {t.the}|kicked a stone]. "What is the good of it [without '
            '{b}|alone]?" {a.he} thought, and {a.he} went to find {b}')
    s.say("a",
        "I am sorry. You may have it first.", "I was wrong. Let us take turns.",
        "I would rather have you than a {t.noun}.", "I am sorry I shouted. It is yours as much as mine.",
        mood="sad")
    s.say("b",
        "I am sorry too.", "And I am sorry that I pulled.", "I was silly too. We can {t.use} together.",
        "Then let us share it.")
    s.para(0.6)
    s.add(
        "So {b} had it in the morning and {a} in the afternoon, [and on Sundays they shared it|and "
        "nobody had to count the minutes]",
        "They went out to {t.use} together, and it was [twice as much fun|better than before]",
        "From then on they [took turns|shared it], and {t.good}")
    s.maybe(0.5,
        "{t.The} was [old and scratched|worn out] in the end, but the friendship [was not|was as good "
        "as new]", "And if they ever quarrelled again, it was soon over")
    if s.rng.random() < 0.4:
        evening(s)


def kindness_returned(s):
    hero(s)
    s.set(day=one_day(s))
    opening(s)
    s.para(0.6)
    traps = [
        ("caught in a thorn bush", "[bent the branches aside|pulled out the thorns one by one]"),
        ("stuck in the mud", "[held out a long stick|laid down a board]"),
        (
            "tangled in an old net",
            "[untied every knot|bit through the cords]"
            if s.slots["a"].animal
            else "[untied every knot|cut the cords]"),
        ("lying at the bottom of a pit", "[let down a rope|pushed in a long branch]"),
        ("trapped under a fallen branch", "[pushed with all {a.his} strength|lifted the branch]")]
    trap, rescue = s.rng.choice(traps)
    s.set(trap=trap, rescue=s.expand(rescue))
    b = s.cast("b", animal=True)
    s.add(
        "{day} {a} heard [someone crying|a small voice|a cry for help]. There was {b.intro}, {trap}",
        "{day} {a.he} found {b.intro} {trap}",
        '{day} {a} was on the way to [the market|the mill|the spring] when {a.he} saw a {b.kind} '
        '{trap}. "[Help me|Please help], my name is {b}," said the {b.short}')
    s.maybe(0.6,
        '"[Please help me|Help]! [I have been here all night|I cannot move]!" said {b}',
        '"Do not be afraid," said {a}')
    s.add(
        "{a} [was in a hurry, but {a.he} stopped all the same|did not think twice]. {a.He} {rescue}, "
        "until {b} was free",
        "{a} {rescue}, and [before long|at last] {b} was free")
    s.say("b",
        "Thank you. One day I shall help you.", "I shall never forget this.",
        "You have saved me. If you need me, call my name three times.",
        "I am small, but I do not forget.")
    s.maybe(0.5,
        "{a} [laughed|smiled]. [How could a {b.short} ever help {a.him}|What could a {b.short} do]? "
        "But {a.he} said thank you",
        "And {b} [was gone|disappeared into the bushes]")
    s.para()
    danger = s.rng.choice(
        [
            (
                "[Weeks passed|Winter came]. One evening {a} lost {a.his} way in the [snow|fog], and "
                "[it grew darker and darker|every path looked the same]",
                "led {a.him} along a narrow path, [step by step|by the light of the moon], until they "
                "saw the lamp in {a.his} window"),
            (
                "[A month later|Not long after], {a} fell into the river, and the water [was deep and "
                "fast|pulled {a.him} along]",
                "pushed a [log|branch] into the water, and {a} held on to it and was pulled to the bank"),
            (
                "[In the autumn|One day] the door of the [cellar|old mill] fell shut behind {a}, and "
                "nobody heard {a.him} [call|knock]",
                "slipped through a crack, fetched the key, and [turned it in the lock|pushed it under "
                "the door]"),
            (
                "[Some time later|In the winter], {a} fell ill and needed [a flower that grew only "
                "high on the mountain|water from the spring behind the hill]",
                "went all night through wind and rain to fetch it, [and stood at the door at dawn|and "
                "came back with wet feet and a smile]"),
            (
                "[Later that year|One day], a thief stole all the [apples|bread|honey] that {a} had "
                "put by for the winter",
                "followed the tracks to the thief's den and [brought everything back in a sack|carried "
                "it all home, bit by bit]")])
    s.add(danger[0])
    s.maybe(0.7,
        '"[What shall I do now|Is nobody there]?" {a} [thought|cried]',
        "{a} was [very much afraid|close to tears]",
        'Then {a} remembered [a small promise|the {b.short}]. "{b}! {b}! {b}!" {a.he} called')
    s.set(deed=s.expand(danger[1]))
    s.add(
        "[Then something rustled|Then there was a noise|Suddenly someone was there]. It was {b}! "
        "{b.He} {deed}",
        "But {b} [had heard|knew], and {b.he} [came at once|did not wait]. {b.He} {deed}")
    s.para(0.6)
    s.say("a",
        "You came! You kept your promise!", "I thought you were too small to help me. I was wrong.",
        "Thank you, {b}. Now we are even.", mood="cry")
    s.say("b",
        "You helped me first.", "A promise is a promise.", "Friends never need to be even.",
        "Small friends have good ears.", "I said that I would not forget.")
    if s.rng.random() < 0.55:
        friends_ever_after(s)
    s.maybe(0.4,
        "No [kindness|good deed] is ever too small",
        "[A kind deed|Kindness] comes back, {a.his} {elder} used to say, and it does")
    if s.rng.random() < 0.4:
        evening(s)


def lonely(s):
    hero(s)
    s.set(day=one_day(s))
    opening(s, "to have a friend")
    s.para(0.6)
    s.add(
        "{a} was new there, [and did not know anyone|and the others played without {a.him}]",
        "All the others [had somebody to play with|played in twos and threes], but {a} was alone",
        "There was nobody to [play|talk] with, and the [days|evenings] were long")
    tries = s.rng.sample(
        [
            "{a.he} asked the [ducks|swallows|geese], but they were [leaving for the south|too busy]",
            "{a.he} talked to the [moon|scarecrow|wind], but there was no answer",
            "{a.he} wrote a letter and put it in a bottle, but the river [brought it back|carried it "
            "away]",
            "{a.he} asked the [snail|turtle on the bank|old goat], but by the time there was an answer "
            "it was dark",
            "{a.he} put a sign on the gate that said: Friend wanted. The rain washed it away"], 2)
    s.set(y1=s.expand(tries[0]), y2=s.expand(tries[1]))
    s.add("First {y1}. Then {y2}", "One day {y1}. The next day {y2}")
    s.maybe(0.5, '"Perhaps [there is no friend for me|nobody likes me]," [said|sighed] {a}')
    s.para(0.8)
    s.pick("fun",
        [
            "climb the old apple tree", "build a house of leaves", "skip stones on the water",
            "make shadow animals on the wall", "roll down the hill", "look for shells"])
    s.add(
        "{day} {a.he} heard [a sigh|somebody humming|a small noise] behind the [hedge|wall|shed]",
        "{day} something [rolled|fell] over the [hedge|wall]. It was a [round nut|ball of wool|red "
        "apple]")
    b = s.cast("b")
    s.set(m=b)
    s.add(
        "There sat {b.intro}, [all alone|with nobody near]",
        "It was {b.intro}, who [sat there all alone|looked just as lonely]",
        'There stood a {b.adj} {b.kind}. "I am new here. My name is {b}," said the {b.short}')
    s.say("b",
        "Nobody ever wants to play with me.", "I wish I had a friend.", "I was too shy to say hello.",
        "I have watched you every day, but I did not dare to ask.", mood="sad")
    s.say("a",
        "But I was looking for a friend too!", "And I was too shy as well!",
        "Then let us play together!",
        "I have been looking for you everywhere, and I did not know it!", mood="cry")
    s.maybe(0.6, "They looked at each other and [began to laugh|both turned red]")
    s.para(0.6)
    s.add(
        "They went off to {fun}, and [the afternoon was over before they knew it|they forgot the time]",
        '"Shall we {fun}?" asked {b}. "[Yes|Oh yes], let us!" said {a}. [And so they did|They did it '
        'until dark]')
    s.add(
        'When it was [time to go home|dark], {b} asked, "Will you come [again|back] tomorrow?" '
        '"[Tomorrow, and the day after|Every day]," said {a}', "")
    s.add(
        "Now {a} had [the friend {a.he} had wished for|a friend], and [the house was not so quiet any "
        "more|so had {b}]",
        "So the wish had come true, [and not only for {a}|twice over]")
    if s.rng.random() < 0.5:
        evening(s)
