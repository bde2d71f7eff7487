"""Of the orders of save, pointer move and deletion, one leaves a loadable checkpoint after a crash at any point."""

# needs: nothing
from itertools import permutations


def survives(order) -> bool:
    disk, pointer = {"old"}, "old"
    for action in order:
        if action == "save":
            if pointer not in disk:  # a crash in the middle of writing leaves just what was there
                return False
            disk.add("new")
        elif action == "pointer":
            pointer = "new"
        else:
            disk.discard("old")
        if pointer not in disk:  # a crash right here
            return False
    return True


def after_two(order):
    """What two of the three actions leave: the pointer, the copies on the disk, and how many there were at most."""
    disk, pointer, most = {"old"}, "old", 1
    for action in order[:2]:
        if action == "save":
            disk.add("new")
        elif action == "pointer":
            pointer = "new"
        else:
            disk.discard("old")
        most = max(most, len(disk))
    return pointer, disk, most


safe = []
for order in permutations(("save", "pointer", "delete")):
    ok = survives(order)
    print(f"{' -> '.join(order):26}", "loadable throughout" if ok else "a moment with nothing")
    if ok:
        safe.append(order)
assert safe == [("save", "pointer", "delete")]
left = [order for order in permutations(("save", "pointer", "delete")) if after_two(order) == ("old", {"new"}, 2)]
print("pointer to a missing old copy beside a whole new one, both there before:")
print(*(" -> ".join(order) for order in left))
assert left == [("save", "delete", "pointer")]
