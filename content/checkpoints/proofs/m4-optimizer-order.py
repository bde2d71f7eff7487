"""An optimizer matches loaded state by order: equal shapes trade moments silently; each group's size must fit."""

# needs: torch
import torch

params = {name: torch.nn.Parameter(torch.zeros(2)) for name in "abcde"}


def adam(*groups):
    return torch.optim.Adam([{"params": [params[name] for name in group]} for group in groups])


def moments(opt):
    return {name: round(opt.state[p]["exp_avg"][0].item(), 3) for name, p in params.items() if p in opt.state}


for i, p in enumerate(params.values()):
    p.grad = torch.full((2,), 20.0 * 2**i)
old = adam("abcd")
old.step()
saved = old.state_dict()
print("keys of the saved state:", list(saved["state"]))
assert list(saved["state"]) == [0, 1, 2, 3]
print("exp_avg of a, b, c, d:", *moments(old).values())
new = adam("bcda")
new.load_state_dict(saved)
print("loaded in the order b, c, d, a: a gets", moments(new)["a"])
assert list(moments(old).values()) == [2.0, 4.0, 8.0, 16.0]
assert moments(new) == {"b": 2.0, "c": 4.0, "d": 8.0, "a": 16.0}

old = adam("abc", "de")
old.step()
for groups in (("abc", "de"), ("bde", "ac"), ("de", "abc"), ("b", "acde"), ("abce", "d")):
    try:
        adam(*groups).load_state_dict(old.state_dict())
        said = "loaded"
    except ValueError as error:
        said = "ValueError"
        assert "doesn't match the size of optimizer's group" in str(error)
    print("groups abc, de into", ", ".join(groups) + ":", said)
    assert (said == "loaded") == (len(groups[0]) == 3)
