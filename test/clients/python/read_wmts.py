"""Reads a WMTS with OWSLib, and prints the results as JSON."""
import base64
import json
import sys

from owslib.wmts import WebMapTileService

service = WebMapTileService(sys.argv[1])
layer = service.contents['topo:west']
# The tile north-east of the point 0, 0.
tile = service.gettile(
    layer='topo:west', tilematrixset='EPSG:900913', tilematrix='EPSG:900913:5', row=15, column=16, format='image/png'
)
print(
    json.dumps(
        {
            'layers': list(service.contents),
            'grids': list(service.tilematrixsets),
            'formats': layer.formats,
            'tile': base64.b64encode(tile.read()).decode(),
        }
    )
)
