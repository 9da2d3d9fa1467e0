"""Scenes that many plots share: openings, meetings, evenings, endings."""

import lexicon as lex


def hero(s, animal=None):
    """Casts the hero, a home that suits, and the grown-up of the story."""
    a = s.cast("a", animal)
    unfit = lex.CHILD_HOMES if a.animal else lex.ANIMAL_HOMES
    s.pick("home", [home for home in lex.HOMES if home not in unfit])
    s.pick("elder", lex.GROWNUPS_ANIMAL if a.animal else lex.GROWNUPS_CHILD)
    female = s.slots["elder"] in ("grandmother", "mother", "aunt")
    s.set(eldhe="she" if female else "he", eldhis="her" if female else "his",
          eldhim="her" if female else "him")
    s.detail = s.rng.choice(lex.DETAILS) if s.rng.random() < 0.35 else None
    return a


def opening(s, wish=None):
    """Introduces the hero; `wish` is an infinitive such as "to see the sea"."""
    if wish and s.rng.random() < 0.45:
        s.set(wish=s.expand(wish))
        s.add(
            "[Once upon a time|Long ago|Once|One spring|Many years ago] there [was|lived] {a.intro}, "
            "who wanted {wish} [more than anything else in the world|very much indeed|and could think "
            "of nothing else]",
            "There was once {a.intro}. {a.He} lived {home}, and [all day long|from morning to "
            "night|more than anything] {a.he} [wished|longed|wanted] {wish}",
            "{home} there lived {a.intro}. [Day and night|Every single day|For a whole year] {a.he} "
            "had [wanted|wished|hoped] {wish}",
            "This is the story of {a.intro}, who [wanted|wished|longed] {wish}. {a.He} lived {home}[| "
            "with {a.his} {elder}]")
        wished = True
    else:
        s.add(
            "[Once upon a time|Long ago|Once|Not so long ago|Many years ago] there [was|lived] "
            "{a.intro}. {a.He} lived {home}[| with {a.his} {elder}]",
            "Once upon a time, {home}, there lived {a.intro}",
            "{home} there lived {a.intro}[|, and everybody there knew {a.him} well|, who was never "
            "bored]",
            "There was once {a.intro} who lived {home}[| with {a.his} {elder}]",
            "[A long time ago|Once|When the world was younger], a {a.adj} {a.kind} lived {home}. "
            "{a.His} name was {a}[|, and {a.he} was [never in a hurry|up before the sun every day|a "
            "good friend to everyone]]",
            "[One|On a] [bright|cold|windy|warm|grey] [morning|day] {a.intro} [woke up early|looked "
            "out of the window|sat on the doorstep and thought]. {a.He} lived {home}[| with {a.his} "
            "{elder}]",
            "Do you know the story of {a.intro}? It [begins|happened] {home}, [a long time ago|on a "
            "windy day|before you were born]",
            "The [smallest|oldest|prettiest|strangest] house in the valley belonged to {a.intro}. It "
            "stood {home}, [and its door was always open|and its roof was as green as grass|and roses "
            "grew up to its roof]"
            if not home_is_valley(s)
            else "There was {a.intro}, and {a.he} lived {home}")
        wished = False
    if s.detail:
        s.add(s.detail[0])
    elif s.rng.random() < 0.3:
        s.add(
            "{a} was [kind to everyone|good at climbing|not very big|never in bed late], [but|though] "
            "{a.he} [was a little forgetful|did not like to wait|could be stubborn|was sometimes lonely]")
    if wish and not wished:
        s.set(wish=s.expand(wish))
        s.para(0.4)
        s.add(
            "What {a} wanted [most|more than anything] was {wish}",
            "{a} had one [great|secret] wish: {wish}",
            "[All that winter|Every day|For a long time] {a} had wanted {wish}",
            "Now {a} wished very much {wish}")


def home_is_valley(s):
    return "valley" in s.slots["home"] or "town" in s.slots["home"] or "bakery" in s.slots["home"]


def one_day(s):
    """A phrase that starts the action, without a following verb."""
    return s.expand(
        "One [morning|day|afternoon|evening]", "One [sunny|windy|rainy|frosty|misty] [morning|day|afternoon]",
        "[Early|Late] one [spring|autumn|summer] day",
        "On the first [warm day of spring|cold day of autumn|day of summer]",
        "One day, when [the wind blew from the south|the dew was still on the grass|"
        "the bells were ringing|the clouds were low],")


