<?xml version="1.0" encoding="UTF-8"?>
<!--? the version is '0.7.2', but 1.0.0 or 1.1.0 was expected: it is read as 1.0.0 --><StyledLayerDescriptor version="0.7.2"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <Name>places</Name>
  </NamedLayer>
</StyledLayerDescriptor>
