# What can be varied and set: a param of a component is none of the model, a bool has two values, and values to vary stand
# without brackets; what is said of a value that is none.
psl compare own-params.psl --vary servers=1,2 2>&1
psl study own-params.psl --vary service=1,2 2>&1
psl run own-params.psl --set clinic.servers=1 2>&1
psl compare own-params.psl --vary fast 2>&1 | head -6
psl compare own-params.psl --vary 'doctors=[1, 2]' 2>&1 | head -8
psl compare own-params.psl --vary 'sizes=[1, 2],[2, 1]' 2>&1 | head -6
psl compare own-params.psl --vary 'doctors=[1, 2' 2>&1 | head -6
psl study own-params.psl --vary fast 2>&1
psl run own-params.psl --set doctors=three 2>&1
psl run own-params.psl --set latency=0.1 2>&1
psl run own-params.psl --set scale=1e10 2>&1
psl run own-params.psl --set scale=1e-10 2>&1
