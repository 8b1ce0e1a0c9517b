# The dependence graph for programs, in JSON: each edge names its request and its accept by their numbers.
psl graph small.psl --format json
psl graph ../../../examples/farm/farm.psl -o "$TMP/farm.json" && python3 - "$TMP/farm.json" <<'END'
import json, sys
graph = json.load(open(sys.argv[1]))
parts = graph["components"]
for edge in graph["edges"]:
    source, target = parts[edge["from"]], parts[edge["to"]]
    print(source["name"], source["requests"][edge["request"]]["name"], target["name"],
          target["accepts"][edge["accept"]]["transaction"])
print([part["name"] for part in parts if not part["reached"]])
END
psl graph small.psl --format json --dynamic
