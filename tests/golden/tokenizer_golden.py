"""Writes what the `tokenizers` library makes of a few hundred texts, as tests/text expects.

    python tests/golden/tokenizer_golden.py TOKENIZER.json OUTPUT.json

The committed files are tokenizer_builtin.json, from data/model/tokenizer.json; those of the tiny
vocabularies that tiny_tokenizers.py trains; and tokenizer_gpt2.json, tokenizer_mistral.json and
tokenizer_tinystories.json, from the tokenizer.json of GPT-2, Mistral 7B v0.1 and TinyStories-656K,
which are not part of this repository. Each text has its ids as plain text (what spells a special
token stays text) and, where that differs, its ids with special tokens parsed. Each list of ids has
the text that it decodes to.
"""

import json
import random
import sys

import tokenizers

ENGLISH = [
    "", " ", "a", "Once upon a time", "The cat sat on the mat.", " leading", "trailing ",
    "Hello, world!",
    "It was a bright cold day, and the clocks were late again.", "THE SHOUTING NEVER STOPPED!!!",
    "e.g. this, i.e. that; (nested [brackets {here}])",
    "well-known, half-baked -- and then---some",
    "\"Quoted,\" she said. 'Single,' he said.",
    "e-mail: someone@example.org, https://example.org/a?b=c&d=e#f",
    "supercalifragilisticexpialidocious antidisestablishmentarianism",
    "CamelCase snake_case kebab-case SCREAMING",
    "Mr. O'Neill's don't-care", "the the the the", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "ababababababababababab",
]
CONTRACTIONS = [
    f"{left}{quote}{right}" for quote in ("'", "\u2019")
    for left, right in (("it", "s"), ("don", "t"), ("we", "re"), ("we", "ve"), ("I", "m"),
    ("they", "ll"),
                        ("he", "d"), ("IT", "S"), ("DON", "T"), ("WE", "RE"), ("", "s"), (" ",
                        "s"),
                        ("!", "s"), ("'", "s"), ("5", "ve"), ("", "sleep"), ("", "rest"), ("x",
                        "l"))
]
CODE = [
    "def f(x):\n    return x + 1\n", "for (int i = 0; i < n; ++i) {\n\tsum += a[i];\n}\n",
    "#include <vector>\n\n\n",
    "x=y==z!=w<=v>=u&&t||s", "std::vector<std::pair<int, std::string>> v{{1, \"a\"}};",
    "<!-- html --><p class=\"x\">&nbsp;</p>",
    "SELECT * FROM t WHERE a='b';", "{\"key\": [1, 2.5, -3e10, null, true]}",
    "\\n \\t \\\\ \\u0041", "$HOME/.config/*.{a,b}",
    "0x1F 0b1010 1_000_000 1e-9", "a\r\nb\r\nc", "    four\n        eight\n\ttab\n \t mixed",
]
NUMBERS = [
    "0", "1 2 3", "1234567890", "3.14159", "1,000,000.50", " 42", "  42", "a1b2c3",
    "1st 2nd 3rd", "٣٤٥", "१२३", "Ⅷ ½ ² ①", "１２３",
]
SCRIPTS = [
    "Größe, façade, naïve, coöperate, Ångström, Łódź", "Ελληνικά κείμενα",
    "Русский текст, ещё раз", "中文文本，没有空格。", "日本語のテキスト、カタカナ",
    "한국어 문장입니다", "العربية من اليمين", "שלום עולם", "हिन्दी में क्षत्रिय की कहानी",
    "தமிழ் எழுத்து", "ภาษาไทยไม่มีช่องว่าง", "မြန်မာ", "አማርኛ",
    "e\u0301 vs \u00e9", "a\u0300\u0301\u0302\u0303", "Z\u0351\u036b\u0343a\u0321l\u0348g\u032fo",
    "ǅ ʰ ª º", "İıſß ﬁ", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝟘𝟙", "𐍈𐌰", "𓂀",
]
EMOJI = [
    "😀", "😀😀", "👍🏽", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🇩🇪🇫🇷", "1️⃣", "❤️ love",
    "a😀b 😀 c", "☺", "™©®", "→ ⇒ ∀x∈ℝ", "✓✗", "\U0001fae0",
]
SPACES = [
    "  ", "   ", " " * 17, "a  b", "a   b", "a    b", " \n", "\n ", "\n\n", "a\n\nb", "a \n b",
    "a\n \nb", "\t", "\t\ta", "a\t b", "a \tb",
    "\r\n\r\n", "\u00a0", "a\u00a0b", "a \u00a0b", "a\u00a0 b", "\u2003x", "x\u3000y",
    "\u2028a\u2029b", "\u0085x", "\u200b", "a\u200bb", "a \u200b b",
    "\ufeffBOM", "\u180ex", "\u1680x", "\u202fx", "end  ", "end\n", "end \n\n", "  \n  x",
    "\u000b\u000cx", "\u001cx", "\u001fx y",
]
CONTROLS = [
    "\x00", "a\x00b", "\x01\x02\x03", "\x7f", "\x1b[31mred\x1b[0m", "\u0080\u009f",
    "\u00ad", "\ufffd", "\uffff", "\U0010ffff", "\ue000", "\u202eabc", "\ufffe",
]
SPECIALS = [
    "<|bos|>", "<|eos|>", "<|endoftext|>", "a<|eos|>b", "<|eos|><|eos|>", " <|eos|> ",
    "<|bos|>Once<|eos|>", "<|eos", "|>", "<|eos|", "<<|eos|>>", "<|EOS|>",
    "a<|endoftext|>b", "<|endoftext|><|endoftext|>", "x <|endoftext|> y", "<|endoftext", "<s></s>",
]
FLAGS = [
    "the cat", "scatter cat.", "cat", "cats cat_ -cat-", "a  <mask> b", " <mask>", "<mask><mask>",
    "the  the\n\nend", "bathe the  x", "x 😀 y", "  😀  😀  ", " <|eos|>  <|eos|> z",
    "<tool>e\u0301te\u0301<tool>", "e\u0301t\u00e9 \u00e9t\u00e9", "▁a ▁▁ b▁", "<|begin|>a<|eot|>",
    "<|im_start|>user\nHi<|im_end|>\n", "<0x41> <0x0A>", "<unk>",
]
COMPOSED = [
    "a\u0323\u0307b a\u0307\u0323b", "\u1100\u1161\u11a8", "\u0958 \u2126 \u212b", "\ufb2c",
    "o\u0308\u0304", "\u0301a", "e\u0301" * 9, "\u0344", "a\u0315\u0300\u05ae\u0062",
]
CASES = [
    "'S 'Re 'LL don'T x'\u017f '\u212a", "12345 1a234b", "a\n\n\n b", "!!\n\nx", " \r\n \n  x",
    "\t\tx\n\t y", "x\u0301y z\u200dw", " !x", "  !x", "\n!x", "..\r\n\r\n  ..", "\u00a0x \u00a0!",
]
WORDS = (
    "the a tree fox ran over under quickly don't it's 12 3.5 , . ! ? \n \t  é 水 😀 -- ( ) "
    "<|eos|> <| ' \" ÿ ' s"
).split(" ")


