# PERC's tables 4 to 8, from what is printed in them to what follows from it.
value() { psl -c tables.psl -e "$1" | sed 's/}, {/}\n{/g; s/\[{/{/; s/}\]/}/'; }
echo 'table 4: are the weighted bandwidths the products? their mean, and the rate by equation (1), in MB/s:'
value products-as-printed; value weighted; value sustained
echo 'tables 5 to 7: rows'; value recomputed | wc -l
echo 'misprinted:'; value recomputed | grep 'misprint = true'
echo 'others whose sign alone differs:'; value signs
echo 'mean and greatest error elsewhere than on Blue Horizon, table 5 as computed and as printed, then 6 and 7:'
value 'elsewhere(5, false)'; value 'elsewhere(5, true)'; value 'elsewhere(6, false)'; value 'elsewhere(7, false)'
echo 'times as fast as Blue Horizon, real and predicted: TCSini, Lemieux, Longhorn; and Longhorn by its printed errors:'
value 'faster("TCSini")'; value 'faster("Lemieux")'; value 'faster("Longhorn")'; value Longhorn-by-errors
echo 'table 8: mean error by memory, by the sum, by the maximum:'
value by-memory; value by-sum; value by-maximum
