# Sweep3D with 2 x 2 regions of its processors on a node (POEMS, section 4.2), inside of which messages take a tenth of the
# time: by simulation and by equations (5) to (8), 6 x 6 processors.
psl compare sweep3d.psl --vary 'comm=simulation[MPI-Sim],analysis[LogGP]' --set px=6 --set py=6 \
  --set ranks-per-node=4 --set mapping=tile --set grid-columns=6 --set 'L-inside=2.3 us' --set 'G-inside=7 ns/byte' |
  sed -n 1,5p
