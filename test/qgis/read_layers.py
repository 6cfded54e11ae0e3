"""Opens the layers or files listed in argv with QGIS, and prints their content as JSON."""

import json
import sys

from qgis.core import (
    NULL,
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsCoordinateTransform,
    QgsFeatureRequest,
    QgsProject,
    QgsRectangle,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QDate, QDateTime, Qt


def plain(value):
    if value is None or value == NULL:
        return None
    if isinstance(value, QDateTime):
        return value.toUTC().toString(Qt.ISODate)
    if isinstance(value, QDate):
        return value.toString(Qt.ISODate)
    return value


def request_of(asked):
    request = QgsFeatureRequest()
    if "expression" in asked:
        request.setFilterExpression(asked["expression"])
    if "box" in asked:
        request.setFilterRect(QgsRectangle(*asked["box"]))
    return request


def read(asked):
    layer = QgsVectorLayer(asked["uri"], "asked", asked["provider"])
    if not layer.isValid():
        return {"complaint": layer.error().message() or "the layer is not valid"}
    if "subset" in asked and not layer.setSubsetString(asked["subset"]):
        return {"complaint": "the subset is refused"}
    target = QgsCoordinateReferenceSystem(asked.get("crs", layer.crs().authid()))
    to_target = QgsCoordinateTransform(layer.crs(), target, QgsProject.instance())
    names = [field.name() for field in layer.fields()]
    features = []
    for feature in layer.getFeatures(request_of(asked)):
        geometry = feature.geometry()
        if not geometry.isNull():
            geometry.transform(to_target)
        features.append(
            {
                "properties": dict(zip(names, map(plain, feature.attributes()))),
                "geometry": None if geometry.isNull() else json.loads(geometry.asJson(9)),
            }
        )
    return {"crs": layer.crs().authid(), "count": layer.featureCount(), "features": features}


application = QgsApplication([], False)
application.initQgis()
print(json.dumps([read(asked) for asked in json.loads(sys.argv[1])]))
sys.stdout.flush()
application.exitQgis()
