# Terms that could be meant, by what is known of the program: what is computed for the atoms of a process (nat/np), what
# each process does for itself (1, or nat), and collective communication (log2(np) steps, their length constant or in
# proportion to nat; or np messages). The measurements that are fitted choose: cross-validated, each left out in turn.
choose() { # CONDITION TERMS...
  echo "where $1"
  where=$1
  shift
  for terms; do
    psl fit --quiet measured.csv --column time --where "$where" --params nat,np --terms "$terms" |
      sed -n 's/.*cross-validated \(.*\) by.*/\1/p; s/.*\(cross-validated not defined\) by.*/\1/p' | sed "s|\$|  $terms|"
  done
}
choose 'nat == 32' 'nat / np, 1' 'nat / np, log2(np)' 'nat / np, np' 'nat / np, 1, log2(np)' 'nat / np, log2(np), np'
choose 'nat == 32 or np == 4' 'nat / np, 1' 'nat / np, nat' 'nat / np, log2(np)' 'nat / np, nat * log2(np)' \
  'nat / np, np' 'nat / np, 1, log2(np)' 'nat / np, nat, log2(np)' 'nat / np, nat, np' 'nat / np, 1, nat * log2(np)'

# What fits as well as the ones taken, and what each predicts for 64 atoms on 32 processes, which took 164 s. With 32 atoms
# alone a message whose length grows with the atoms cannot be told from one of constant length.
as_well() { # CONDITION TERMS...
  where=$1
  shift
  for terms; do
    set -- "$@" --terms "$terms"
    shift
  done
  psl fit measured.csv --column time --where "$where" --params nat,np --at nat=64,np=32 "$@" | sed -n '/as well;/,$p'
}
as_well 'nat == 32' 'nat / np, log2(np)' 'nat / np, nat * log2(np)'
as_well 'nat == 32 or np == 4' 'nat / np, nat, log2(np)' 'nat / np, 1, nat * log2(np)' 'nat / np, log2(np)'
