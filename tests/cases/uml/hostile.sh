# Files that are none, or that would do harm, are refused; nothing outside of them is read.
cd $TMP
try() { timeout 60 psl params --max-memory 512MiB "$1" 2>&1 | cut -c1-200 | head -5; echo; }
echo secret > secret.txt
cat > entity.uml <<'M'
<?xml version="1.0"?>
<!DOCTYPE x [<!ENTITY s SYSTEM "secret.txt">]>
<uml:Model xmlns:uml="u" xmlns:xmi="x"><packagedElement xmi:type="uml:Activity" xmi:id="a" name="&s;"/></uml:Model>
M
try entity.uml
{
  echo '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a0 "ha">'
  for n in 1 2 3 4 5 6 7 8 9; do
    p=$((n - 1))
    echo "<!ENTITY a$n \"&a$p;&a$p;&a$p;&a$p;&a$p;&a$p;&a$p;&a$p;&a$p;&a$p;\">"
  done
  echo ']><x>&a9;</x>'
} > laughs.uml
try laughs.uml
printf '<?xml version="1.0" encoding="klingon"?><x/>' > encoding.uml
try encoding.uml
printf '<a><b></a>' > nesting.uml
try nesting.uml
: > empty.uml
try empty.uml
perl -e 'print "<a>" x 100000' > deep.uml
try deep.uml
perl -e 'print "<a>", "<b/>" x 1000001, "</a>"' > many.uml
try many.uml
perl -e 'print "<a>", " " x (17 << 20), "</a>"' > large.uml
try large.uml
printf '<a><packagedElement/></a>' > nothing.uml
try nothing.uml
# an activity that calls the next one twice, and so on: 2^30 actions
perl -e 'print qq(<uml:Model xmlns:uml="u" xmlns:xmi="x">);
  for $n (0 .. 30) {
    $b = $n < 30 ? "CallBehaviorAction" : "OpaqueAction";
    $m = $n + 1;
    $c = $n < 30 ? qq(behavior="a$m") : qq(body="1 s");
    print qq(<packagedElement xmi:type="uml:Activity" xmi:id="a$n" name="a$n"><node xmi:type="uml:InitialNode" xmi:id="i$n"/>),
      qq(<node xmi:type="uml:$b" xmi:id="b$n" $c/><node xmi:type="uml:$b" xmi:id="c$n" $c/>),
      qq(<edge xmi:type="uml:ControlFlow" source="i$n" target="b$n"/><edge xmi:type="uml:ControlFlow" source="b$n" target="c$n"/></packagedElement>\n);
  }
  print qq(</uml:Model>)' > twice.uml
try twice.uml
