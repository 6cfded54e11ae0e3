"""Reads the coverages of a WCS with OWSLib, and a subset of one; prints the results as JSON."""

import base64
import json
import sys

from owslib.wcs import WebCoverageService

(url,) = sys.argv[1:]
service = WebCoverageService(url, version="2.0.1", timeout=120)
hills = service.contents["topo__hills"]
coverage = service.getCoverage(
    identifier=["topo__hills"],
    format="image/tiff",
    subsets=[("E", 500010, 500030), ("N", 4999970, 4999990)],
    timeout=120,
).read()
print(
    json.dumps(
        {
            "title": service.identification.title,
            "operations": [each.name for each in service.operations],
            "coverages": list(service.contents),
            "formats": hills.supportedFormats,
            "axes": hills.grid.axislabels,
            "highest": hills.grid.highlimits,
            "origin": hills.grid.origin,
            "boxes": hills.boundingboxes,
            "coverage": base64.b64encode(coverage).decode(),
        }
    )
)
