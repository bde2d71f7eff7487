"""Content: TOML decks become an immutable `Bank`, or every problem found in them."""
