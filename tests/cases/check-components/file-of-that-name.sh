# FILE.NAME where a component is called as its file is, and has what the file has not; a component's own family.
cd "$TMP" || exit
cat >disk.psl <<'END'
use domains;
param spindles : int = 2;
param both     : int = 3;
transaction describe();
component drive {
  param rate : real = 1;
  param both : int  = 4;
  accepts:
    profile     = { domain = hardware[device], machine = unnamed };
    transaction = describe();
    protocol    = call-return;
}
component disk like drive {
  param rate      = 5;
  profile machine = here;
}
END
echo '--- of the component; of the file, where it has it'
cat >model.psl <<'END'
use disk;
component twice like disk {
  param rate      = 2 * disk.rate;
  profile machine = twice;
}
END
psl -c model.psl -e disk.rate -e twice.rate -e disk.spindles -e disk.both
echo '--- neither has it; a component of another name has it'
sed 's/disk\.rate/disk.size/' model.psl >neither.psl
psl check neither.psl
cp disk.psl disks.psl
printf 'use disks;\nlet fastest = disks.rate;\n' >other.psl
psl check other.psl
echo '--- a component that asks its own family'
sed 's/disk\.rate/drive(machine = here).rate/' model.psl >own.psl
psl check own.psl