def random_texts(rng):
    texts = []
    for _ in range(60):
        words = rng.choices(WORDS, k=rng.randint(1, 30))
        texts.append("".join(word + rng.choice(["", " ", " ", "  "]) for word in words))
    ranges = [
        (0x20, 0x7E), (0x0, 0x24F), (0x250, 0x1FFF), (0x2000, 0x2FFF),
        (0x3000, 0xD7FF), (0xE000, 0xFFFF), (0x10000, 0x1FFFF), (0x0, 0x10FFFF),
    ]
    for low, high in ranges:
        for _ in range(8):
            codes = [rng.randint(low, high) for _ in range(rng.randint(1, 24))]
            texts.append("".join(chr(c) for c in codes if not 0xD800 <= c <= 0xDFFF))
    letters = [chr(c) for c in range(0x20, 0x7F)] + list("\n\t\u00a0éß水\u0301😀٣½")
    letters += [" "] * 30 + ["'"] * 10
    texts += ["".join(rng.choices(letters, k=rng.randint(1, 40))) for _ in range(60)]
    return texts


def encoded(tokenizer, text):
    tokenizer.encode_special_tokens = True
    case = {"text": text, "ids": tokenizer.encode(text).ids}
    tokenizer.encode_special_tokens = False
    parsed = tokenizer.encode(text).ids
    return case if parsed == case["ids"] else {**case, "parsed": parsed}


def decoded(tokenizer, ids):
    return {
        "ids": ids,
        "text": tokenizer.decode(ids, skip_special_tokens=True),
        "with_special": tokenizer.decode(ids, skip_special_tokens=False),
    }


def main(tokenizer_json, output):
    tokenizer = tokenizers.Tokenizer.from_file(tokenizer_json)
    rng = random.Random(20240229)
    texts = ENGLISH + CONTRACTIONS + CODE + NUMBERS + SCRIPTS + EMOJI
    texts += SPACES + CONTROLS + SPECIALS + random_texts(rng) + FLAGS + COMPOSED + CASES
    size = tokenizer.get_vocab_size()
    lists = [[rng.randrange(size) for _ in range(rng.randint(0, 12))] for _ in range(20)]
    lists += [[rng.randrange(300) for _ in range(rng.randint(1, 16))] for _ in range(20)]
    cases = [encoded(tokenizer, text) for text in dict.fromkeys(texts)]
    decodes = [decoded(tokenizer, ids) for ids in lists]
    lines = [json.dumps(case, separators=(",", ":")) for case in cases]
    more = [json.dumps(case, separators=(",", ":")) for case in decodes]
    with open(output, "w", encoding="ascii") as file:
        file.write('{"library": "tokenizers %s",\n"encode": [\n' % tokenizers.__version__)
        file.write(",\n".join(lines) + '\n],\n"decode": [\n' + ",\n".join(more) + "\n]}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
