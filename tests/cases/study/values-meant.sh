# What people write for the values of a param, and what is said to write in its place.
FARM=$(realpath ../../../examples/farm/farm.psl)
vary() {
  echo "--vary $1" >&2
  psl study "$FARM" farm --vary "$1" >/dev/null
}
vary 'workers=4,,8'
vary 'workers=4,8,'
vary 'workers=4;8'
vary 'workers='
vary 'workers=,'
vary 'workers={4,8}'
vary 'workers 4,8'
vary 'workers in 4..8'
vary 'workers=4..'
vary 'workers=4..16+-2'
vary 'workers=16..4'
vary 'work=16s..4s by 1s'
psl study "$FARM" farm --grid workers=4,8
psl study "$FARM" farm --sweep=workers=4,8
psl study "$FARM" farm --grid
psl compare "$FARM" --grid workers=4,8
psl compare "$FARM" --vary workers=4,,8
psl compare "$FARM" --vary workers=
psl compare "$FARM" --vary work=1s..5s
psl compare "$FARM" --vary workers=4,8 --repetitions
