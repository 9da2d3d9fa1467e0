"""Plots about boasting, fear, and learning."""

from scenes import evening, friends_ever_after, hero, meet, one_day, opening, trouble_told


def boasting(s):
    b_first = hero(s, animal=True)
    s.set(day=one_day(s))
    opening(s)
    skill = s.rng.choice(
        [
            (
                "run", "runner", "race to the old oak and back",
                "fell asleep under a tree, because there was so much time",
                "never stopped, not even to drink"),
            (
                "jump", "jumper", "jump over the brook",
                "did not look, and landed in the middle of the water with a splash",
                "measured the brook, took a long run, and landed on dry grass"),
            (
                "sing", "singer", "sing for the whole meadow",
                "sang so loud that {b.his} voice cracked like an old pot",
                "sang quietly, and one by one the others began to listen"),
            (
                "climb", "climber", "climb to the top of the tall pine",
                "climbed too fast, and hung from a branch until help came",
                "went up slowly, testing each branch"),
            (
                "hide", "hider", "play hide and seek until sunset",
                "laughed at {b.his} own cleverness, and so was found at once",
                "sat as still as a stone, and nobody saw {a.him}")])
    b = s.cast("b", animal=True)
    s.set(
        m=b,
        verb=skill[0],
        doer=skill[1],
        contest=skill[2],
        fall=s.expand(skill[3]),
        win=s.expand(skill[4]))
    s.para(0.6)
    s.add(
        "Not far away lived {b.intro}, who [boasted from morning to night|thought very well of "
        "{b.himself}]",
        "There was also {b.intro}, [the proudest {b.short} in the land|and a great boaster]")
    s.say("b",
        "Nobody can {verb} as well as I can!", "I am the best {doer} in the whole world!",
        "Look at me! Who else can {verb} like that?", mood="cry")
    s.maybe(0.7,
        "Everyone was [tired of hearing it|tired of it], but nobody [dared to answer|said a word]",
        "The others [yawned|rolled their eyes]")
    s.add(
        '{day} {a} said, "I can {verb} a little too. [Shall we see|Why not try]?"',
        '{day} {b} laughed at {a}. "You? You cannot {verb} at all!" "[Perhaps not|We shall see]," said '
        '{a}, "[but I can try|but let us find out]."')
    s.add(
        "So it was agreed: [the next morning|on Sunday] they would {contest}",
        "They agreed to {contest}, and [all the neighbours came to watch|the owl was to be the judge]"
        if "owl" not in s.used_kinds
        else "They agreed to {contest}, and all the neighbours came to watch")
    s.para(0.8)
    s.add(
        "{b} [waved to the crowd|bowed to everyone] and [began|set off]. But {b.he} {fall}",
        "{b} was so sure of {b.himself} that {b.he} {fall}")
    s.add(
        "{a} {win}",
        "Then it was {a}'s turn. {a.He} {win}" if skill[0] not in ("run", "hide") else "But {a} {win}")
    s.add(
        '"{a} has won!" [cried the crowd|shouted everybody], and [hats flew into the air|they carried '
        '{a.him} around the meadow]',
        "There was no doubt who had won. [Even the crows|Everybody] cheered for {a}")
    s.para(0.6)
    s.add(
        '{b} [hung {b.his} head|was very quiet]. But {a} [went over to {b.him}|sat down beside '
        '{b.him}]. "[You are good at it|You {verb} well]," {a.he} said, "[when you do not talk so '
        'much|better than you listen]."',
        '{b} [came slowly|came up] to {a}. "[You were better|I talked too much]," {b.he} said. "[Will '
        'you show me how|Can you teach me]?" "[Gladly|With pleasure]," said {a}')
    s.maybe(0.5, "They both laughed, [and shared some {food}|and even the judge smiled]")
    s.add(
        "After that {b} [boasted only on Sundays, and then only a little|did not boast any more, and "
        "everyone liked {b.him} better]",
        "And the [two of them|two] [practised together every day|became friends]")
    if s.rng.random() < 0.3:
        evening(s)


