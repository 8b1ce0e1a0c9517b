# A table with all that a machine is made of.
psl measure messages --from trips.csv
