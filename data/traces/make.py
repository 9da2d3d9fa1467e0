#!/usr/bin/env python3
"""Makes the traces of this folder: python3 make.py

Every length is a quantile of a log-normal distribution: the 1,000 quantiles at (i + 1/2) / 1000, in a
shuffled order, so that mean and median are those of the distribution and not of a lucky draw. The median
is given; the spread is searched until the mean of the rounded lengths is the given one. Arrivals are
exponential gaps. Needs nothing but Python.
"""
import math
import random
from pathlib import Path
from statistics import NormalDist, mean, median

REQUESTS = 1000
NORMAL = NormalDist()

# mean and median of prompt and output tokens, and requests a second. README.md says where they are from.
TRACES = {
    "conversations": ((1154.70, 1020), (211.13, 129), 5.53),
    "code": ((2047.85, 1469), (27.88, 13), 2.57),
    "sharegpt": ((161.31, None), (337.99, None), 1.0),
    "alpaca": ((19.31, None), (58.45, None), 1.0),
}
# Where only a mean is published, this is our assumption: the deviation of the logarithms.
ASSUMED_SPREAD = 1.0


def lengths(middle, spread):
    """The quantiles of a log-normal distribution as whole numbers of at least 1."""
    places = ((i + 0.5) / REQUESTS for i in range(REQUESTS))
    return [max(1, round(middle * math.exp(spread * NORMAL.inv_cdf(p)))) for p in places]


def search(low, high, wanted, make):
    """The lengths whose mean is nearest to the wanted one; the mean grows from low to high."""
    for _ in range(60):
        middle = (low + high) / 2
        if mean(make(middle)) < wanted:
            low = middle
        else:
            high = middle
    return make(low)


def lengths_with(wanted_mean, wanted_median):
    if wanted_median is None:
        return search(0.1, wanted_mean, wanted_mean, lambda middle: lengths(middle, ASSUMED_SPREAD))
    return search(0.0, 5.0, wanted_mean, lambda spread: lengths(wanted_median, spread))


def make(name, prompt, output, rate):
    chance = random.Random(f"quire {name}")
    prompts, outputs = lengths_with(*prompt), lengths_with(*output)
    chance.shuffle(prompts)
    chance.shuffle(outputs)
    lines, arrival = ["arrival,prompt_tokens,output_tokens"], 0.0
    for tokens, generated in zip(prompts, outputs):
        lines.append(f"{arrival:.3f},{tokens},{generated}")
        arrival += chance.expovariate(rate)
    Path(__file__).with_name(f"{name}.csv").write_text("\n".join(lines) + "\n")
    print(f"{name}: prompt mean {mean(prompts):.2f} median {median(prompts)}, "
          f"output mean {mean(outputs):.2f} median {median(outputs)}")


for trace, (prompt, output, rate) in TRACES.items():
    make(trace, prompt, output, rate)
