# Candidates of the library beside those of the model are named alone.
psl explain ../../../examples/queueing/central-server.psl job.go-to | sed 's/ ([^ ]*queueing.psl:[0-9:]*)//'
