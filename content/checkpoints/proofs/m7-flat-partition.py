"""Slices of one flat buffer cut for 4 ranks fit 3 ranks only after whole parameters are rebuilt from them."""

# needs: torch
import torch


def cut(params: dict, ranks: int) -> list[torch.Tensor]:  # flatten, pad, one equal slice per rank
    flat = torch.cat([p.flatten() for p in params.values()])
    flat = torch.cat([flat, torch.zeros(-len(flat) % ranks)])
    return list(flat.chunk(ranks))


def whole(slices: list, shapes: dict) -> dict:  # what a universal, per-parameter form holds
    flat, out, pos = torch.cat(slices), {}, 0
    for name, shape in shapes.items():
        out[name] = flat[pos : pos + shape.numel()].view(shape)
        pos += shape.numel()
    return out


moments = {"w": torch.arange(1.0, 7.0).view(2, 3), "b": torch.tensor([7.0, 8.0, 9.0, 10.0])}
four, three = cut(moments, 4), cut(moments, 3)
for r, s in enumerate(four):
    print(f"4 ranks, rank {r}:", s.tolist())
for r, s in enumerate(three):
    print(f"3 ranks, rank {r}:", s.tolist())
assert not any(torch.equal(a, b) for a in four for b in three)
assert {len(s) for s in four} == {3}
assert {len(s) for s in three} == {4}
rebuilt = whole(four, {k: v.shape for k, v in moments.items()})
assert all(torch.equal(rebuilt[k], moments[k]) for k in moments)
assert all(torch.equal(a, b) for a, b in zip(cut(rebuilt, 3), three))
print("via whole parameters: the slices for 3 ranks are right")

row = [name for name, count in (("p0", 8), ("p1", 6), ("p2", 6), ("p3", 8), ("p4", 20)) for _ in range(count)]
for ranks in (8, 6):  # 48 moments in one row: what is in the slice of rank 3?
    size = len(row) // ranks
    held = sorted(set(row[3 * size : 4 * size]))
    print(f"{ranks} ranks of {size} moments, rank 3 holds:", *held)
    assert held == {8: ["p2", "p3"], 6: ["p3", "p4"]}[ranks]
