# What programs read: the problem as values, and errors as numbers, relative ones as a part.
psl recommend wave.psl --runs 60 --set cells=5000 --choices 1 --format json | sed -n '/"stated"/,/\]/p; /"quality"/,/\]/p' | grep -v '"sent"'
