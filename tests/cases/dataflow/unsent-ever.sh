# A part of a firing whose sender no request reaches, whatever params are, is warned of.
sed '/where not/,/protocol/d' unsent.psl >$TMP/unsent.psl
cd $TMP
psl run unsent.psl
psl check unsent.psl
