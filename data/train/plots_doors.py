"""Plots about noises in the night and knocks at the door."""

from scenes import evening, friends_ever_after, hero, opening


def night_noise(s):
    hero(s)
    opening(s)
    s.pick("noise",
        [
            "a scratching sound", "a soft knocking", "a strange humming", "a rustling in the roof",
            "small footsteps", "a sneeze"])
    s.pick("missing",
        [
            "a piece of cheese", "the last pancake", "a slice of bread", "a woollen sock",
            "half an apple", "a silver spoon"])
    s.para(0.6)
    s.add(
        "One night {a} was woken by {noise}. [The sound came from the kitchen|It stopped when {a.he} "
        "sat up|It stopped, and then it began again]",
        "Every night, [when the clock struck twelve|as soon as the lamp was out], there was {noise}")
    s.add(
        "In the morning {missing} was gone, [and nobody had taken it|and the window was open a crack]",
        "And every morning something was missing: first {missing}, and then [a candle|a button|a crust "
        "of cake]")
    s.maybe(0.6,
        '"[It is a ghost|There is a thief in the house|It must be the wind]," said {a.his} {elder}',
        '"[Who can it be|What can it be]?" [thought|said] {a}')
    s.para(0.6)
    s.add(
        "{a} [decided to find out|made a plan]. {a.He} [sprinkled flour on the floor|tied a little "
        "bell to the cupboard door|hid behind the curtain with a lantern]",
        "The next night {a} stayed awake. {a.He} [pinched {a.his} arm|counted sheep backwards] so as "
        "not to fall asleep")
    s.add(
        "[At midnight|After a long time], there it was again. {a} [held {a.his} breath|lit the "
        "lantern|tiptoed down the stairs], and there [in the corner|beside the stove] was no thief at "
        "all",
        "The tracks led [under the stairs|to the attic|behind the stove], and there {a} [found|saw] "
        "the thief")
    thieves = ["mouse", "hedgehog", "squirrel", "sparrow", "mole", "otter", "frog", "owl", "rabbit"]
    if s.slots["a"].short in ("mouse", "hedgehog"):
        thieves = ["squirrel", "sparrow", "mole", "frog"]
    s.set(m=s.cast("b", True, thieves))
    s.add(
        "It was {b.intro}, [shaking from head to foot|with crumbs on {b.his} chin|no bigger than a cup]",
        'There sat a {b.adj} {b.kind}. "[Please do not be angry|Do not hurt me]. My name is {b}," said '
        'the {b.short}')
    s.para(0.5)
    s.say("b",
        "I was so hungry, and it is so cold outside.",
        "The storm blew my house away, and I had nowhere to go.",
        "I have three little ones at home, and the snow covers everything.",
        "I wanted to ask, but I was afraid.", mood="sad")
    s.say("a",
        "Why did you not knock at the door?",
        "You need not steal here. You can sit at the table with us.", "Then you must stay until spring.",
        "I thought you were a ghost!")
    s.maybe(0.5,
        "{b} [brought back|gave back] {missing}, or what was left of it"
        if s.slots["missing"] in ("a woollen sock", "a silver spoon")
        else "And {a} [warmed some milk|cut a thick slice of bread]")
    s.add(
        "[They made|{a} made] {b} a bed [in an old slipper|in a drawer|in a box by the stove]",
        "From then on there was [a small plate|one more plate] on the table")
    s.para(0.4)
    s.add(
        "Now at night there was still {noise}, but {a} only [smiled|turned over]: it was {b}, [looking "
        "for another piece of cake|dancing in the moonlight|sweeping the floor to say thank you]",
        "And when {a} heard {noise} again, {a.he} knew that it was only {b} [coming home|saying good "
        "night]")
    if s.rng.random() < 0.4:
        friends_ever_after(s)
    if s.rng.random() < 0.3:
        evening(s)


def storm(s):
    hero(s)
    opening(s)
    s.pick("storm", ["a great storm", "the first snow", "a heavy rain", "an icy wind"])
    s.para(0.5)
    s.add(
        "One evening {storm} came over the hills. {a} [shut the window|put more wood on the "
        "fire|pulled the blanket up to {a.his} nose] and was glad to be [inside|warm]",
        "It was a night in autumn, and {storm} had come. {a} sat by the fire with {food}")
    s.add("Then there was a knock at the door")
    b = s.cast("b", True)
    s.add(
        'Outside stood {b.intro}, [wet to the skin|shivering with cold]. "May I come in?" asked {b}. '
        '"[My house is full of water|The wind has blown my roof away]."',
        '"[Who is there|Who is it]?" asked {a}. "A {b.short}. My name is {b}, and I am so cold," said '
        'a voice')
    s.add(
        'The [house|room] was small, but {a} [opened the door wide|did not think long]. "Come in, '
        '[there is room for two|sit by the fire]," {a.he} said',
        '"[There is not much room|It is a small house], but come in," said {a}')
    if s.rng.random() < 0.75:
        s.para(0.5)
        c = s.cast("c", True)
        s.add(
            "Hardly had {b} [sat down|grown warm] when there was another knock. This time it was "
            "{c.intro}, [with water dripping from {c.his} nose|who needed a place by the fire|who "
            "could hardly speak for cold]",
            "[Soon|A little later] they heard [a sneeze|somebody crying] outside. It was {c.intro}, "
            "and {c.he} [had lost the way|was wet through]")
        s.say("b",
            "There is no more room!", "We are full!", "But there is hardly room for us!", mood="cry")
        s.say("a",
            "If we sit closer, there is room for three.", "Then we shall breathe in a little.",
            "A little while ago you were outside too.", "There is always room for one more.")
        s.maybe(0.6, "{b} [turned red|was ashamed] and moved over")
        s.set(all="all three", them="{a}, {b} and {c}")
    else:
        s.set(all="both of them")
    s.para(0.6)
    s.add(
        "They shared the {food}, and [told stories until late|sang songs against the wind]",
        "They were so close together that {all} were [warm as toast|warm], and [nobody heard the wind "
        "any more|somebody began to tell a story]")
    s.add(
        "In the middle of the night the wind [tore at the roof|pushed at the door]. {a} alone could "
        "not have [held it|kept it shut], but {all} [pushed together|held on], and it held", "")
    s.para(0.6)
    s.add(
        'In the morning the sun was shining, and everything was [white|quiet|washed clean]. "[Thank '
        'you for the night|I shall not forget this]," said {b}',
        "When morning came, [the storm was over|the sky was blue]. But nobody wanted to go home, and "
        "so they stayed for breakfast")
    s.add(
        "[Then they went together|And together they went] to mend {b}'s house, [and it took them only "
        "three days|with {a} holding the ladder]",
        "And whenever {storm} came again, {a} [listened for a knock|put an extra cup on the table]",
        "The house was no bigger than before, [but it never felt small again|but it had been big enough]")
    if s.rng.random() < 0.4:
        friends_ever_after(s)
