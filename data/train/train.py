"""Trains the main or the draft model on the CPU; stops and resumes at any step.

    python train.py main --tales FOLDER            # constant learning rate, resumes by itself
    python train.py main --tales FOLDER --decay 500   # then 500 last steps down to zero

SIGTERM saves and stops.  The schedule is warmup, constant, linear decay.  `--ranks N` starts N
processes of one thread that share each step's texts: with matrices this small, two processes do
nearly twice as much as one with two threads.
"""

import argparse
import os
import pathlib
import signal
import time

import numpy as np
import torch
import torch.distributed as dist
from torch.nn import functional as F

import corpus
import drills
import lexicon
import model as llama
from muon import Muon

BETAS = (0.9, 0.98)
TOGETHER = 4                     # texts of similar length in one forward pass
ADAM_SHARE = 0.3                 # of Muon's learning rate
NAME_WEIGHT = 3.0                # of a name's loss: names are few, and hardest to get right
WARMUP = 100
SAVE_EVERY = 50
EVALUATE_EVERY = 500


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("name", choices=llama.SHAPES)
    parser.add_argument("--tales", required=True, help="folder of the public-domain tales")
    parser.add_argument("--tokenizer", default="../model")
    parser.add_argument("--work", default="build/train")
    parser.add_argument("--lr", type=float, default=0.004, help="of Muon")
    parser.add_argument("--batch", type=int, default=2, help="rows of 512 tokens a step")
    parser.add_argument("--packed", action="store_true",
                        help="windows of 1024 tokens with several documents, instead of documents")
    parser.add_argument("--ranks", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--drills", type=int, default=0, help="drills a step, besides the rows")
    parser.add_argument("--steps", type=int, default=10**9, help="stop after this many steps in all")
    parser.add_argument("--decay", type=int, help="begin the decay now, over this many steps")
    return parser.parse_args()


def learning_rate(peak, step, start, decay):
    """Warmup from step `start`; `decay` is None or (first step, number of steps) of the decay."""
    rate = peak * min(1.0, (step - start + 1) / WARMUP)
    if decay:
        rate *= max(0.0, 1.0 - (step - decay[0]) / decay[1])
    return rate


def optimizers_of(model, lr):
    """Muon for the matrices of the layers, AdamW for the embedding and the norms."""
    layers = [weight for name, weight in model.named_parameters() if weight.dim() == 2 and "embed" not in name]
    others = [weight for name, weight in model.named_parameters() if weight.dim() == 1 or "embed" in name]
    return [Muon(layers, lr), torch.optim.AdamW(others, lr=lr, betas=BETAS, weight_decay=0.0, fused=True)]


class NameWeights:
    """How much the loss of each token of a text counts: more, where it is part of a name."""

    def __init__(self, tokenizer):
        self.names = {}          # token ids of the names by their first one, longest names first
        for name in sorted(lexicon.NAMES, key=len, reverse=True):
            for text in (" " + name, name):
                ids = tokenizer.encode(text, add_special_tokens=False).ids
                self.names.setdefault(ids[0], []).append(ids)

    def of(self, piece):
        ids, weights = piece.tolist(), np.ones(len(piece), dtype=np.float32)
        for place, first in enumerate(ids):
            for name in self.names.get(first, ()):
                if ids[place:place + len(name)] == name:
                    weights[place:place + len(name)] = NAME_WEIGHT
                    break
        return weights


def batch_of(pieces, name_weights=None):
    """Inputs, targets and weights [texts, longest - 1]; what a text lacks has weight 0."""
    longest = max(map(len, pieces))
    ids = torch.zeros(len(pieces), longest, dtype=torch.int64)
    weights = torch.zeros(len(pieces), longest)
    for row, piece in enumerate(pieces):
        ids[row, :len(piece)] = torch.from_numpy(piece.astype(np.int64))
        weights[row, :len(piece)] = torch.from_numpy(name_weights.of(piece)) if name_weights else 1.0
    return ids[:, :-1], ids[:, 1:], weights[:, 1:]


def loss_of(model, ids, targets, weights):
    """Weighted sum over the positions of the loss of the next token."""
    losses = F.cross_entropy(model(ids).flatten(0, 1), targets.flatten(), reduction="none")
    return losses @ weights.flatten()


def gradients_of(loss_of, model, pieces, name_weights):
    """Adds up the gradients of pieces of text; returns the sum of their loss and their tokens."""
    total = 0.0
    pieces = sorted(pieces, key=len)
    for first in range(0, len(pieces), TOGETHER):
        loss = loss_of(model, *batch_of(pieces[first:first + TOGETHER], name_weights))
        loss.backward()
        total += loss.item()
    return total, sum(len(piece) - 1 for piece in pieces)


def step_of(loss_of, model, optimizers, pieces, name_weights, stop):
    """One step of all ranks; returns the mean weighted loss of a token, the tokens of all ranks,
    and whether any of them was told to stop."""
    model.zero_grad()
    sums = torch.tensor([*gradients_of(loss_of, model, pieces, name_weights), stop])
    gradients = [weight.grad for weight in model.parameters()]
    flat = torch.cat([sums] + [gradient.flatten() for gradient in gradients])
    dist.all_reduce(flat)
    (loss, tokens, stop), flat = flat[:3].tolist(), flat[3:]
    for gradient, part in zip(gradients, flat.split([gradient.numel() for gradient in gradients])):
        gradient.copy_(part.view_as(gradient) / tokens)
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for optimizer in optimizers:
        optimizer.step()
    return loss / tokens, int(tokens), stop > 0


@torch.no_grad()
def nats_per_byte(model, documents, size):
    """Total negative log-likelihood of documents, one at a time, over their bytes."""
    total = 0.0
    for document in documents:
        document = document[:corpus.CONTEXT + 1]
        total += loss_of(model, *batch_of([document])).item()
    return total / size


def save(path, state):
    partial = path.with_suffix(".partial")
    torch.save(state, partial)
    partial.replace(path)


def pieces_of(options, rank, rows, row, step, tokenizer):
    """The texts of a step that belong to a rank."""
    take = corpus.windows_of if options.packed else corpus.documents_of
    pieces = take(rows, row, options.batch) if options.batch else []
    texts = [drills.drill(step * options.drills + index) for index in range(options.drills)]
    pieces += corpus.encode(tokenizer, texts)
    return sorted(pieces, key=len)[rank::options.ranks]


def train(rank, options, told_to_stop):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    work = pathlib.Path(options.work)
    dist.init_process_group("gloo", f"file://{(work / 'meeting').resolve()}", rank=rank, world_size=options.ranks)
    torch.manual_seed(1)
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    rows = corpus.build(work, options.tokenizer, options.tales)
    held_out = corpus.held_out(options.tokenizer, options.tales, count=60)
    tokenizer = corpus.load_tokenizer(options.tokenizer)
    model = llama.build(options.name)
    name_weights = NameWeights(tokenizer)
    optimizers = optimizers_of(model, options.lr)
    fast_loss = torch.compile(loss_of, dynamic=True)
    step, row, start, tokens, seconds, decay = 0, 0, 0, 0, 0.0, None
    checkpoint = work / f"{options.name}.pt"
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(state["model"])
        for optimizer, saved in zip(optimizers, state.get("optimizers", [])):
            optimizer.load_state_dict(saved)
        step, row, tokens, seconds, decay = (
            state[key] for key in ("step", "row", "tokens", "seconds", "decay"))
        start = state.get("start", 0)
    if options.decay and not decay:
        decay = (step, options.decay)
    last = min(options.steps, sum(decay) if decay else options.steps)
    log = print if rank == 0 else lambda *_, **__: None
    log(f"{options.name}: {sum(p.numel() for p in model.parameters())} parameters, "
        f"{len(rows)} rows, from step {step}, decay {decay}", flush=True)

    smooth, stop = None, False
    while step < last and not stop:
        begin = time.monotonic()
        rate = learning_rate(options.lr, step, start, decay)
        for optimizer, share in zip(optimizers, (1.0, ADAM_SHARE)):
            optimizer.param_groups[0]["lr"] = rate * share
        pieces = pieces_of(options, rank, rows, row, step, tokenizer)
        loss, count, stop = step_of(fast_loss, model, optimizers, pieces, name_weights, told_to_stop.is_set())
        step, row, tokens = step + 1, row + options.batch, tokens + count
        seconds += time.monotonic() - begin
        smooth = loss if smooth is None else 0.95 * smooth + 0.05 * loss
        if step % 20 == 0:
            log(f"step {step} loss {smooth:.4f} lr {rate:.2e} tokens {tokens} "
                f"seconds {seconds:.0f}", flush=True)
        if rank == 0 and (step % EVALUATE_EVERY == 0 or step == last):
            parts = [f"{kind} {nats_per_byte(model, *some):.4f}" for kind, some in held_out.items()]
            log(f"step {step} held-out nats per byte: " + ", ".join(parts), flush=True)
        if rank == 0 and (step % SAVE_EVERY == 0 or step == last or stop):
            save(checkpoint, dict(model=model.state_dict(), step=step, row=row, start=start,
                                  optimizers=[optimizer.state_dict() for optimizer in optimizers],
                                  tokens=tokens, seconds=seconds, decay=decay))
    dist.destroy_process_group()


def main():
    options = arguments()
    processes = torch.multiprocessing.get_context("spawn")
    told_to_stop = processes.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: told_to_stop.set())
    (pathlib.Path(options.work) / "meeting").unlink(missing_ok=True)
    torch.multiprocessing.spawn(train, (options, told_to_stop), nprocs=options.ranks)


if __name__ == "__main__":
    main()
