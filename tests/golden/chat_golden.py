"""Writes what `transformers` makes of conversations with chat templates, as tests/text expects.

    python tests/golden/chat_golden.py

The templates are those of the families that Quire knows, in several layouts. The tokens are those of
the tiny vocabularies in tests/golden/tokenizers. Output: tests/golden/chat.json
"""

import json
import pathlib

from transformers import PreTrainedTokenizerFast

FOLDER = pathlib.Path(__file__).parent

CHATML = (
    "{% for message in messages %}"
    "{{'<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n'}}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
CHATML_LINES = """{%- for message in messages -%}
    {{- "<|im_start|>" + message.role + "\\n" -}}
    {{- message.content + "<|im_end|>\\n" -}}
{%- endfor -%}
"""
CHATML_LAYOUT = """
{#- A conversation in ChatML. -#}
{%- for message in messages %}
    {{- "<|im_start|>" ~ message.role }}
{%- endfor %}"""
CHATML_INDENTED = """{% for message in messages %}
    {{- '<|im_start|>' + message.role + '\\n' + message['content'] + '<|im_end|>\\n' -}}
{% endfor %}
{% if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' -}}
{% endif %}"""
CHATML_SYSTEM = (
    "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}"
    "{{ '<|im_start|>system\nYou are \"Quill\", a helpful goose.<|im_end|>\n' }}{% endif %}"
    "{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
LLAMA3 = (
    "{% set loop_messages = messages %}{% for message in loop_messages %}"
    "{% set content = '<|start_header_id|>' + message['role'] + '<|end_header_id|>\n\n'"
    "+ message['content'] | trim + '<|eot_id|>' %}"
    "{% if loop.index0 == 0 %}{% set content = bos_token + content %}{% endif %}{{ content }}"
    "{% endfor %}"
)
LLAMA3_ANSWER = "{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}"
ALTERNATE = (
    "{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('Roles must alternate: user, assistant, user') }}{% endif %}"
)
MISTRAL = (
    "{{ bos_token }}{% for message in messages %}" + ALTERNATE +
    "{% if message['role'] == 'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}"
    "{% elif message['role'] == 'assistant' %}{{ message['content'] + eos_token}}"
    "{% else %}{{ raise_exception('Only user and assistant!') }}{% endif %}{% endfor %}"
)
LLAMA2 = (
    "{% if messages[0]['role'] == 'system' %}{% set loop_messages = messages[1:] %}"
    "{% set system_message = messages[0]['content'] %}{% else %}"
    "{% set loop_messages = messages %}{% set system_message = false %}{% endif %}"
    "{% for message in loop_messages %}" + ALTERNATE +
    "{% if loop.index0 == 0 and system_message != false %}"
    "{% set content = '<<SYS>>\\n' + system_message + '\\n<</SYS>>\\n\\n' + message['content'] %}"
    "{% else %}{% set content = message['content'] %}{% endif %}"
    "{% if message['role'] == 'user' %}{{ bos_token + '[INST] ' + content.strip() + ' [/INST]' }}"
    "{% elif message['role'] == 'assistant' %}{{ ' '  + content.strip() + ' ' + eos_token }}"
    "{% endif %}{% endfor %}"
)
# Each with its tokenizer, and whether a system message may come first.
TEMPLATES = [
    ("chatml", CHATML, "smollm2", True),
    ("chatml indented", CHATML_INDENTED, "qwen2", True),
    ("chatml with a default", CHATML_SYSTEM, "smollm2", True),
    ("llama3", LLAMA3 + "{% if add_generation_prompt %}" + LLAMA3_ANSWER + "{% endif %}", "llama3",
     True),
    ("llama3 always answering", LLAMA3 + LLAMA3_ANSWER, "llama3", True),
    ("mistral", MISTRAL, "llama2", False),
    ("mistral with a space", MISTRAL.replace("eos_token}}", "eos_token + ' ' }}"), "metaspace",
     False),
    ("llama2", LLAMA2, "llama2", True),
]
UNKNOWN = [CHATML_LINES, CHATML_LAYOUT, CHATML + "\n\n.", CHATML.replace("role", "rule"), "",
           "{% if tools %}{{ tools }}{% endif %}" + CHATML, MISTRAL.replace("[INST] ", "[INST]"),
           LLAMA3 + " " + LLAMA3_ANSWER]
BOS_EOS = {"smollm2": ("<|bos|>", "<|endoftext|>"), "qwen2": (None, "<|endoftext|>"),
           "llama3": ("<|begin|>", "<|end|>"), "llama2": ("<s>", "</s>"),
           "metaspace": ("<s>", "</s>")}


def conversations(system):
    user, answer = {"role": "user", "content": "Who are you?"}, {"role": "assistant",
                                                                 "content": " A goose.\n"}
    talks = [[user], [user, answer, {"role": "user", "content": "\n  Really?\u3000\n12 x"}],
             [user, answer]]
    if system:
        first = {"role": "system", "content": "You are a \u00e9tude. "}
        talks += [[first] + talk for talk in talks]
    return talks


def main():
    cases = []
    for name, template, vocabulary, system in TEMPLATES:
        bos, eos = BOS_EOS[vocabulary]
        tokenizer = PreTrainedTokenizerFast(
            tokenizer_file=str(FOLDER / "tokenizers" / f"{vocabulary}.json"),
            bos_token=bos, eos_token=eos,
        )
        tokenizer.chat_template = template
        for messages in conversations(system):
            for answer in (False, True):
                text = tokenizer.apply_chat_template(
                    messages, tokenize=False, add_generation_prompt=answer
                )
                ids = tokenizer.apply_chat_template(
                    messages, tokenize=True, add_generation_prompt=answer, return_dict=False
                )
                cases.append({
                    "name": name, "template": template, "tokenizer": vocabulary, "bos": bos,
                    "eos": eos, "messages": messages, "answer": answer, "text": text, "ids": ids,
                })
    with open(FOLDER / "chat.json", "w", encoding="ascii") as file:
        lines = [json.dumps(case, separators=(",", ":")) for case in cases]
        file.write('{"known": [\n' + ",\n".join(lines) + '\n],\n"unknown": ')
        file.write(json.dumps(UNKNOWN) + "}\n")


if __name__ == "__main__":
    main()
