# A trace of a program: on the machine of the library, and on one of Dimemas' model.
traces=../../../examples/traces
psl why --quiet $traces/jacobi.tit --depth 3
psl why --quiet $traces/jacobi.dim --dimemas $traces/cluster.cfg --depth 2
