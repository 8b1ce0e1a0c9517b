# Three million calls inside each other; then more than the memory given holds.
psl check deep.psl
psl check deep.psl --max-memory 32MiB 2>&1 | head -1 | sed "s/[0-9]* KiB/N KiB/2g"
