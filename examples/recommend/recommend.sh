# Sweep3D, 20 million cells, under 4.4 s an iteration on at most 256 processors: which grid of them, which blocks?
psl recommend ../sweep3d/choices.psl --runs 300 --choices 3 --set I=280 --set J=280 --set K=255 \
  --where 'processors <= 256' --goal 'makespan < 4.4 s' --verify
# How good is that? For problems that nothing was learnt from, beside all choices.
psl recommend ../sweep3d/choices.psl --runs 300 --unseen=5 | head -n 5
# Which integrator for a peak, which is to be right in 6 digits? Learnt from integrals that are computed here.
cc -std=gnu11 -shared -fPIC -O2 -o "$TMP/quadrature.so" quadrature.c -lgsl -lgslcblas -lm
psl recommend --allow-native -I "$TMP" quadrature.psl integrators --runs 400 --choices 3 --set 'family="peak"' \
  --set difficulty=20 --set place=0.3 --set digits=6 --verify | sed '/^cases near/,$d'
