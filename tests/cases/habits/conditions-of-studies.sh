# Conditions, columns and objectives of studies as other languages have them.
FARM=$(realpath ../../../examples/farm/devices.psl)
study() {
  echo "psl study $*" >&2
  psl study "$FARM" --vary workers=2,3,4 "$@" >/dev/null
}
study --where 'workers not in [2,3]'
study --where 'workers > 1 and workers not in [2,3]'
study --where 'workers != 3,4'
study --where 'workers == 3, 4'
study --where "device == 'disk'"
study --where 'device == "disk"'
study --where '"disk" != device'
study --report 'makespan as t'
study --report 'wait, makespan * workers as cost'
study --report 'makespan[0]'
study --minimize workers
study --minimize 'makespan as t'
study --plot='makespan ~ workers'
study --plot='makespan vs workers'
