"""Reads samples of the coverages and files listed in argv with QGIS, and prints them as JSON."""

import json
import sys

from qgis.core import QgsApplication, QgsRasterLayer, QgsRectangle


def read(asked):
    layer = QgsRasterLayer(asked["uri"], "asked", asked.get("provider", "wcs"))
    if not layer.isValid():
        return {"complaint": layer.error().message() or "the layer is not valid"}
    provider = layer.dataProvider()
    width, height = asked["size"]
    block = provider.block(1, QgsRectangle(*asked["box"]), width, height)
    if not block.isValid() or block.isEmpty():
        return {"complaint": block.error().message() or "there are no samples"}
    extent = layer.extent()
    return {
        "size": [provider.xSize(), provider.ySize()],
        "crs": layer.crs().authid(),
        "extent": [extent.xMinimum(), extent.yMinimum(), extent.xMaximum(), extent.yMaximum()],
        "samples": [
            [None if block.isNoData(row, column) else block.value(row, column) for column in range(width)]
            for row in range(height)
        ],
    }


application = QgsApplication([], False)
application.initQgis()
print(json.dumps([read(asked) for asked in json.loads(sys.argv[1])]))
sys.stdout.flush()
application.exitQgis()
