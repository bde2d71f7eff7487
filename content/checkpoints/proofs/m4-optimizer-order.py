"""An optimizer matches loaded state by the order of parameters: equal shapes swap moments without an error."""

# needs: torch
import torch

a, b = (torch.nn.Parameter(torch.zeros(2)) for _ in "ab")
old = torch.optim.Adam([a, b])
a.grad, b.grad = torch.ones(2), torch.full((2,), -5.0)
old.step()
saved = old.state_dict()
print("keys of the saved state:", list(saved["state"]))
assert list(saved["state"]) == [0, 1]

new = torch.optim.Adam([b, a])
new.load_state_dict(saved)
for name, p in (("a", a), ("b", b)):
    print(f"exp_avg of {name}: was {old.state[p]['exp_avg'][0]:.1f}, loaded {new.state[p]['exp_avg'][0]:.1f}")
assert torch.equal(new.state[b]["exp_avg"], old.state[a]["exp_avg"])
assert not torch.equal(new.state[b]["exp_avg"], old.state[b]["exp_avg"])

try:
    torch.optim.Adam([a]).load_state_dict(saved)
    raise SystemExit("no error")
except ValueError as error:
    print("one parameter less: ValueError")
    assert "doesn't match the size of optimizer's group" in str(error)
