# Instances of stores asked for by something else than their index, one that is not there, and terms as arguments.
cat >"$TMP/model" <<'END'
use processes;
transaction go();
component buffer like store { param count = 2; let item = { id = 0 }; profile node type = buffer; }
component bin [b] : 0 <= b < 2 like store { let item = { id = 0 }; profile node type = bin; }
component letters like mailbox { profile node type = letters; }
component user {
  accepts:
    profile     = { domain = application, node type = user };
    transaction = go();
    protocol    = dataflow;
  body:
    call put({ id = 1 }, 1);
  requests:
    put(it, k): selector    = { domain = processes, WHICH };
                transaction = put-item(it);
                protocol    = call-return;
}
system s {
  requests:
    selector    = { domain = application, node type = user };
    transaction = go();
    protocol    = dataflow;
}
END
cd "$TMP"
for which in 'node type = buffer, s = k' 'node type = buffer, number = k' 'node type = buffer, b = k' 'node type = bin, s = 1' \
             'node type = buffer, s = k + 1' 'node type = buffer[k]' 'node type = bufer' 'node type = letters'; do
  echo "$which"
  sed "s/WHICH/$which/" model >instances.psl
  psl run instances.psl 2>&1 | grep -v '^ROOT\|accepts:\|^ *|\|refused: node type' | head -8
done
cat >terms.psl <<'END'
transaction go();
transaction compute(amount : time);
component device {
  accepts:
    profile     = { domain = hardware, node type = gpu };
    transaction = compute(amount);
    protocol    = call-return;
  body:
    hold amount;
}
component user {
  accepts:
    profile     = { domain = application, node type = user };
    transaction = go();
    protocol    = dataflow;
  body:
    call run(gpu, 2 s);
  requests:
    run(kind, amount): selector    = { domain = hardware, node type = kind };
                       transaction = compute(amount);
                       protocol    = call-return;
}
system s {
  requests:
    selector    = { domain = application, node type = user };
    transaction = go();
    protocol    = dataflow;
}
END
psl run terms.psl | head -1
psl run --reference terms.psl | head -1
sed 's/run(gpu,/run(gqu,/' terms.psl >wrong.psl
psl run wrong.psl | head -1
(cat terms.psl; echo 'let kinds = [gpu]; let kind : term = gpu; let both : [term] = [gpu, cpu];') >more.psl
psl check more.psl