def fear(s):
    hero(s)
    s.set(day=one_day(s))
    f = s.rng.choice(
        [
            (
                "the dark", "the lamp was blown out",
                "It was as black as ink in the [cellar|barn|forest]",
                "the dark was full of [soft|friendly] things: a cricket, the smell of hay, and far "
                "away a star"),
            (
                "deep water", "the others swam in the lake",
                "The water was [cold|green] and {a} could not see the bottom",
                "the water carried {a.him} like a [hand|leaf]"),
            (
                "thunder", "the clouds grew dark",
                "The thunder [rolled|growled] over the roof",
                "thunder was only a big noise, like a [barrel rolling down the stairs|giant clearing "
                "his throat]"),
            (
                "high places", "somebody climbed a tree",
                "The ladder was [long|tall] and it shook with every step",
                "from up there the whole world was [small and bright|spread out like a quilt]"),
            (
                "strangers", "someone knocked at the door",
                "There were so many [eyes|faces]",
                "a stranger is only somebody whose story one does not know yet")])
    s.set(fear=f[0], when=f[1], there=s.expand(f[2]), truth=s.expand(f[3]))
    opening(s)
    s.add(
        "{a} was [not afraid of anything except|afraid of only one thing:] {fear}",
        "There was one thing that {a} [could not bear|feared], and that was {fear}",
        "But {a} had a secret: {a.he} was afraid of {fear}")
    s.add(
        "Whenever {when}, {a.he} [hid under the blanket|ran home as fast as {a.he} could|said that "
        "{a.he} had a stomach ache]",
        "When {when}, {a.his} [knees shook|heart beat like a drum]")
    s.maybe(0.5,
        "The others laughed at {a.him}, [and that made it worse|though not for long]",
        '{a.His} {elder} said, "[Everyone is afraid of something|It will pass]," but it did not help')
    s.para(0.8)
    b = s.cast("b")
    s.set(m=b)
    s.add(
        "{a} had a friend, {b.intro}. {day} {b} did not come home",
        "{day} {a} was playing hide and seek with {b.intro}. The evening came, and {b} did not come back")
    need = {
        "the dark": "called from deep inside the [cave|cellar], where [{b.he} had hurt {b.his} "
                    "foot|the door had fallen shut]",
        "deep water": "was sitting on a stone in the middle of the [lake|river], and the water was "
                      "rising",
        "thunder": "was out in the middle of the storm, [under a lonely tree|on the hill], and [did "
                   "not dare to move|could not find the way]",
        "high places": "was stuck at the top of the [windmill|church tower|tallest tree], and did not "
                       "dare to come down",
        "strangers": "had lost {b.his} way in the crowd at the fair, and [nobody knew {b.him} "
                     "there|somebody had to ask for {b.him}]"}[f[0]]
    s.set(need=s.expand(need))
    s.add(
        "[At last|Then] {a} found out what had happened: {b} {need}",
        "Then a [swallow|crow] brought the news: {b} {need}")
    s.maybe(0.6,
        "{there}. {a} [swallowed|shivered]", '"I cannot do it," thought {a}. "But nobody else is here."')
    s.add(
        "{a.He} [counted to three|shut {a.his} eyes, and opened them again|took a deep breath]. "
        "{there}, but {a.he} [went on|did not turn back], [one step at a time|thinking only of {b}]",
        '"I am coming, {b}!" {a.he} shouted, [and {a.his} voice shook only a little|louder than {a.he} '
        'had ever shouted]. And {a.he} went')
    s.maybe(0.6, "And then {a.he} noticed something: {truth}", "It was strange, but {truth}")
    s.para(0.7)
    s.add(
        "{a} [found|reached] {b} [in time|at last], comforted {b.him}, and brought {b.him} home",
        'There was {b}, [trembling|cold and frightened]. "[You came|You found me]!" said {b}. '
        '[Slowly|Together] they went home')
    s.say("b", "But I thought you were afraid of {fear}.", "Were you not afraid?", mood="ask")
    s.say("a",
        "I was. But I was more afraid for you.", "I am, but only a little now.",
        "I was, and I went anyway.", "Yes, and it was not as bad as I thought.")
    s.add(
        "[From that day on|After that] {a} was [no longer|not so much] afraid of {fear}",
        "And the next time that {when}, {a} [only smiled|did not hide]",
        '"That is what courage is," said {a.his} {elder}, "[to be afraid and to go|to shake and to go '
        'on]."')
    if s.rng.random() < 0.45:
        evening(s)


