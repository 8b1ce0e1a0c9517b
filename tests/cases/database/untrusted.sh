# A lock, a database and files beside them that psl has not written so: each is refused, in its words, and none is waited for.
cd "$TMP"
cat >hw.psl <<'P'
use domains;
domain hardware { attribute kind : term;  attribute size : data; }
transaction serve(amount : data);
P
cat >parts.psl <<'P'
use hw;
component spinning {
  param positioning : time = 9 ms;
  accepts:
    profile     = { domain = hardware[storage], node type = disk, kind = spinning, size = 4 TB };
    transaction = serve(amount);
    protocol    = call-return;
  body:
    hold positioning + amount / (200 MB/s);
}
component quiet like spinning {
  param positioning = 12 ms;
  profile kind = quiet;
}
component other {
  accepts:
    profile     = { domain = hardware };
    transaction = carry(0);
    protocol    = call-return;
  body:
    hold 1 s;
}
transaction carry(n : int);
P
cat >m.psl <<'P'
use hw;
use from database;
transaction go();
component u {
  accepts:
    profile = { domain = application, node type = u };
    transaction = go();
    protocol = dataflow;
  body:
    call d(4 MB);
  requests:
    d(a):
      selector = { domain = hardware[storage], node type = disk, kind = quiet };
      transaction = serve(a);
      protocol = call-return;
}
system s {
  requests:
    selector = { domain = application, node type = u };
    transaction = go();
    protocol = dataflow;
}
P
sed -i 's/carry(0)/carry(n)/' parts.psl
cat >ted.psl <<'P'
use tasks;
transaction work();
component ted {
  accepts: profile = { domain = task, node type = x, method = analytic, code = "code" };
  transaction = work(); protocol = call-return;
  body: hold 1 s;
}
P
export PSL_DB=a.db
say() { echo "-- $*"; echo "-- $*" >&2; timeout -s KILL 20 psl "$@"; }
predicted() { echo "-- $1" >&2; timeout -s KILL 20 psl run m.psl | sed -n 's/^predicted time *//p'; }
echo remember >note.txt
psl db add parts.psl note.txt
predicted 'the first run'
cp m.psl.lock good.lock
hash_of() { sqlite3 a.db "SELECT lower(hex(hash)) FROM entry WHERE name = '$1'"; }
lock() { sed "s!\"entry.*!\"entry\": \"$1\", \"hash\": \"$2\"}!" good.lock >m.psl.lock; predicted "a lock with $1"; }
lock quiet "$(hash_of quiet)"
lock /quiet "$(hash_of quiet)"
lock ance/quiet "$(hash_of quiet)"
lock 'instance ted/quiet' "$(hash_of quiet)"
lock knowledge/note "$(hash_of note)"
lock component/spinning "$(hash_of spinning)"
lock component/other "$(hash_of other)"
lock instance/quiet "$(hash_of spinning)"
lock instance/none "$(hash_of spinning)"
lock instance/quiet "$(hash_of quiet)"
rm m.psl.lock; mkfifo m.psl.lock
predicted 'a lock that is a pipe'
rm m.psl.lock; ln -s /dev/zero m.psl.lock
predicted 'a lock that has no end'
rm m.psl.lock; truncate -s 17M m.psl.lock
predicted 'a large lock'
rm m.psl.lock
say db search 'size > 1/0 * 1 TB'
say db search 'kind = quiet, size > 1/0 * 1 TB or size < 1 TB'
say db search 'size > 1 TB' --format csv
say db add note.txt --name n2 --attributes 'size = 1/0 * 1 TB'
mkfifo code
say db add ted.psl
rm code; echo 'a code' >code
say db add ted.psl
rm code; mkfifo code
say db show ted | grep code
cat >t.psl <<'P'
use from database;
use tasks;
transaction work();
system t { requests: selector = { domain = task, node type = x }; transaction = work(); protocol = call-return; }
P
say check t.psl
echo '-- a row of attribute that is gone'
cp a.db b.db
sqlite3 b.db "DELETE FROM attribute WHERE name = 'kind' AND entry = (SELECT id FROM entry WHERE name = 'quiet')"
say db show quiet --db b.db
say db list --db b.db --format csv
echo '-- entry as a view'
cp a.db c.db
sqlite3 c.db "ALTER TABLE entry RENAME TO before; CREATE VIEW entry AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)
  SELECT id, '' kind, '' name, '' format, '' description, '' origin, '' attributes, '' details, '' text, 1 content, x'' hash, 0 sum FROM n"
say db list --db c.db
say db add note.txt --name n3 --db c.db
say run m.psl --db c.db
