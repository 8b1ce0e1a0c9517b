# Operators of C and Python in a body: what is written here.
for line in 'x = 1 << 24;' 'x = max(x, 3) >> 1;' 'x = 2 ** 10;' 'x = x & 1;' 'x = x | 1;' 'x = ~x;' 'x = x xor 1;' \
  'let both = x == 1 xor x == 2;' 'let both = x == 1 && x == 2 || not x == 3;' 'x = x === 1;' 'x = x !== 1;' \
  'x = x % 3;' 'x = 7 % 3;' 'x = x // 3;' 'x = x ? 1 : 2;' 'x = x++;' 'x = x->y;' 'x++;' '++x;' '--x;' 'x--;' \
  'x += 2;' 'x -= 2;' 'x *= 2;' 'x /= 2;' 'x **= 2;' 'x //= 2;' 'x %= 2;' 'x |= 1;' 'x &= 1;' 'x <<= 1;' 'x >>= 1;' \
  'x := 2;' 'x <- 2;' 'x, y = 1, 2;' 'x = 0xff;' 'x = 0b101;' 'x = 0o17;' 'x = 10L;' 'hold 1.5f * 1 s;' 'x = 0xfg;' \
  'if (x < 3) hold 1 s; else hold 2 s;' 'unless x == 1 { hold 1 s; }'; do
  echo "== $line"
  psl check - 2>&1 <<END
transaction begin();
component client {
  var x : int = 0;
  accepts:
    profile     = { domain = application, node type = client };
    transaction = begin();
    protocol    = dataflow;
  body:
    $line
}
system office {
  requests:
    selector    = { domain = application, node type = client };
    transaction = begin();
    protocol    = dataflow;
}
END
done
