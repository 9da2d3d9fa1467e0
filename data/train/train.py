"""Trains the main or the draft model on the CPU; stops and resumes at any step.

    python train.py main --tales FOLDER            # constant learning rate, resumes by itself
    python train.py main --tales FOLDER --decay 500   # then 500 last steps down to zero

SIGTERM saves and stops.  The schedule is warmup, constant, linear decay.
"""

import argparse
import os
import pathlib
import signal
import time

import numpy as np
import torch
from torch.nn import functional as F

import corpus
import drills
import model as llama

BETAS = (0.9, 0.98)
WARMUP = 100
SAVE_EVERY = 50
EVALUATE_EVERY = 500


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("name", choices=llama.SHAPES)
    parser.add_argument("--tales", required=True, help="folder of the public-domain tales")
    parser.add_argument("--tokenizer", default="../model")
    parser.add_argument("--work", default="build/train")
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--batch", type=int, default=2, help="rows of 512 tokens a step")
    parser.add_argument("--packed", action="store_true",
                        help="windows of 1024 tokens with several documents, instead of documents")
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


def optimizer_of(model, lr):
    matrices = [weight for weight in model.parameters() if weight.dim() == 2]
    vectors = [weight for weight in model.parameters() if weight.dim() == 1]
    groups = [dict(params=matrices, weight_decay=0.1), dict(params=vectors, weight_decay=0.0)]
    return torch.optim.AdamW(groups, lr=lr, betas=BETAS, fused=True)


def loss_of(model, ids):
    """Sum over the positions of a piece of text of the loss of its next token."""
    ids = torch.from_numpy(ids.astype(np.int64))
    return F.cross_entropy(model(ids[None, :-1])[0], ids[1:], reduction="sum")


def step_of(model, optimizer, pieces):
    """One step on pieces of text, one after the other; returns the mean loss of a token."""
    count = sum(len(piece) - 1 for piece in pieces)
    optimizer.zero_grad()
    total = 0.0
    for piece in pieces:
        loss = loss_of(model, piece) / count
        loss.backward()
        total += loss.item()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return total


@torch.no_grad()
def nats_per_byte(model, documents, size):
    """Total negative log-likelihood of documents, one at a time, over their bytes."""
    total = 0.0
    for document in documents:
        document = document[:corpus.CONTEXT + 1]
        total += loss_of(model, document).item()
    return total / size


def share_machine():
    """One thread while others keep the machine busy, where threads that wait for
    each other get less done than one alone; else as many as there are processors."""
    processors = os.cpu_count()
    torch.set_num_threads(1 if os.getloadavg()[0] > 2 * processors else processors)


def save(path, state):
    partial = path.with_suffix(".partial")
    torch.save(state, partial)
    partial.replace(path)


def main():
    options = arguments()
    torch.manual_seed(1)
    work = pathlib.Path(options.work)
    torch.set_flush_denormal(True)
    rows = corpus.build(work, options.tokenizer, options.tales)
    held_out = corpus.held_out(options.tokenizer, options.tales, count=60)
    tokenizer = corpus.load_tokenizer(options.tokenizer)
    model = llama.build(options.name)
    optimizer = optimizer_of(model, options.lr)
    step, row, start, tokens, seconds, decay = 0, 0, 0, 0, 0.0, None
    checkpoint = work / f"{options.name}.pt"
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(state["model"])
        if state["optimizer"]:
            optimizer.load_state_dict(state["optimizer"])
        for group in optimizer.param_groups:
            group["betas"] = BETAS
        step, row, tokens, seconds, decay = (
            state[key] for key in ("step", "row", "tokens", "seconds", "decay"))
        start = state.get("start", 0)
    if options.decay and not decay:
        decay = (step, options.decay)
    last = min(options.steps, sum(decay) if decay else options.steps)
    stop = []
    signal.signal(signal.SIGTERM, lambda *_: stop.append(True))
    print(f"{options.name}: {sum(p.numel() for p in model.parameters())} parameters, "
          f"{len(rows)} rows, from step {step}, decay {decay}", flush=True)

    share_machine()
    smooth = None
    while step < last and not stop:
        begin = time.monotonic()
        rate = learning_rate(options.lr, step, start, decay)
        for group in optimizer.param_groups:
            group["lr"] = rate
        take = corpus.windows_of if options.packed else corpus.documents_of
        pieces = take(rows, row, options.batch) if options.batch else []
        row += options.batch
        texts = [drills.drill(step * options.drills + index) for index in range(options.drills)]
        pieces += corpus.encode(tokenizer, texts)
        loss = step_of(model, optimizer, pieces)
        step += 1
        tokens += sum(map(len, pieces))
        seconds += time.monotonic() - begin
        smooth = loss if smooth is None else 0.95 * smooth + 0.05 * loss
        if step % 20 == 0:
            share_machine()
            print(f"step {step} loss {smooth:.4f} lr {rate:.2e} tokens {tokens} "
                  f"seconds {seconds:.0f}", flush=True)
        if step % EVALUATE_EVERY == 0 or step == last:
            parts = [f"{kind} {nats_per_byte(model, *some):.4f}" for kind, some in held_out.items()]
            print(f"step {step} held-out nats per byte: " + ", ".join(parts), flush=True)
        if step % SAVE_EVERY == 0 or step == last or stop:
            save(checkpoint, dict(model=model.state_dict(), optimizer=optimizer.state_dict(),
                                  step=step, row=row, start=start, tokens=tokens,
                                  seconds=seconds, decay=decay))


if __name__ == "__main__":
    main()
