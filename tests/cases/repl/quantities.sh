# What has a dimension without a name is shown so that it can be read again; types are explained.
psl --keep-going 2>&1 <<'END'
3 / 1 s
ans
ans / 1 s -> s^-2
:type ans
2 byte * 3 s
let both : data*time = ans;
both / 1 byte
3 s
:help types
:help dimension
:help data
4 s -> -s
END
