<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml">
  <NamedLayer>
    <Name>a</Name>
  </NamedLayer>
</StyledLayerDescriptor>
<StyledLayerDescriptor version="1.0.0"/><!--!1 a second root element begins here -->
