"""With independent failures 500 nodes of 6000 h MTBF each give a job an MTBF of 12 h."""

# needs: nothing
node, nodes = 6000, 500
job = node / nodes
print(f"one node: a failure every {node} h; {nodes} nodes: one every {job:g} h")
rates = [1 / node] * nodes  # failure rates of independent nodes add up
assert abs(1 / sum(rates) - job) < 1e-6
assert job == 12
