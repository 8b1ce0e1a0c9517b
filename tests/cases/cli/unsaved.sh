# A text that is not saved stands in the place of its file: for the model, and for what uses the file, which may be used
# by it.
cd "$TMP"
cat > first.psl <<'END'
use second;
param n : int = 2;
transaction work(t : time);
component worker {
  accepts:
    profile     = { domain = hardware };
    transaction = work(t);
    protocol    = call-return;
  body:
    hold t * more;
}
system main {
  requests:
    selector    = { domain = hardware };
    transaction = work(1 s);
    protocol    = call-return;
}
END
echo 'use first; let more : int = n + 1;' > second.psl
psl run first.psl | head -1
sed 's/int = 2/int = 7/' first.psl | psl run -- -=first.psl | head -1
sed 's/int = 2/intt = 7/' first.psl | psl check -- -=./first.psl
sed 's/int = 2/int = 7/' first.psl | psl run -- -=second.psl | head -1
psl check -- -= < first.psl
