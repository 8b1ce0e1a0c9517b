# Values of several params that go together are points of their own, not a grid; each is what a run of it alone gives.
FARM=$(realpath ../../../examples/farm/devices.psl)
psl study "$FARM" --vary 'workers,work=(4,10s),(8,20s),(16,10s)' --report makespan
psl study "$FARM" --vary 'workers, device = (4, disk), (8, flash)' --vary result=10MB,50MB --format csv --report makespan
for set in 'workers=4 device=disk result=10MB' 'workers=8 device=flash result=50MB'; do
  set -- $set
  psl study "$FARM" --set $1 --set $2 --set $3 --format csv --report makespan
done
psl study "$FARM" --vary 'workers,work=(4,10s),(8)'
psl study "$FARM" --vary 'workers,work=(4,10s),8,20s'
psl study "$FARM" --vary 'workers,work=4,8'
psl study "$FARM" --vary 'workers,speed=(4,2)'
# Blanks are no part of a name, and a part is a percentage.
psl study "$FARM" --vary ' work = 10s,20s' --format csv --report makespan
psl sensitivity "$FARM" --step 0.1 >"$TMP/part"
psl sensitivity "$FARM" --step 10% | cmp - "$TMP/part" && echo "0.1 is 10%"
