"""What the program costs: `python -m bench` measures, `python -m bench.crash` kills."""
