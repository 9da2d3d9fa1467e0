"""Muon: momentum whose every step is replaced by the nearest matrix with equal singular values.

After Jordan et al. 2024, https://kellerjordan.github.io/posts/muon.  A gradient of a
matrix has few large directions; making all of them equally long lets the rare ones,
such as looking back for a name, learn as fast as the common ones.
"""

import torch
import torch.distributed as dist

COEFFICIENTS = (3.4445, -4.7750, 2.0315)     # of the quintic that pushes singular values towards 1
ITERATIONS = 5


def orthogonal(matrix):
    """A matrix with the same singular vectors and singular values between about 0.7 and 1.2."""
    a, b, c = COEFFICIENTS
    x = matrix.T if matrix.shape[0] > matrix.shape[1] else matrix
    x = x / (x.norm() + 1e-7)
    for _ in range(ITERATIONS):
        square = x @ x.T
        x = a * x + (b * square + c * square @ square) @ x
    return x.T if matrix.shape[0] > matrix.shape[1] else x


class Muon(torch.optim.Optimizer):
    """For matrices inside the layers; embeddings and vectors want another optimizer."""

    def __init__(self, matrices, lr, momentum=0.95, weight_decay=0.1):
        super().__init__(matrices, dict(lr=lr, momentum=momentum, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self):
        """One step; of the costly part every process of a group does its share."""
        for group in self.param_groups:
            ahead = [self.look_ahead(weight, group["momentum"]) for weight in group["params"]]
            for weight, update in zip(group["params"], shared_out(orthogonal, ahead)):
                scale = max(1.0, weight.shape[0] / weight.shape[1]) ** 0.5
                weight.mul_(1 - group["lr"] * group["weight_decay"])
                weight.add_(update, alpha=-group["lr"] * scale)

    def look_ahead(self, weight, momentum):
        velocity = self.state[weight].setdefault("velocity", torch.zeros_like(weight))
        velocity.lerp_(weight.grad, 1 - momentum)
        return torch.lerp(weight.grad, velocity, momentum)


def shared_out(function, matrices):
    """function(matrix) of each matrix, computed by one process and sent to all."""
    rank, ranks = (dist.get_rank(), dist.get_world_size()) if dist.is_initialized() else (0, 1)
    results = [function(matrix) if index % ranks == rank else torch.zeros_like(matrix)
               for index, matrix in enumerate(matrices)]
    if ranks == 1:
        return results
    flat = torch.cat([result.flatten() for result in results])
    dist.all_reduce(flat)
    parts = flat.split([matrix.numel() for matrix in matrices])
    return [part.view_as(matrix) for part, matrix in zip(parts, matrices)]
