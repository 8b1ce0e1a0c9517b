# Tokens that go round without time: found out after ten million events.
psl run tokens-part.psl
