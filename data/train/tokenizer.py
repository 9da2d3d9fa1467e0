"""Trains the byte-level BPE tokenizer on grammar stories and tales.

`python tokenizer.py --tales FOLDER --out ../model` writes tokenizer.json and
tokenizer_config.json.  Specials: <|bos|> is 0, <|eos|> is 1.
"""

import argparse
import json
import pathlib

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

from lexicon import NAMES
from stories import story
from tales import chapters

VOCABULARY = 2048
BOS, EOS = "<|bos|>", "<|eos|>"
SAMPLE_STORIES = 20000


def build(texts):
    """A tokenizer with the GPT-2 splitting rule, trained on `texts`."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY, special_tokens=[BOS, EOS], show_progress=False,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()))
    tokenizer.train_from_iterator(texts, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{BOS} $A", pair=f"{BOS} $A {BOS} $B", special_tokens=[(BOS, 0), (EOS, 1)])
    assert tokenizer.get_vocab_size() == VOCABULARY
    assert tokenizer.token_to_id(BOS) == 0 and tokenizer.token_to_id(EOS) == 1
    return tokenizer


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tales", required=True, help="folder of the public-domain tales")
    parser.add_argument("--out", default="../model")
    options = parser.parse_args()
    texts = [story(seed) for seed in range(SAMPLE_STORIES)]
    texts += chapters(options.tales)[0][::3]
    tokenizer = build(texts)
    out = pathlib.Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(out / "tokenizer.json"))
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": BOS, "eos_token": EOS,
                "model_max_length": 1024, "clean_up_tokenization_spaces": False}
    (out / "tokenizer_config.json").write_text(json.dumps(settings, indent=2) + "\n")
    split = [name for name in sorted(NAMES)
             if len(tokenizer.encode(" " + name, add_special_tokens=False).ids) > 1]
    characters = sum(map(len, texts))
    tokens = sum(len(code.ids) for code in tokenizer.encode_batch(texts))
    print(f"{characters / tokens:.2f} characters a token; names of several tokens: {split}")


if __name__ == "__main__":
    main()
