"""Plots about things lost, wished for, and made."""

import lexicon as lex
from scenes import evening, friends_ever_after, hero, meet, one_day, opening, trouble_told


def lost_treasure(s):
    hero(s)
    t = s.thing("t")
    s.set(t=t, day=one_day(s))
    places = s.rng.sample(lex.HIDING_PLACES, 4)
    s.set(p1=places[0], p2=places[1], p3=places[2])
    opening(s)
    s.add(
        "{a.He} [owned|had] {t.a}, and {a.he} loved it because {t.good}",
        "Of all the things {a.he} had, {a} loved {t.the} best. {a.He} liked to {t.use}",
        "{a.His} {elder} had given {a.him} {t.a}, and [every day|whenever {a.he} could] {a.he} would "
        "{t.use}",
        "{a.His} [dearest|greatest] treasure was {t.a}: {t.good}")
    s.para(0.8)
    s.add("{day} {t.the} was gone", "But {day} {t.the} was nowhere to be [seen|found]",
          "{day} {a} wanted to {t.use}, but {t.the} was not in its place",
          "Then {t.the} disappeared")
    s.maybe(0.6, "{a} felt [cold with fright|like crying|a lump in {a.his} throat]",
            "{a} [turned pale|could hardly believe it|looked three times to be sure]")
    s.maybe(0.5,
        '"[Where can it be|Where is my {t.noun}|Oh, where did I leave it]?" [cried|said|sighed] {a}',
        '"I must find it before [dark|supper|the rain comes]," said {a}')
    s.add(
        "{a.He} [looked|searched] {p1}, but [found only dust|there was nothing there|it was not "
        "there]. {a.He} [looked|searched] {p2}, and [found an old shoe|saw only a beetle|there it was "
        "not either]",
        "First {a.he} looked {p1}. Then {a.he} looked {p2}. There was no {t.noun} [anywhere|to be seen]",
        "{p1} {a.he} found [a button|a snail|a feather], and {p2} {a.he} found [a spoon|a rusty "
        "nail|nothing at all], but {t.the} was in neither place")
    s.para(0.7)
    meet(s)
    trouble_told(s)
    way = s.rng.random()
    if way < 0.35:
        s.say("b", "[Think back|Let us think]. Where did you [last have it|use it last]?", mood="ask")
        s.add(
            "{a} thought hard. [Yesterday|The evening before] {a.he} had been {p3}, [and then it had "
            "begun to rain|because {a.he} had been watching the ants]",
            "{a} closed {a.his} eyes. All at once {a.he} remembered [sitting|playing|resting] {p3}")
        s.add(
            "They ran [all the way|as fast as they could], and there, {p3}, lay {t.the}, [a little wet "
            "but not broken|just where {a.he} had left it]",
            "Together they [went to look|hurried there]. And there it was, {p3}")
    elif way < 0.7:
        s.say("b",
            "I [saw something|think I saw it] {p3}.", "Have you looked {p3}?",
            "This morning a [magpie|crow] dropped something {p3}.")
        s.add(
            "They went [at once|together] to look. [Sure enough|And there], {p3}, [lay|was] {t.the}",
            "{a} [ran|hurried] there with {b} close behind. {t.The} [lay|was] {p3}, [shining in the "
            "sun|covered with leaves|as good as ever]")
    else:
        s.add(
            '{b} [looked at the ground|turned red|was silent for a while]. "I found {t.a} {p3}," '
            '{b.he} said. "I did not know [that it was yours|whose it was]."')
        s.add(
            "{b} [fetched it|brought it out] and put it [gently|carefully] into {a}'s [arms|lap]. "
            "\"[Thank you for keeping it safe|You could not have known],\" said {a}")
    s.para(0.6)
    s.add(
        '{a} [hugged|thanked] {b} [again and again|with all {a.his} heart|until {b.he} laughed]. "[Now '
        'we can both {t.use}|Come, let us {t.use} together|I would never have found it alone]," {a.he} '
        'said',
        '"[You are a true friend]!" [cried|said] {a}. [And together|So that very day] they went to '
        '{t.use}',
        "How [happy|glad] {a} was! {a.He} let {b} be the first to {t.use}")
    if s.rng.random() < 0.5:
        friends_ever_after(s)
    s.maybe(0.5, "And {a} never again left {t.the} [lying about|out at night|behind]",
            "After that {a} always put {t.the} [back in its place|on the shelf at night]")
    if s.rng.random() < 0.5:
        evening(s)


