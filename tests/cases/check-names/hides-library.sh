# A file that has the name of one of the library takes its place where it is used by that name, which is said.
cd $TMP
echo 'let two = 2;' >storage.psl
echo 'use storage; let four = 2 * two;' >by-name.psl
echo 'use "storage.psl"; let four = 2 * two;' >by-path.psl
psl check by-name.psl
psl check by-path.psl
# The library's own is none such, by whatever name its folder goes.
rm storage.psl
echo 'use storage;' >of-library.psl
PSL_PATH=$PSL_PATH/stdlib/.. psl check of-library.psl
# What it has not got the library's has: there is no way to mean that one beside it.
echo 'let two = 2;' >queueing.psl
echo 'use queueing; component cpu like fcfs-station { }' >of-both.psl
echo 'component cpu like fcfs-station { }' >of-none.psl
psl check of-both.psl
psl check of-none.psl
