"""Plots about presents, gardens, and the truth."""

from scenes import evening, friends_ever_after, hero, meet, one_day, opening, trouble_told


def birthday_gift(s):
    hero(s)
    s.set(day=one_day(s))
    e = s.slots["elder"]
    opening(s)
    s.para(0.6)
    s.add(
        "[Tomorrow|The next day|On Sunday] it would be {a.his} {elder}'s birthday, and {a} had no "
        "present",
        "{a.His} {elder}'s birthday was near, and {a} wanted to give {eldhim} something "
        "[special|beautiful|that nobody else would give]")
    ideas = s.rng.sample(
        [
            ("a bunch of flowers", "a goat ate them", "the goat looked very pleased"),
            ("a cake", "it burned as black as coal", "even the crows would not touch it"),
            (
                "a jar of honey", "the bees chased {a.him} down the hill",
                "{a.he} had to jump into the brook"),
            (
                "a picture of the house", "the rain washed all the colours away",
                "only a blue puddle was left"),
            (
                "a bowl of strawberries", "{a.he} ate them all, one by one, without noticing",
                "there were only stalks left"),
            ("a clay cup", "it cracked in the oven", "it would not hold a drop")], 2)
    s.set(
        g1=ideas[0][0],
        f1=s.expand(ideas[0][1]),
        c1=s.expand(ideas[0][2]),
        g2=ideas[1][0],
        f2=s.expand(ideas[1][1]))
    s.add(
        "First {a.he} thought of {g1}. But {f1}, and {c1}",
        "{a.He} got {g1} ready, but {f1}. [Worse still|And then], {c1}")
    s.add("Then {a.he} tried {g2}, but {f2}", '"Then it will be {g2}," said {a}. But [no|oh dear]: {f2}')
    s.maybe(0.6, '{a} sat down on the step. "[Now I have nothing at all|It is hopeless]!" {a.he} said')
    s.para(0.8)
    way = s.rng.random()
    if way < 0.5:
        meet(s)
        trouble_told(s)
        s.add(
            '"What does your {elder} like best?" asked {b}',
            '"A present need not be a thing," said {b}. "What makes your {elder} happy?"')
        joy = s.pick("joy", ["songs", "stories", "dancing", "company on long walks"])
        s.set(answer=joy.capitalize())
        s.add(
            '{a} thought. "{answer}," {a.he} said. And then {a.he} [smiled|jumped up], for {a.he} had '
            'an idea')
        s.add(
            "[Together they practised|All afternoon they practised|They worked at it] until [the first "
            "star came out|the owls began to call]")
        s.para()
        deed = {
            "songs": "sang a song that {a.he} had made up",
            "stories": "told a story about a [dragon|bear|king] who was afraid of mice",
            "dancing": "danced with {eldhim} around the kitchen",
            "company on long walks": "walked with {eldhim} all the way to the [lake|hill] and back"}[joy]
        s.set(deed=s.expand(deed))
        s.add("On the birthday {a} {deed}, [and {b} clapped|while {b} kept time|and {b} came too]")
    else:
        s.thing("t", ["scarf", "basket", "lantern", "blanket"])
        s.add(
            "Then {a.he} saw {a.his} own {t.noun} [hanging on the wall|on the chair]. It was {t.a}, "
            "and {t.good}",
            "{a} looked around. The best thing {a.he} had was {t.a}; {t.good}")
        s.add(
            "It was hard to part with it, but {a.he} loved {a.his} {elder} more",
            "{a} [held it for a moment|stroked it once]. Then {a.he} tied a ribbon around it")
        s.para()
        s.add(
            'On the birthday {a} put {t.the} on the table. "It is [mine|the best thing I have]," '
            '{a.he} said, "and now it is yours."')
    s.add(
        '{a.His} {elder} [laughed and cried at the same time|had to sit down|took {a} in {eldhis} '
        'arms]. "[It is the best present I ever had|Nobody ever gave me anything so fine]," {eldhe} said',
        '"[Never have I had a better present|This I shall remember all my life]," said {a.his} '
        '{elder}, [and kissed {a.him} on the nose|and {eldhis} eyes shone]')
    s.maybe(0.5,
        "Then they all ate {food}", "There was {food} for everybody", "And then there was {food}")
    if s.rng.random() < 0.4:
        evening(s)