def earned_wish(s):
    hero(s)
    s.thing("t")
    s.set(day=one_day(s))
    s.pick("shop", ["shop window", "market stall", "toymaker's window", "pedlar's cart"])
    s.pick("coins", ["five", "six", "seven", "ten", "twelve"])
    opening(s, "to own {t.a}")
    s.para(0.7)
    s.add(
        "{day} {a.he} saw [just such a {t.noun}|one] in the {shop}. It was {t.a}, and [the sign said "
        "that|people said that] {t.good}",
        "In the {shop} {a.he} had seen {t.a}. [Everyone said|The seller said] that {t.good}",
        "{day} there was {t.a} in the {shop}. {a} [pressed {a.his} nose against the glass|stood still "
        "and stared]"
        if "window" in s.slots["shop"]
        else "{day} there was {t.a} on the {shop}. {a} stood still and stared")
    s.add(
        "But it cost {coins} coins, and {a} had [none|only one|not even half of that]",
        '"[That will be|It costs] {coins} coins," said the old [seller|shopkeeper|man]. {a} [turned '
        '{a.his} pockets inside out|counted and sighed], but {a.he} had only [one|two]')
    s.maybe(0.5,
        '"Then I shall [earn them|work for it]," said {a}',
        "{a} [did not cry|did not beg]. {a.He} [made a plan|went to look for work]")
    jobs = s.rng.sample(
        [
            "{a.he} carried water for the [gardener|washerwoman|cook]",
            "{a.he} swept the [steps|yard|floor] of the mill",
            "{a.he} picked [apples|pears|plums|cherries] for the farmer",
            "{a.he} stacked firewood for an old woman", "{a.he} fed the geese",
            "{a.he} washed the baker's pans until they shone", "{a.he} held the ladder for the painter",
            "{a.he} took letters up the long hill", "{a.he} untangled the fisherman's nets",
            "{a.he} pulled weeds from morning to noon"], 3)
    s.set(j1=s.expand(jobs[0]), j2=s.expand(jobs[1]), j3=s.expand(jobs[2]))
    s.add(
        "On Monday {j1}. On Tuesday {j2}. [On Wednesday|By the end of the week] {a.his} [arms "
        "ached|feet hurt], but the coins [jingled|clinked] in {a.his} [purse|pocket|jar]",
        "First {j1}, and then {j2}. Each [job|day] brought [another coin|a coin or two]",
        "So {j1}. [The next day|After that] {j2}, and in the evening {j3}. Slowly the [jar|little "
        "purse] [grew heavy|filled up]")
    s.para(0.8)
    way = s.rng.random()
    if way < 0.45:
        s.add("At last {a} had enough, and {a.he} [ran|hurried] to the {shop}")
        meet(s, mood="plain")
        s.add(
            "{b.He} was crying, [because {b.he} had lost the money for {b.his} mother's "
            "medicine|because {b.his} basket of eggs had fallen and there was no money for "
            "more|because {b.his} little brother was ill and there was nothing in the house to eat]")
        s.add(
            '{a} [looked at the {shop}|felt the coins in {a.his} pocket] and [thought for a long '
            'time|swallowed hard]. Then {a.he} gave {b} [the coins|all that {a.he} had]. "[You need '
            'them more|Take them]," {a.he} said')
        s.para(0.5)
        s.add(
            "The old [seller|shopkeeper|man] had seen it all. [The next morning|That evening] {t.the} "
            "stood on {a}'s doorstep, [with a note: For a kind heart|wrapped in brown paper|tied with "
            "a ribbon]",
            '[A week later|Next morning] there was a knock at the door. It was {b}, and {b.he} was '
            'carrying {t.a}. "I made it myself," said {b}. "It is for you, because you helped me."')
        s.add(
            "{a} [could not speak for joy|danced around the room|laughed out loud]. [That same "
            "day|Then] {a.he} and {b} went out to {t.use} together",
            "So {a} could {t.use} after all, [and {b} was there to see it|with a friend beside {a.him}]")
        if s.rng.random() < 0.4:
            friends_ever_after(s)
    else:
        s.add(
            "[On the last day|At last|When the week was over|One evening], {a} counted {coins} coins. "
            "{a.He} ran to the {shop} [as fast as {a.he} could|without stopping once], [and|afraid "
            "that it would be gone, but] {t.the} was still there")
        s.add(
            "\"You [worked hard|have earned it],\" said the old [seller|shopkeeper|man], and put it into "
            "{a}'s arms",
            '{a} put the coins down one by one. "[Well done|That is right to the last coin]," said the '
            'old [seller|shopkeeper|man]')
        s.add(
            "[The very same day|Without waiting|Before supper] {a} went to {t.use}, and it was true: "
            "{t.good}",
            "Nobody was prouder than {a}, who [went straight out to|could now] {t.use}")
        s.add(
            '"[I like it better than a present|It is the best {t.noun} in the world]," said {a}, '
            '"[because I earned it myself|for I worked for it]."',
            "It was {a.his} own, [and {a.he} had earned every bit of it|because {a.he} had worked for "
            "it]", "")
    if s.rng.random() < 0.5:
        evening(s)


