"""Makes the first checkpoint of the main model out of the draft's.

`python grow.py --work build/train` copies every weight of the small model into
the large one so that both compute the same: its layers become the first layers
of the large model, its hidden units the first hidden units, its query heads the
first of each group.  What is new reads at random and writes nothing, so that the
new layers pass their input on.  Training the small model first is cheaper for
each token.
"""

import argparse
import pathlib

import torch

import model as llama


def head_rows(small, large):
    """Rows of the large query projection that hold the query heads of the small one."""
    small_group = small.num_attention_heads // small.num_key_value_heads
    large_group = large.num_attention_heads // large.num_key_value_heads
    heads = [group * large_group + member for group in range(small.num_key_value_heads)
             for member in range(small_group)]
    return torch.cat([torch.arange(large.head_dim) + head * large.head_dim for head in heads])


def place(name, weight, target, heads, scale):
    """Writes a small weight into the large one of the same name."""
    if weight.dim() == 1:
        target.fill_(scale)
        target[:len(weight)] = weight * scale
    elif "q_proj" in name:
        target[heads, :weight.shape[1]] = weight
    elif "o_proj" in name:
        target[:weight.shape[0], heads] = weight
    else:
        target[:weight.shape[0], :weight.shape[1]] = weight


@torch.no_grad()
def grow(small_state, small, large):
    """State of a large model that computes what the small one does."""
    model = llama.Llama(large)
    for name, weight in model.named_parameters():
        if any(part in name for part in ("o_proj", "down_proj", "embed_tokens")):
            weight.zero_()
    heads = head_rows(small, large)
    # A norm over more units, the new ones zero, comes out larger; this undoes it.
    scale = (small.hidden_size / large.hidden_size) ** 0.5
    parameters = dict(model.named_parameters())
    for name, weight in small_state.items():
        place(name, weight, parameters[name], heads, scale)
    return model.state_dict()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--work", default="build/train")
    work = pathlib.Path(parser.parse_args().work)
    state = torch.load(work / "draft.pt", weights_only=True)
    state["model"] = grow(state["model"], llama.Config("draft"), llama.Config("main"))
    state.update(optimizer=None, start=state["step"], seconds=0.0)
    torch.save(state, work / "main.pt")


if __name__ == "__main__":
    main()