def meet(s, slot="b", animal=None, mood="kind", kinds=None):
    """Introduces a second character, who comes upon {a}."""
    b = s.cast(slot, animal, kinds)
    s.set(m=b)
    s.pick("spot", ["on a fence", "beside the path", "under a tree", "by the gate", "on a flat stone",
                    "in a patch of sunlight", "at the corner of the lane"])
    if mood == "kind":
        s.add(
            '[Just then|Before long|After a while|Soon], {a} met {m.intro}. "[What is the matter|Where '
            'are you going|Why do you look so worried|What are you doing]?" asked the {m.short}',
            '{spot} sat {m.intro}, [who had seen everything|eating a pear|who looked up in '
            'surprise|warming {m.his} back]. "[What is wrong|Can I help you|Are you in trouble]?" '
            '[asked {m}|said {m}|{m} asked]',
            '"[Hello|Good day|Good morning]! [Can I help you|What is the matter|Is something wrong]?" '
            'said a [voice|small voice|friendly voice]. It was {m.intro}, who [sat {spot}|had come to '
            'see what the noise was|lived close by]',
            '[Now|As it happened,|Luckily,] a {m.adj} {m.kind} was [resting|sitting|dozing] {spot}. '
            '"My name is {m}," said the {m.short}. "[What are you looking so sad for|Tell me what has '
            'happened|You look as if you need a friend]."',
            'A {m.adj} {m.kind} came [along the path|round the corner|out of the bushes]. {m.His} name '
            'was {m}, and {m.he} [was always ready to help|could not bear to see anyone sad|liked to '
            'know everything]. "Tell me [what is wrong|all about it]," said {m}')
    else:
        s.add(
            "{spot} sat {m.intro}",
            "[Just then|After a while|Soon], along came {m.intro}",
            "There {a} [found|saw] {m.intro}",
            "There stood a {m.adj} {m.kind} [{a.he} had never seen before|with bright eyes]. {m.His} "
            "name was {m}")
    return b


def trouble_told(s):
    """{a} explains the trouble, in indirect speech."""
    s.add(
        "{a} told {b.him} [everything|the whole story|all about it], [from beginning to end|and {b} "
        "listened carefully|while {b} nodded]",
        "So {a} explained, [and {b} listened with {b.his} head on one side|a little out of breath]",
        "{a} [sat down beside {b.him}|took a deep breath] and told {b.him} [what had happened|the "
        "trouble]")


def evening(s):
    """The last sentences: night, feelings, and what came after."""
    if s.detail and ("{b}" not in s.detail[1] or "b" in s.slots) and s.rng.random() < 0.8:
        s.add(s.detail[1])
    s.add(
        "That night {a} [slept soundly|fell asleep with a smile|dreamed happy dreams], [and the moon "
        "shone on the roof|while the wind sang outside|and nothing woke {a.him} until morning]",
        "[When the stars came out|When the sun went down|At bedtime], {a} [was tired but very "
        "happy|thought that it had been the best day of the year|told {a.his} {elder} the whole story "
        "twice]",
        "And [from that day on|ever since|after that], {a} was [a little braver|a little "
        "wiser|happier] than before",
        '"[What a day|That was a fine day]!" [said|thought] {a}, and [blew out the '
        'candle|yawned|curled up to sleep]',
        "If you ever go there, [perhaps you will meet {a.him}|you may hear {a.him} tell it]",
        "{a.He} never forgot [that day|it], [not even when {a.he} was very old|and neither shall we]",
        "", "")


def friends_ever_after(s):
    """Ending of stories in which {a} and {b} have become friends."""
    s.add(
        "[From that day on|After that|Ever since], {a} and {b} were [the best of friends|friends|never "
        "apart for long]", "And that is how {a} and {b} became friends",
        "{a} and {b} [walked home together|shared some {food}|sat together until the moon rose], [and "
        "talked about it for a long time|and both were glad]",
        "So {a} had found [a friend|something even better, and that was a friend]",
        "The next day {b} came to visit, and {a} [had a pot of tea ready|ran to open the door]")
