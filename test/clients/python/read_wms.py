"""Reads the layers of a WMS with OWSLib, draws them, and requests the features at a pixel; prints the results as JSON."""

import base64
import json
import sys

from owslib.wms import WebMapService

url, version = sys.argv[1:]
service = WebMapService(url, version=version, timeout=120)
wanted = {
    "layers": ["topo:west", "topo:east"],
    "styles": ["", ""],
    "srs": "EPSG:4326",
    "bbox": (0, 0, 10, 10),
    "size": (20, 20),
    "format": "image/png",
}
picture = service.getmap(**wanted).read()
info = service.getfeatureinfo(
    **wanted, query_layers=["topo:west"], info_format="text/plain", xy=(4, 4)
).read()
print(
    json.dumps(
        {
            "layers": {
                name: {"box": list(layer.boundingBoxWGS84), "styles": list(layer.styles)}
                for name, layer in service.contents.items()
                if name.startswith("topo:")
            },
            "formats": service.getOperationByName("GetMap").formatOptions,
            "picture": base64.b64encode(picture).decode(),
            "info": info.decode(),
        }
    )
)
