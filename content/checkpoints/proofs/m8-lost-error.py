"""An exception in a background save stays in its future until result() is called, be it a save later or not at all."""

# needs: nothing
from concurrent.futures import ThreadPoolExecutor

done = []


def save(step):
    if step >= 400:
        raise OSError(28, "No space left on device")
    done.append(step)


with ThreadPoolExecutor(max_workers=1) as pool:
    futures = [pool.submit(save, step) for step in range(100, 600, 100)]
print("loop and shutdown passed without an exception")
print("saved steps:", done, "of 5 dispatched")
assert done == [100, 200, 300]
try:
    futures[3].result()
    raise SystemExit("no error?")
except OSError as e:
    print("result() of step 400:", e.strerror)
    assert e.errno == 28

future = None
with ThreadPoolExecutor(max_workers=1) as pool:
    try:
        for step in range(1, 1001):
            if step % 100 == 0:
                if future:
                    future.result()  # of the save before
                future = pool.submit(save, step)
    except OSError as e:
        print(f"result() before each new save: step {step}, {e.strerror}")
assert step == 500
