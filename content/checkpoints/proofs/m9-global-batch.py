"""Global batch = per-device batch x devices x accumulation: fewer devices need more accumulation."""
# needs: nothing


def global_batch(per_device: int, devices: int, accumulation: int) -> int:
    return per_device * devices * accumulation


before = global_batch(4, 8, 4)
print("4 x 8 devices x 4 =", before)
print("4 devices, nothing else changed:", global_batch(4, 4, 4))
print("2 devices, 8 per device, accumulation 8:", global_batch(8, 2, 8))
assert before == 128
assert global_batch(4, 4, 4) == before // 2
assert [a for a in range(1, 100) if global_batch(8, 2, a) == before] == [8]
