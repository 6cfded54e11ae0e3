"""Draws the layers listed in argv with QGIS, and prints the colors of some pixels as JSON."""

import json
import sys

from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsMapRendererSequentialJob,
    QgsMapSettings,
    QgsRasterLayer,
    QgsRectangle,
    QgsVectorTileBasicRenderer,
    QgsVectorTileLayer,
)
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor

# Vector tiles have no style: they are filled with this color.
FILL = QColor("#00ff00")


def layer_of(asked):
    if asked["provider"] != "vectortile":
        return QgsRasterLayer(asked["uri"], "asked", asked["provider"])
    layer = QgsVectorTileLayer(asked["uri"], "asked")
    renderer = QgsVectorTileBasicRenderer()
    renderer.setStyles(QgsVectorTileBasicRenderer.simpleStyle(FILL, FILL, 0.1, FILL, 0.1, FILL, FILL, 1))
    layer.setRenderer(renderer)
    return layer


def draw(asked):
    layer = layer_of(asked)
    if not layer.isValid():
        return {"complaint": layer.error().message() or "the layer is not valid"}
    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setBackgroundColor(QColor("white"))
    settings.setDestinationCrs(QgsCoordinateReferenceSystem(asked["crs"]))
    settings.setExtent(QgsRectangle(*asked["box"]))
    settings.setOutputSize(QSize(*asked["size"]))
    job = QgsMapRendererSequentialJob(settings)
    job.start()
    job.waitForFinished()
    errors = [error.message for error in job.errors()]
    if errors:
        return {"complaint": "; ".join(errors)}
    image = job.renderedImage()
    return {"colours": [QColor(image.pixel(*pixel)).name() for pixel in asked["pixels"]]}


application = QgsApplication([], False)
application.initQgis()
print(json.dumps([draw(asked) for asked in json.loads(sys.argv[1])]))
sys.stdout.flush()
application.exitQgis()
