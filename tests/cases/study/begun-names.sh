# A result whose name is only begun, and a condition before the groups of a minimum.
for given in '--report make' '--minimize mak' '--report comp'; do
  psl study ../../../examples/farm/farm.psl --vary workers=1..4 $given 2>&1
done
psl study ../../../examples/farm/farm.psl --vary workers=1..4 --minimize 'makespan where workers > 2 by work' 2>&1
exit 0
