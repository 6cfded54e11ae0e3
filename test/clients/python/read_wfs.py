"""Reads every layer of a WFS with OWSLib, and prints the results as JSON."""

import json
import sys

from owslib.wfs import WebFeatureService

url, version = sys.argv[1:]
service = WebFeatureService(url=url, version=version)
found = {}
for name, layer in service.contents.items():
    answer = service.getfeature(typename=[name], outputFormat="application/json")
    features = json.loads(answer.read())["features"]
    gml = service.getfeature(typename=[name]).read()
    schema = service.get_schema(name)
    found[name] = {
        "title": layer.title,
        "box": layer.boundingBoxWGS84,
        # OWSLib treats GML 3 curves as ordinary properties.
        "properties": sorted(set(schema["properties"]) - {"the_geom"}) if schema else None,
        "features": [[feature["id"], feature["geometry"], feature["properties"]] for feature in features],
        "isGml": b"FeatureCollection" in (gml if isinstance(gml, bytes) else gml.encode()),
    }
print(json.dumps({"type": service.identification.type, "layers": found}))
