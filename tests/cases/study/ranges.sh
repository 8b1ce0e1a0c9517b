# Ranges as people write them first, of rates and of reals: units at one end, no step, another language's step.
vary() {
  for values; do
    echo "$values:"
    psl study ranges.psl --report makespan --vary "$values" 2>&1
  done
}
vary load=6..9 'load=6..9 s^-1' 'load=6 s^-1..9 s^-1' 'load=6 /s..9/s' 'load=8 1/s' 'load=6 s^-1 .. 9 s^-1 by 1 s^-1'
vary share=0..1 share=0.2..0.9 'share=0..1 by 0.5' 'share=0.25..1 by *2' 'share=0..1 by' 'share=0..1 by 0.5 s' share=1..1
vary n=1-3 n=1...3 'n=1 2 3' 'n=[1,2]' n=1:3 'n=1..9 by 4'
echo 'compared:'
psl compare ranges.psl --vary load=6..9 2>&1
psl compare ranges.psl --vary share=0..1 2>&1
echo "products are as they would be written, 1e-05 and no 9.999999999999999e-06:"
psl study ranges.psl --vary share=1e-6..1e-4*10 --format csv 2>&1 | cut -d, -f1
echo 'types:'
printf 'param a : int/time = 1;\nparam b : rate = 1;\n' | psl check - 2>&1
true
