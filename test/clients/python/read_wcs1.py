"""Reads the coverages of a WCS 1.0.0 or 1.1.1 with OWSLib, and a part of one; prints the results as JSON."""

import base64
import json
import sys

from owslib.wcs import WebCoverageService

url, version = sys.argv[1:]
service = WebCoverageService(url, version=version, timeout=120)
hills = service.contents["topo:hills"]
found = {
    "title": service.identification.title,
    "operations": [each.name for each in service.operations],
    "coverages": list(service.contents),
    "box": [round(each, 3) for each in hills.boundingBoxWGS84],
    "formats": hills.supportedFormats,
}
if version == "1.0.0":
    found["grid"] = [hills.grid.highlimits, hills.grid.origin, hills.grid.offsetvectors]
    request = {
        "identifier": "topo:hills",
        "format": "GeoTIFF",
        "crs": "EPSG:32633",
        "bbox": (500010, 4999970, 500030, 4999990),
        "width": 2,
        "height": 2,
    }
    coverages = [service.getCoverage(timeout=120, **request).read()]
else:
    description = service.getDescribeCoverage("topo:hills")
    names = ["GridBaseCRS", "GridType", "GridOrigin", "GridOffsets"]
    found["grid"] = [description.find(f".//{{http://www.opengis.net/wcs/1.1.1}}{name}").text for name in names]
    request = {"identifier": "topo:hills", "format": "image/tiff"}
    # A box of OWSLib has no CRS: it is in longitude and latitude, unless a parameter of the caller states both.
    crs = "urn:ogc:def:crs:EPSG::32633"
    coverages = [
        service.getCoverage(timeout=120, **request, **more).read()
        for more in [
            {"bbox": (14, 45, 16, 46)},
            {
                "boundingbox": f"500015,4999975,500025,4999985,{crs}",
                "gridbaseCRS": crs,
                "gridorigin": "500015,4999985",
                "gridoffsets": "10,-10",
            },
        ]
    ]
print(json.dumps({**found, "files": [base64.b64encode(coverage).decode() for coverage in coverages]}))