def learning(s):
    hero(s)
    s.set(day=one_day(s))
    k = s.rng.choice(
        [
            (
                "whistle", "whistled", "there came only air",
                "Make your lips small, as if you wanted to kiss the wind",
                "whistled a tune that even the blackbirds copied"),
            (
                "swim", "swam", "{a.he} swallowed half the pond",
                "Let the water carry you, and do not fight it", "swam to the other bank and back"),
            (
                "skate", "skated", "{a.he} sat down hard on the ice",
                "Bend your knees and look ahead, not at your feet",
                "skated in circles as round as the moon"),
            (
                "dance", "danced", "{a.he} fell over {a.his} own feet",
                "Do not count. Listen to the music", "danced until the fiddler was tired"),
            (
                "bake bread", "baked bread", "it was as hard as a stone",
                "Let the dough sleep under a cloth before you wake it",
                "baked a loaf that was eaten to the last crumb"),
            (
                "row a boat", "rowed", "the boat only went round and round",
                "Pull with both arms at the same time", "rowed straight across the lake"),
            (
                "tell stories", "told stories", "everyone fell asleep before the end",
                "Tell it as if it had happened to you", "told a story so good that nobody coughed")])
    s.set(do=k[0], fail=s.expand(k[2]), tip=k[3], win=k[4])
    opening(s, "to learn to {do}")
    s.para(0.6)
    s.add(
        "{a.He} tried [in the morning|on Monday] and {a.he} tried [in the evening|on Tuesday], but "
        "[each time|always] {fail}",
        "It looked so easy when [others|{a.his} {elder}] did it. But when {a} tried, {fail}")
    s.maybe(0.7,
        '"[Some can and some cannot|You are too small for that]," said the [goose|neighbour|crow]. '
        'That [hurt|made {a} sad]',
        "The others [laughed behind their hands|giggled]")
    s.maybe(0.5, '"[I shall never learn it|It is too hard]," [sighed|said] {a}')
    s.para(0.7)
    s.add("{day} {a} [went away to practise where nobody could see|sat alone and was sad]", "")
    meet(s)
    trouble_told(s)
    s.add(
        '"I could not {do} either, when I was young," said {b}. "{tip}."',
        '"[I know how to {do}|It is not so hard]," said {b}. "{tip}."',
        '{b} [smiled|nodded]. "{tip}," {b.he} said. "And [do it a hundred times|do not stop after ten '
        'times]."'
        if "." not in s.slots["tip"]
        else '{b} [smiled|nodded]. "{tip}."')
    s.add(
        "{a} tried it. [The first time it went wrong|The first three times were no better], but [the "
        "next time was a little better|then, for a moment, it worked]",
        "So they [practised|tried it together], [day after day|until the sun went down], and {b} "
        "[never laughed|never lost patience]")
    s.para(0.6)
    s.pick("event",
        [
            "the spring feast", "the harvest feast", "{a.his} {elder}'s birthday".format(**s.slots),
            "the first day of May", "the midsummer night"])
    s.set(on="At" if "feast" in s.slots["event"] else "On")
    s.add(
        "When {event} came, {a} {win}",
        "{on} {event} everyone [was there|came together]. {a} [stood up|stepped forward], [took a deep "
        "breath|looked once at {b}], and {win}")
    s.add(
        '"[Who taught you that|How did you learn that]?" [everyone asked|asked {a.his} {elder}]. {a} '
        '[pointed to|looked at] {b}, [and {b} bowed|who turned red with joy]',
        "The [goose|neighbour|crow] said nothing, for once. And {b} [clapped the loudest|was the first "
        "to clap]")
    s.add(
        "And if you want to know how many times {a} had practised: [a hundred and three|more than a "
        "hundred times|nobody had counted]",
        "Now {a} could {do}, [and it looked so easy that others wanted to learn it too|and nobody said "
        "that {a.he} was too small]",
        'Soon {a} was teaching [the smaller ones|others] to {do}, and {a.he} always began with the '
        'same words: "{tip}."')
    if s.rng.random() < 0.35:
        friends_ever_after(s)
    elif s.rng.random() < 0.4:
        evening(s)
