# Instances of one request that go to several components: which go where, and each component by one who goes there.
psl explain ways.psl worker 2>&1
psl explain ways.psl reader 2>&1
