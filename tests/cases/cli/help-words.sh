# psl help with words that are no name: the sections of the manuals that have them, the best first; here of manuals that
# stand beside a copy of psl, in the folders of an installation and in the one of a tree.
mkdir -p $TMP/bin $TMP/share/man/man1 $TMP/share/man/man5 $TMP/share/man/man3
cp "$(command -v psl)" $TMP/bin/psl
cat > $TMP/share/man/man1/psl.1 <<'END'
.\" A comment about gladioli.
.Dd November 28, 2026
.Dt PSL 1
.Os
.Sh NAME
.Nm psl
.Nd grows tulips
.Sh OPTIONS
.Bl -tag -width Ds
.It Fl w , -water Ar litres
waters tulips, see
.Xr psl 5 .
Roses are watered
.Pq also by Fl Fl water ,
before noon.
.It Fn prune stem length , Fn sow
.It Ic spade Op Fl o Ar file
digs
.Ql beds[n]
for bulbs.
.El
.Sh SEE ALSO
.Xr tulips 7
END
cat > $TMP/share/man/man5/psl.5 <<'END'
.Sh THE GARDEN
A bed of tulips has bulbs.
The bulbs of a tulip stand in rows, each of which is dug by hand before the frost comes, which it does in the autumn of every
year without exception or delay.
.Pp
Roses climb; \(dqtulips\(dq do not.
.Ss Roses that climb
Dropped petals are left where they are.
.Bd -literal
plant roses {
  rows = 3;
}
.Ed
.Bl -bullet
.It
A trellis carries \eroses, \(em and it drops no petal.
.El
END
printf '.Sh HOST\nA host keeps tulips.\n' > $TMP/share/man/man3/psl-evaluator.3
for words in tulip 'bulbs in rows' 'Dropping of petals' 'plant rows' trellis prune spade 'roses before noon' frost gladioli \
             holdd 'unicorns tulips' 'the of'; do
  echo "\$ psl help $words"
  $TMP/bin/psl help $words 2>&1
  echo "[exit $?]"
done
printf '%s\n' ':help bulbs in rows' ':help holdd' ':help gladioli' | $TMP/bin/psl --keep-going 2>&1
mkdir $TMP/man && mv $TMP/share/man/man1/psl.1 $TMP/man/psl.1 && rm -r $TMP/share
$TMP/bin/psl help tulips
rm -r $TMP/man
$TMP/bin/psl help tulips
echo "[exit $?]"
