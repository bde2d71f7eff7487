"""Pieces described by global shape and offset can be recut for another number of ranks without being merged."""

# needs: torch
import itertools

import torch


def save(tensor, ranks):  # each rank stores its rows together with their global offset
    rows, start, out = [len(tensor) // ranks + (r < len(tensor) % ranks) for r in range(ranks)], 0, []
    for n in rows:
        out.append({"offset": start, "rows": tensor[start : start + n].clone()})
        start += n
    return out


def load(pieces, start, stop, width):  # a reader asks for its own global range
    want = torch.full((stop - start, width), float("nan"))
    for p in pieces:
        lo, hi = max(start, p["offset"]), min(stop, p["offset"] + len(p["rows"]))
        if lo < hi:
            want[lo - start : hi - start] = p["rows"][lo - p["offset"] : hi - p["offset"]]
    return want


w = torch.arange(16.0).view(8, 2)
pieces = save(w, 4)
print("saved on 4 ranks, offsets:", [p["offset"] for p in pieces])
for ranks in (1, 2, 3):
    bounds = [8 * r // ranks for r in range(ranks + 1)]
    parts = [load(pieces, a, b, 2) for a, b in itertools.pairwise(bounds)]
    same = torch.equal(torch.cat(parts), w)
    print(f"wanted on {ranks} rank(s): rows {[len(p) for p in parts]}, values right: {same}")
    assert same
half = w.shape[1] // 2  # the cut may also run along the other axis: all rows, half of the columns
columns = [load(pieces, 0, len(w), w.shape[1])[:, c * half : (c + 1) * half] for c in range(2)]
print("wanted on 2 rank(s) by columns: shapes", [tuple(c.shape) for c in columns])
assert torch.equal(torch.cat(columns, dim=1), w)
assert columns[0].shape == (8, 1)
