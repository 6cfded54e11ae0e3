"""Prints the names of the GDAL drivers of QGIS as JSON."""

import json

from osgeo import gdal

print(json.dumps([gdal.GetDriver(index).ShortName for index in range(gdal.GetDriverCount())]))
