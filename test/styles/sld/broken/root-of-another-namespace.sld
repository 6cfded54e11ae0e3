<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld/2.0"><!--!1 the document is a 'StyledLayerDescriptor' in the namespace 'http://www.opengis.net/sld/2.0', but a StyledLayerDescriptor in the namespace http://www.opengis.net/sld was expected -->
  <NamedLayer>
    <Name>a</Name>
  </NamedLayer>
</StyledLayerDescriptor>
