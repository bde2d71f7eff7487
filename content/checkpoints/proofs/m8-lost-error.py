"""An exception in a background save stays in its future: without result() the training loop sees nothing."""

# needs: nothing
from concurrent.futures import ThreadPoolExecutor

done = []


def save(step):
    if step >= 300:
        raise OSError(28, "No space left on device")
    done.append(step)


with ThreadPoolExecutor(max_workers=1) as pool:
    futures = [pool.submit(save, step) for step in range(100, 600, 100)]
print("loop and shutdown passed without an exception")
print("saved steps:", done, "of 5 dispatched")
assert done == [100, 200]
try:
    futures[2].result()
    raise SystemExit("no error?")
except OSError as e:
    print("result() of step 300:", e.strerror)
    assert e.errno == 28
