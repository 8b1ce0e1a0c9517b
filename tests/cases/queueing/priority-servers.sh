# Two classes at two servers, each with a quarter of their time, class 1 served before class 0. With interruptions and one
# mean service all together are as many as in M/M/2, whoever is served: 2 p / (1 - p^2) are 0.53333 of class 1 at p = 25 %,
# and 1.33333 of both at 50 %; at half a customer of each a second the responses are 1.06667 s and 1.6 s. Without
# interruptions they wait by Cobham (1954) W0 / (1 - 0.25) and W0 / (0.75 (1 - 0.5)) with W0 = 1/6 s: 0.22222 s and
# 0.44444 s. That is exact. Of services of 2 s and 1 s the responses by the Markov chain (tests/lib/Network.pm) are 2.97064 s
# and 1.06667 s, and without interruptions 2.66231 s and 1.33409 s.
here=$PWD
cd "$TMP" || exit
try() { # discipline, servers, services of class 0 and class 1
  perl -I "$here/../../lib" -MNetwork -e '
    my ($discipline, $servers, @services) = @ARGV;
    my @classes = map { { rate => 0.25 * $servers / $services[$_], Z => 0, V => [1], S => [$services[$_]], priority => $_ } } 0, 1;
    print model({ stations => [{ discipline => $discipline, servers => $servers }], classes => \@classes }, "analysis[open]")
  ' "$@" > "$1.psl"
  echo "$@"
  psl run "$1.psl" | sed -n '/^solved/p; /^by class/,/^$/p'
}
for discipline in priority-preemptive priority; do
  try $discipline 2 1 1
  try $discipline 2 2 1
  try $discipline 1 2 1
done
