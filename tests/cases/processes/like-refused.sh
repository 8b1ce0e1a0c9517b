# What is made by like of a component of the library, and lacks what a request asks for: the line that is to be written.
cd "$TMP" || exit 1
model() {
  cat <<END
use processes;
transaction go();
component buffer like container { $1 }
component worker {
  accepts:
    profile     = { domain = application, node type = worker };
    transaction = go();
    protocol    = dataflow;
  body:
    call put();
  requests:
    put(): selector    = { domain = processes, node type = buffer, c = 1 };
           transaction = put-amount();
           protocol    = call-return;
}
system s {
  requests:
    selector    = { node type = worker };
    transaction = go();
    protocol    = dataflow;
}
END
}
for lines in 'profile node type = buffer;' 'param count = 2;' 'param count = 2; profile node type = buffer;'
do
  model "$lines" >model.psl
  psl run model.psl 2>&1 | grep -E 'refused|help|predicted'
done
model 'param count = 2; profile node type = bufer;' >model.psl
psl run model.psl 2>&1 | grep help
