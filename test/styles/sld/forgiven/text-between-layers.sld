<?xml version="1.0" encoding="UTF-8"?>
<!--? the text 'and' has no effect in StyledLayerDescriptor --><StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <Name>a</Name>
  </NamedLayer>
  and
  <NamedLayer>
    <Name>b</Name>
  </NamedLayer>
</StyledLayerDescriptor>
