"""Cutting a blocking save of 200 s by 97 % leaves 6 s in which training stands still."""

# needs: nothing
blocking = 200
left = blocking * (100 - 97) / 100
saves = 24 * 60 // 60  # one save an hour
print(f"one save: {blocking} s -> {left:g} s of standing still")
print(f"a day with {saves} saves: {blocking * saves} s -> {left * saves:g} s")
assert left == 6