def making(s):
    hero(s)
    noun = s.rng.choice(["kite", "boat", "drum", "lantern", "flute", "sledge", "basket"])
    t = s.thing("t", [noun])
    s.set(day=one_day(s))
    opening(
        s,
        "to make {t.a} with {a.his} own hands" if not s.slots["a"].animal else "to make {t.a} all alone")
    s.para(0.6)
    stuff = {"kite": "paper, string and thin sticks", "boat": "a piece of bark and a white cloth",
             "drum": "an old pot and a piece of leather", "lantern": "wire, paper and a candle end",
             "flute": "a hollow reed and a sharp stone", "sledge": "three boards and some nails",
             "basket": "long green willow twigs"}[noun]
    fail = {
        "kite": "it rose as high as the fence and then fell on its nose",
        "boat": "it turned over and sank among the reeds",
        "drum": "it made no more noise than a pillow",
        "lantern": "it went out at the first puff of wind",
        "flute": "it only made a rude noise",
        "sledge": "it broke in two on the first bump",
        "basket": "the bottom fell out"}[noun]
    cure = {"kite": "It needs a tail", "boat": "It needs a stone at the bottom to keep it steady",
            "drum": "You must pull the leather tighter", "lantern": "It needs a little roof and a door",
            "flute": "The holes must be smaller", "sledge": "Put a strong board across the middle",
            "basket": "Cross the twigs twice at the bottom"}[noun]
    s.set(stuff=stuff, fail=fail, cure=cure, fingers="paws" if s.slots["a"].animal else "fingers")
    s.add(
        "{day} {a} [gathered|found|collected] {stuff} and [set to work|began]",
        "{day} {a.he} sat down with {stuff}. {a.He} worked [until noon|all morning|until {a.his} "
        "{fingers} were sore]")
    s.add("But when {a.he} tried it, {fail}", "At last it was ready. {a} tried it, but {fail}",
          "It looked [splendid|fine]. But alas, {fail}")
    s.maybe(0.7,
        '"[It is no use|I shall never do it|I give up]!" [cried|said] {a}, and [kicked a stone|sat '
        'down in the grass|threw down {a.his} hat]',
        "{a} [was so cross that {a.he} stamped|felt very foolish|could have cried]")
    s.maybe(0.3, "{a.He} tried once more, and it was just the same", "The second try was no better")
    s.para(0.8)
    if s.rng.random() < 0.3:
        s.add(
            '{a.His} {elder} [came out to look|had been watching from the door]. "{cure}," said '
            '{a.his} {elder}. "[The first one is never right|I broke three before I learned it]."')
    else:
        meet(s)
        trouble_told(s)
        s.add(
            '{b} [looked at it from all sides|scratched {b.his} head|turned it over]. "{cure}," {b.he} '
            'said',
            '"I [know|see] what is wrong," said {b}. "{cure}."',
            '"May I [see|look]?" asked {b}, and then {b.he} said, "{cure}."')
    s.add(
        "So {a} [tried again|went back to work|began once more], [slowly and carefully this time|and "
        "did not hurry]",
        "{a} [thought about it|nodded]. It was [good advice|worth trying], so {a.he} [began "
        "again|started over]")
    s.para(0.5)
    s.add(
        "[And this time it worked|This time all went well]: {t.good}",
        "When it was done, everyone came to look, for {t.good}",
        "In the evening the new {t.noun} was ready, and [what a {t.noun} it was: {t.good}|it was "
        "better than any from a shop]")
    s.add(
        "{a} [went at once|could hardly wait] to {t.use}",
        '"I made it myself!" {a} told [everyone|the cows, the hens and the postman], [and went to '
        '{t.use}|and could not stop smiling]')
    if "b" in s.slots:
        if s.rng.random() < 0.5:
            s.add(
                "Then {a} made a second one, and gave it to {b}",
                '"[Half of it is yours|Without you it would never have worked]," {a} said to {b}')
        if s.rng.random() < 0.4:
            friends_ever_after(s)
    if s.rng.random() < 0.55:
        evening(s)
