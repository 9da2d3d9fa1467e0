"""Trains tiny vocabularies for tokenizers whose own are not part of this repository.

    python tests/golden/tiny_tokenizers.py

Writes tests/golden/tokenizers/NAME.json, and with tokenizer_golden.py what the `tokenizers` library
makes of some texts with it: tests/golden/tokenizer_NAME.json. The pipelines are those of the
families that they are named after; the words come from the texts of tokenizer_golden.py. Among
equally rare characters the trainer chooses differently from run to run; chat_golden.py comes after.
"""

import json
import pathlib

import tokenizer_golden
from tokenizers import AddedToken, Regex, Tokenizer
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors, trainers

FOLDER = pathlib.Path(__file__).parent
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN2 = LLAMA3.replace("{1,3}", "")
BYTE_PIECES = [f"<0x{byte:02X}>" for byte in range(256)]


def corpus():
    texts = tokenizer_golden.ENGLISH + tokenizer_golden.CODE + tokenizer_golden.CONTRACTIONS
    texts += tokenizer_golden.SCRIPTS + tokenizer_golden.EMOJI + tokenizer_golden.NUMBERS
    texts += ["  ", "\n\n", "    ", " \n", "the cat and the dog, 1234 2024 100 000"] * 20
    return texts * 3


def byte_level(split, size, specials, **model):
    tokenizer = Tokenizer(models.BPE(**model))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        split + [pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=not split_is_whole(split))]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=size, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    tokenizer.train_from_iterator(corpus(), trainer)
    tokenizer.add_special_tokens(specials)
    return tokenizer


def split_is_whole(split):
    return any(isinstance(part, pre_tokenizers.Split) for part in split)


def llama3():
    split = [pre_tokenizers.Split(Regex(LLAMA3), "isolated")]
    specials = ["<|begin|>", "<|end|>", "<|eot|>"]
    tokenizer = byte_level(split, 500, specials, ignore_merges=True)
    begin = tokenizer.token_to_id("<|begin|>")
    tokenizer.post_processor = processors.Sequence([
        processors.ByteLevel(trim_offsets=False),
        processors.TemplateProcessing(single="<|begin|> $A", special_tokens=[("<|begin|>", begin)]),
    ])
    return tokenizer


def qwen2():
    split = [pre_tokenizers.Split(Regex(QWEN2), "isolated")]
    tokenizer = byte_level(split, 450, ["<|endoftext|>", "<|im_start|>", "<|im_end|>"])
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.add_tokens([AddedToken("<tool>", normalized=False), AddedToken("\u00e9t\u00e9")])
    return tokenizer


def smollm2():
    split = [pre_tokenizers.Digits(individual_digits=True)]
    return byte_level(split, 450, ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|bos|>"])


def byte_fallback(size):
    """Trained on words, then given the pieces of all bytes, which must not be added tokens."""
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always")
    specials = ["<unk>", "<s>", "</s>"]
    trainer = trainers.BpeTrainer(
        vocab_size=size, special_tokens=specials + BYTE_PIECES, limit_alphabet=90,
        show_progress=False
    )
    tokenizer.train_from_iterator(corpus(), trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", 1)]
    )
    tokenizer.decoder = decoders.Sequence([
        decoders.Replace("\u2581", " "), decoders.ByteFallback(), decoders.Fuse(),
        decoders.Strip(content=" ", left=1, right=0),
    ])
    file = json.loads(tokenizer.to_str())
    file["added_tokens"] = [t for t in file["added_tokens"] if t["content"] in specials]
    for token in file["added_tokens"]:
        token["normalized"] = False
    return Tokenizer.from_str(json.dumps(file))


def llama2():
    tokenizer = byte_fallback(600)
    tokenizer.pre_tokenizer = None
    tokenizer.normalizer = normalizers.Sequence([
        normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")
    ])
    file = json.loads(tokenizer.to_str())
    file["pre_tokenizer"] = None
    return Tokenizer.from_str(json.dumps(file))


def metaspace():
    tokenizer = byte_fallback(500)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
    return tokenizer


def metaspace_split():
    """Each space begins a word, and the added tokens have all the flags there are."""
    tokenizer = byte_fallback(500)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always", split=True)
    tokenizer.add_tokens([
        AddedToken("cat", single_word=True, normalized=False),
        AddedToken("<mask>", lstrip=True, normalized=False),
        AddedToken("the", rstrip=True, normalized=True),
        AddedToken("\U0001f600", lstrip=True, rstrip=True, normalized=False),
    ])
    tokenizer.add_special_tokens([AddedToken("<|eos|>", lstrip=True, rstrip=True)])
    return tokenizer


def main():
    (FOLDER / "tokenizers").mkdir(exist_ok=True)
    for make in (llama3, qwen2, smollm2, llama2, metaspace, metaspace_split):
        path = FOLDER / "tokenizers" / f"{make.__name__}.json"
        make().save(str(path), pretty=False)
        tokenizer_golden.main(str(path), str(FOLDER / f"tokenizer_{make.__name__}.json"))


if __name__ == "__main__":
    main()