def garden(s):
    hero(s)
    s.set(day=one_day(s))
    s.pick("plant", ["pumpkin", "sunflower", "bean", "apple tree", "rose bush", "cherry tree"])
    big = {
        "pumpkin": "a pumpkin as round as a cartwheel",
        "sunflower": "a sunflower taller than the door",
        "bean": "a bean plant that climbed to the roof",
        "apple tree": "a little tree with three red apples",
        "rose bush": "a bush covered with yellow roses",
        "cherry tree": "a young tree full of cherries"}
    s.set(big=big[s.slots["plant"]])
    opening(s, "to grow something in the garden" if s.rng.random() < 0.5 else None)
    s.para(0.5)
    s.add(
        '{day} {a.his} {elder} gave {a.him} a seed. "[Plant it and be patient|Put it in the earth and '
        'wait]," {eldhe} said',
        "{day} {a.he} found a [small brown|round|strange] seed [on the path|in an old jar|in {a.his} "
        "pocket], and {a.he} planted it [beside the fence|by the door]")
    s.add(
        "{a} [watered it every morning|dug a hole, put in the seed and watered it]. Then {a.he} [sat "
        "down to wait|waited]. [Nothing happened|Nothing came up]",
        "[One day passed|A week went by], and then another, and nothing came up")
    s.maybe(0.6,
        '"[Grow|Please grow|Hurry up]!" {a} [told it|said to the earth]. [The earth said nothing|A '
        'worm looked out and went in again]')
    s.para(0.6)
    if s.rng.random() < 0.75:
        meet(s)
        trouble_told(s)
        s.add(
            '"[Seeds do not like to be hurried|A seed has its own clock]," said {b}. "[Give it water '
            'and sun, and tell it a story in the evening|Leave it alone, and look after it]."',
            '{b} laughed. "[You cannot pull a plant out of the ground with your eyes|It is growing '
            'down before it grows up]," {b.he} said')
        s.set(who="{a} and {b}")
        s.add(
            "So {a} [waited|was patient], [and every evening {b} came to keep {a.him} company|and {b} "
            "helped to carry the water]")
    else:
        s.add(
            'One night {a} wanted to dig it up [to see what was wrong|and look]. "[Wait one more '
            'day|Not yet]," said {a.his} {elder}, and {a} waited')
    s.add(
        "[In the spring|One morning after the rain|At last], a [green tip|tiny leaf|thin green shoot] "
        "[peeped out of the earth|stood there in the sun]",
        "Then, [after a night of rain|when nobody was looking], a [green tip|tiny leaf] came up")
    s.add(
        "One night a [storm|frost] came, and {a} [covered it with {a.his} own blanket|put a pot over "
        "it|stood over it with an umbrella]",
        "[The snails|The goat|The crows] wanted to eat it, but {a} [kept watch|built a fence around it]",
        "")
    s.para(0.5)
    s.add("By the end of summer there stood {big}", "It grew and grew, until there was {big}")
    if "b" in s.slots:
        s.add(
            "{a} [shared it with {b}|called {b}, and they danced around it]"
            if s.slots['plant'] in ('sunflower', 'bean', 'rose bush') and False
            else '{a} ran to fetch {b}, and they [danced around it|looked at it for a long time]. '
                 '"[You were right about waiting|It was worth the wait]," said {a}')
        if s.rng.random() < 0.4:
            friends_ever_after(s)
    else:
        s.add(
            '"[Look what I have grown|You were right]!" {a} [cried|said]. {a.His} {elder} '
            '[nodded|smiled]. "[Good things take time|You waited well]," {eldhe} said')
    if s.slots["plant"] in ("pumpkin", "apple tree", "cherry tree"):
        s.maybe(0.6,
            "There was enough for [everyone|the whole neighbourhood], and one seed was kept for the "
            "next year")
    if s.rng.random() < 0.5:
        evening(s)


