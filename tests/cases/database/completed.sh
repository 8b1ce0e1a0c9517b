# A model completed from a database: what fits is taken, and what it requests; what was chosen stays; what is refused, in its words.
cd "$TMP"
cat >interface.psl <<'P'
use domains;
domain hardware { attribute kind : term; }
transaction serve(amount : data);
P
cat >disks.psl <<'P'
use interface;
transaction carry(amount : data);
param rate : data/time = 100 MB/s;

/// A disk behind a bus.
component disk {
  accepts:
    profile     = { domain = hardware[storage], node type = disk, kind = bus };
    transaction = serve(amount);
    protocol    = call-return;
  body:
    call move(amount);
    hold amount / rate;
  requests:
    move(amount):
      selector    = { domain = hardware, node type = bus };
      transaction = carry(amount);
      protocol    = call-return;
}
component bus {
  accepts:
    profile     = { domain = hardware, node type = bus };
    transaction = carry(amount);
    protocol    = call-return;
  body:
    hold 1 ms;
}
component plain {
  accepts:
    profile     = { domain = hardware[storage], node type = disk, kind = plain };
    transaction = serve(amount);
    protocol    = call-return;
  body:
    hold 2 * disk.rate-of(amount);
}
P
sed -i 's/2 \* disk.rate-of(amount)/2 * amount \/ rate/' disks.psl
mkdir model
cp interface.psl model
cat >model/program.psl <<'P'
use interface;
use from database;
param kind : term = bus in [bus, plain, tape];
transaction go();
component program {
  accepts:
    profile     = { domain = application, node type = program };
    transaction = go();
    protocol    = dataflow;
  body:
    call read(10 MB);
  requests:
    read(amount):
      selector    = { domain = hardware[storage], node type = disk, kind = kind };
      transaction = serve(amount);
      protocol    = call-return;
}
system reading {
  requests:
    selector    = { domain = application, node type = program };
    transaction = go();
    protocol    = dataflow;
}
P
psl db add --db parts.db disks.psl
predicted() { psl run "$@" | sed -n 's/^predicted time *//p'; }
echo '-- no database is named'
predicted model/program.psl
echo '-- one that fits, and what it requests'
predicted model/program.psl --db parts.db
PSL_DB=parts.db predicted model/program.psl
predicted model/program.psl --db parts.db --set kind=plain
predicted model/program.psl --db parts.db --set kind=tape
cat model/program.psl.lock
psl explain model/program.psl program.read --db parts.db | sed -n '/looked for/,$p'
psl check model/program.psl --db parts.db
psl study model/program.psl --vary kind=bus --db parts.db --format csv
psl ast model/program.psl | grep database
psl report parts.db --list
echo '-- without use from database, with --search'
sed '/from database/d' model/program.psl >model/closed.psl
predicted model/closed.psl --db parts.db
predicted model/closed.psl --db parts.db --search
echo '-- the database has grown'
sed 's/component plain/component other/; s/2 \* amount/3 * amount/; /^component disk/,/^}/d; /^component bus/,/^}/d; s/kind = plain/kind = bus/' disks.psl >other.psl
psl db add --db parts.db other.psl
predicted model/program.psl --db parts.db
psl explain model/program.psl program.read --db parts.db | grep -A1 'not taken'
rm model/closed.psl.lock
predicted model/closed.psl --db parts.db --search
echo '-- replaced, removed, damaged, and a lock that is none'
sed -i 's/hold 1 ms/hold 3 ms/' disks.psl
psl db add --db parts.db disks.psl --replace
predicted model/program.psl --db parts.db
psl db remove --db parts.db disk
predicted model/program.psl --db parts.db
echo 'disk' >>model/program.psl.lock
predicted model/program.psl --db parts.db
rm model/program.psl.lock
predicted model/program.psl --db parts.db
sqlite3 parts.db "UPDATE entry SET text = 'x' WHERE name = 'other'"
rm model/program.psl.lock
predicted model/program.psl --db parts.db
predicted model/program.psl --db absent.db
echo '-- what a component of the database may read, and a transaction that is another'
cat >reader.psl <<'P'
use interface;
use "interface.psl";
component reader {
  accepts:
    profile     = { domain = hardware[storage], node type = disk, kind = tape };
    transaction = serve(amount);
    protocol    = call-return;
  body:
    hold 1 s;
}
P
psl db add --db parts.db reader.psl
predicted model/program.psl --db parts.db --set kind=tape
sed -i 's/amount : data)/amount : time)/' model/interface.psl
rm model/program.psl.lock
predicted model/program.psl --db parts.db --set kind=tape
echo '-- a folder that cannot be written'
somebody=
[ "$(id -u)" = 0 ] && somebody='setpriv --reuid=65534 --regid=65534 --clear-groups'
apart=$(mktemp -d) && cp "$(command -v psl)" "$apart" && cp interface.psl model/closed.psl "$apart" && cd "$apart" || exit
psl db add --db parts.db "$TMP/disks.psl" -q && sqlite3 parts.db 'PRAGMA journal_mode = DELETE' >"$TMP/mode"
chmod 444 parts.db && chmod 555 .
$somebody ./psl run closed.psl --search --db parts.db --set kind=plain | sed -n 's/^predicted time *//p'
cd "$TMP" && chmod 755 "$apart" && rm -r "$apart"
echo '-- use from something else'
echo 'use from elsewhere;' >e.psl
psl check e.psl
