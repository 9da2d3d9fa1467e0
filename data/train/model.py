"""A small Llama in PyTorch; parameter names are those of transformers' LlamaForCausalLM."""

import torch
from torch import nn
from torch.nn import functional as F

SHAPES = {
    "main": dict(hidden_size=192, intermediate_size=512, num_hidden_layers=6,
                 num_attention_heads=6, num_key_value_heads=2),
    "draft": dict(hidden_size=128, intermediate_size=192, num_hidden_layers=2,
                  num_attention_heads=4, num_key_value_heads=2),
}
COMMON = dict(head_dim=32, vocab_size=2048, max_position_embeddings=1024,
              rope_theta=10000.0, rms_norm_eps=1e-5)


class Config:
    def __init__(self, name):
        self.__dict__.update(COMMON, **SHAPES[name])


class RMSNorm(nn.Module):
    def __init__(self, size, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.eps = eps

    def forward(self, x):
        wide = x.float()
        return self.weight * (wide * torch.rsqrt(wide.square().mean(-1, keepdim=True) + self.eps)).to(x.dtype)


def rotary_table(config, length):
    """Cosines and sines [length, head_dim], the two halves of a head alike."""
    half = torch.arange(0, config.head_dim, 2).float() / config.head_dim
    angles = torch.outer(torch.arange(length).float(), config.rope_theta ** -half)
    angles = torch.cat((angles, angles), dim=-1)
    return angles.cos(), angles.sin()


def rotate(x, cos, sin):
    low, high = x.chunk(2, dim=-1)
    return x * cos + torch.cat((-high, low), dim=-1) * sin


class Attention(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.head_dim = config.head_dim
        queries = config.num_attention_heads * config.head_dim
        keys = config.num_key_value_heads * config.head_dim
        self.q_proj = nn.Linear(config.hidden_size, queries, bias=False)
        self.k_proj = nn.Linear(config.hidden_size, keys, bias=False)
        self.v_proj = nn.Linear(config.hidden_size, keys, bias=False)
        self.o_proj = nn.Linear(queries, config.hidden_size, bias=False)

    def forward(self, x, cos, sin):
        batch, length, _ = x.shape
        heads = lambda y: y.view(batch, length, -1, self.head_dim).transpose(1, 2)
        q, k, v = heads(self.q_proj(x)), heads(self.k_proj(x)), heads(self.v_proj(x))
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        group = q.shape[1] // k.shape[1]
        k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.o_proj(mixed.transpose(1, 2).reshape(batch, length, -1))


class MLP(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.gate_proj = nn.Linear(config.hidden_size, config.intermediate_size, bias=False)
        self.up_proj = nn.Linear(config.hidden_size, config.intermediate_size, bias=False)
        self.down_proj = nn.Linear(config.intermediate_size, config.hidden_size, bias=False)

    def forward(self, x):
        return self.down_proj(F.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.input_layernorm = RMSNorm(config.hidden_size, config.rms_norm_eps)
        self.self_attn = Attention(config)
        self.post_attention_layernorm = RMSNorm(config.hidden_size, config.rms_norm_eps)
        self.mlp = MLP(config)

    def forward(self, x, cos, sin):
        x = x + self.self_attn(self.input_layernorm(x), cos, sin)
        return x + self.mlp(self.post_attention_layernorm(x))


class Trunk(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embed_tokens = nn.Embedding(config.vocab_size, config.hidden_size)
        self.layers = nn.ModuleList(Layer(config) for _ in range(config.num_hidden_layers))
        self.norm = RMSNorm(config.hidden_size, config.rms_norm_eps)


class Llama(nn.Module):
    """Decoder-only transformer whose output layer is the transposed embedding."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.model = Trunk(config)
        cos, sin = rotary_table(config, config.max_position_embeddings)
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)
        self.initialise()

    def initialise(self):
        depth = self.config.num_hidden_layers
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                scale = 0.02 if "embed" in name else weight.shape[1] ** -0.5
                if "o_proj" in name or "down_proj" in name:
                    scale /= (2 * depth) ** 0.5
                nn.init.normal_(weight, std=scale)

    def forward(self, ids):
        """Logits [batch, length, vocabulary] of token ids [batch, length]."""
        x = self.model.embed_tokens(ids)
        cos, sin = self.cos[:ids.shape[1]].to(x.dtype), self.sin[:ids.shape[1]].to(x.dtype)
        for layer in self.model.layers:
            x = layer(x, cos, sin)
        return F.linear(self.model.norm(x), self.model.embed_tokens.weight)


def build(name):
    return Llama(Config(name))
