"""Style rules, one module per family. Each rule is a function of one `Entry` (or of many) that yields `Finding`s."""
