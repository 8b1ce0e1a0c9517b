# A program that talks to its neighbours and once to all, on 64 nodes: on a torus, a mesh and a fat tree; with links of the
# fat tree that thin out towards its top; and on the torus by formulas.
run() { psl compare halo-transpose.psl --set machine=cluster --set 'dimensions=[4, 4, 4]' "$@" | sed '/^by component/,$d'; }
run --set 'network=simulation[flows]' --vary topology=torus,mesh,fat-tree
run --set 'network=simulation[flows]' --set topology=fat-tree --vary 'parents=[1, 4, 4],[1, 2, 2],[1, 1, 1]'
run --set topology=torus --vary 'network=analysis[LogGP],analysis[link-queues],simulation[flows]'
