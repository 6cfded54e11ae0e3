/** Common parts of WCS documents. */

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

export const namespaces = [
  'xmlns:wcs="http://www.opengis.net/wcs/2.0"',
  'xmlns:ows="http://www.opengis.net/ows/2.0"',
  'xmlns:gml="http://www.opengis.net/gml/3.2"',
  'xmlns:gmlcov="http://www.opengis.net/gmlcov/1.0"',
  'xmlns:swe="http://www.opengis.net/swe/2.0"',
  'xmlns:crs="http://www.opengis.net/wcs/crs/1.0"',
  'xmlns:int="http://www.opengis.net/wcs/interpolation/1.0"',
  'xmlns:wcsgs="http://www.geoserver.org/wcsgs/2.0"',
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
  'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"',
  'xsi:schemaLocation="http://www.opengis.net/wcs/2.0 http://schemas.opengis.net/wcs/2.0/wcsAll.xsd"',
].join(' ');
