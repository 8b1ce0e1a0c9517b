# Which channels sends and receives use: known by partners and tags that are affine in the indices, or looked up, and why.
psl explain channels.psl rank 2>&1 | grep 'requests\|channel at'
psl explain channels.psl costs 2>&1 | grep 'requests\|channel at' # LogGP: nothing is matched
psl explain channels.psl last 2>&1 | grep 'requests\|channel at'
