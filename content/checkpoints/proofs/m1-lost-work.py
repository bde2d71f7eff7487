"""After a failure the work since the last finished save is repeated, not the whole run."""

# needs: nothing
every, crash = 40, 190  # minutes of training
saves = list(range(every, crash + 1, every))
lost = crash - saves[-1]
print("saves after minutes:", saves)
print("failure after minute:", crash)
print("minutes to repeat with checkpoints:", lost)
print("minutes to repeat without them:    ", crash)
assert lost == 30
