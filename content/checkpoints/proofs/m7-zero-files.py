"""By the naming rule, ZeRO-1 with DP=8 and TP=2 writes 2 model files and 16 optimizer files."""

# needs: nothing
dp, tp = 8, 2


def model_files(stage: int) -> list[str]:
    if stage == 3:  # the parameters themselves are partitioned
        return [f"zero_pp_rank_{d}_mp_rank_{t:02d}_model_states.pt" for t in range(tp) for d in range(dp)]
    return [f"mp_rank_{t:02d}_model_states.pt" for t in range(tp)]


def optim_files() -> list[str]:
    return [f"bf16_zero_pp_rank_{d}_mp_rank_{t:02d}_optim_states.pt" for t in range(tp) for d in range(dp)]


one, three, optim = model_files(1), model_files(3), optim_files()
print("ZeRO-1 model files:", len(one), one[-1])
print("ZeRO-3 model files:", len(three))
print("optimizer files:   ", len(optim))
print(optim[0])
print(optim[-1])
assert (len(one), len(three), len(set(optim))) == (2, 16, 16)
