# One thread takes all work, 100 us + 1 us * (0 + 1 + ... + 99) = 5.05 ms, whatever the parts: the bounds are that.
for schedule in dynamic guided factoring trapezoid; do
  psl run even.psl --set schedule=$schedule --set threads=1 --set 'scheduling=analysis[schedule]' --set rise=1us \
    --set own-cost=0s --set transfer-cost=0s | sed -n 1p
done
