# A term of a profile is told as it is written there, whatever capitals the same word has elsewhere.
psl explain spelling.psl cpu
