# Predicted beside measured, on the configurations that took no part in the fit alone, and what the paper predicted there.
errors() { # DATA CONDITION in awk
  psl study lapw0.psl --set data=$1 --vary nat=32,64 --vary nodes=1..8*2 --format csv 2> /dev/null |
    awk -F, -v data=$1 'FNR == NR { if ($0 !~ /^#/) { time[$1 "," $3] = $4; paper[$1 "," $3] = $5 } next }
      FNR == 1 { print data ": atoms, processes, measured, predicted, error; the paper" }
      FNR > 1 && ('"$2"') {
        np = 4 * $2
        at = $1 "," np
        error = 100 * ($3 / time[at] - 1); other = 100 * (paper[at] / time[at] - 1)
        printf "%4d %3d %5d s %7.1f s %+6.1f %% %+6.1f %%\n", $1, np, time[at], $3, error, other
        if (error < 0) error = -error
        if (other < 0) other = -other
        sum += error; if (error > most) most = error
        others += other; if (other > worst) worst = other
        count++
      }
      END { printf "mean %.1f %%, worst %.1f %%; the paper: mean %.1f %%, worst %.1f %%\n", sum / count, most, others / count, worst }
    ' measured.csv -
}
errors blind '$1 == 64'
errors informed '$1 == 64 && $2 > 1'

# Terms that fit as well (choose.sh), in the place of those that were taken.
instead() { # DATA CONDITION TERMS LEAST, the fewest processes
  psl fit measured.csv --column time --where "$2" --params nat,np --terms "$3" --format csv \
    --at nat=64,np=4 --at nat=64,np=8 --at nat=64,np=16 --at nat=64,np=32 |
    awk -F, -v name="$1 from $3" -v least=$4 'FNR == NR { if ($1 == 64) time[$3] = $4; next }
      $5 == "0" && $3 >= least {
        error = 100 * ($6 / time[$3] - 1)
        if (error < 0) error = -error
        sum += error; if (error > most) most = error
        count++
      }
      END { printf "%s: mean %.1f %%, worst %.1f %%\n", name, sum / count, most }
    ' measured.csv -
}
instead blind 'nat == 32' 'nat / np, nat * log2(np)' 4
instead informed 'nat == 32 or np == 4' 'nat / np, 1, nat * log2(np)' 8
instead informed 'nat == 32 or np == 4' 'nat / np, log2(np)' 8
