# A body that never ends and never holds: found out by compiled code; the reference walker takes minutes for as many turns.
psl run spinner.psl
