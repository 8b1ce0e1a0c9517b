# A file that is no database of studies, or a damaged or newer one, is refused and left as it is.
cp ../../../examples/farm/farm.psl $TMP
cd $TMP
study() { psl study farm.psl --vary workers=1..40 --format csv --db "$@" > out; }
refused() {
  cp $1 before
  study $1
  echo "exit $?, $(wc -c < out) bytes"
  cmp $1 before
  ls $1?* 2> /dev/null
}
study whole.db
echo 'SELECT 1' > text.db
refused text.db
sqlite3 other.db 'PRAGMA journal_mode = WAL; CREATE TABLE point (x); INSERT INTO point VALUES (1)' > /dev/null
refused other.db
cp whole.db newer.db
sqlite3 newer.db 'PRAGMA user_version = 9'
refused newer.db
cp whole.db older.db
sqlite3 older.db 'PRAGMA user_version = 1'
refused older.db
cp whole.db numberless.db
sqlite3 numberless.db 'PRAGMA user_version = 0'
refused numberless.db
head -c 20000 whole.db > short.db
refused short.db
cp whole.db holed.db
head -c 16384 /dev/zero | tr '\0' x | dd of=holed.db bs=16384 seek=3 conv=notrunc status=none
refused holed.db
head -c 5000 /dev/zero > zeros.db
refused zeros.db
mkdir folder.db
study folder.db
study none/m.db
: > empty.db
study empty.db && sqlite3 empty.db 'SELECT count(*) FROM run'
# the same study again, while the other process has another one of that name
study whole.db && cmp out - <<END
$(psl study farm.psl --vary workers=1..40 --format csv)
END
