# A zero has no sign.
psl -e '-0.0' -e '0 s * -1 -> ms' -e '[-0.0, -1e-320 * 1e-300, -1e-9]' -e '0 % * -1'