def honesty(s):
    hero(s)
    s.set(day=one_day(s))
    opening(s)
    s.para(0.5)
    s.pick("broken", ["blue jug", "white teapot", "window", "clay bowl", "mirror", "painted plate"])
    s.add(
        "{day} {a} was [playing in the kitchen|chasing a fly|dancing about], [though it was not "
        "allowed|although {a.his} {elder} had said not to]. [Crash|Bang|Suddenly there was a crash]! "
        "The {broken} [was broken|lay in pieces]",
        "{day} {a} broke {a.his} {elder}'s {broken}. [It was an accident|It happened in a moment]: "
        "{a.he} had [turned around too fast|only wanted to look at it]")
    s.add(
        "{a} [looked around|held {a.his} breath]. Nobody had [seen it|heard it]. Quickly {a.he} [swept "
        "up|gathered] the pieces and hid them [in the hay|behind the shed|in a sack]")
    s.para(0.5)
    s.add(
        '"Who [broke|has broken] my {broken}?" asked {a.his} {elder}. "[It was the cat|It must have '
        'been the wind|I do not know]," said {a}')
    s.add(
        "But [the lie|the secret] [was like a stone in {a.his} shoe|grew heavier every hour]. Even the "
        "{food} [tasted of nothing|would not go down]",
        "From then on {a} had a [stomach ache|strange feeling], and [every step on the stairs made "
        "{a.him} jump|{a.he} did not want to play]")
    s.para(0.7)
    if s.rng.random() < 0.65:
        meet(s)
        trouble_told(s)
        s.say("b",
            "The truth is hard for a minute. A lie is hard for a long time.",
            "I once told a lie. It followed me about like a goose until I told the truth.",
            "If I were you, I would tell it before supper.",
            "You will not be happy until you have told.")
        s.maybe(0.5,
            '"[I am afraid|But it will make trouble]," said {a}. "[Shall I come with you|I shall wait '
            'at the gate]," said {b}')
    else:
        s.add(
            "That night {a} lay awake. The clock said: tell it, tell it, tell it",
            "{a} lay in bed and watched the moon. [Even the moon seemed to know|The moon looked in at "
            "the window like a big eye]")
    s.add(
        'At last {a} went to {a.his} {elder}. "It was [me|I who broke it]," {a.he} said [in a small '
        'voice|with tears in {a.his} eyes]. "[I am so sorry|And then I told a lie]."',
        '{a} took a deep breath, fetched the pieces, and put them on the table. "I did it," {a.he} said')
    s.add(
        '{a.His} {elder} was silent for a while. "[Thank you for telling me|That was brave]," {eldhe} '
        'said. "A {broken} can be replaced, but [the truth cannot|trust is harder to mend]."',
        '"I [knew it|guessed it]," said {a.his} {elder}, "and I was waiting for you to tell me." [And '
        '{eldhe} was not angry at all|Then {eldhe} put {eldhis} arms around {a.him}]')
    s.para(0.4)
    s.add(
        "Together they glued the pieces, and [you could hardly see the cracks|one crack remained, to "
        "remember it by]"
        if s.slots["broken"] not in ("window", "mirror")
        else "Together they put in a new one, and {a} paid for it by [washing the dishes for a "
             "month|sweeping the yard all summer]",
        "{a} [worked all summer|helped in the garden] to pay for a new one")
    s.add(
        "The stone in {a.his} heart was gone, [and the {food} tasted good again|and {a} could laugh "
        "again]",
        "And [the stomach ache was gone|{a} felt as light as a feather]")
    if "b" in s.slots:
        s.maybe(0.6,
            '{b} was [waiting|still sitting] at the gate. "[Well|How was it]?" asked {b}. "[All is '
            'well|It was hard for one minute]," said {a}')
    if s.rng.random() < 0.4:
        evening(s)
