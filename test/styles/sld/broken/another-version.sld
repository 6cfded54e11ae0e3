<StyledLayerDescriptor version="1.2.0" xmlns="http://www.opengis.net/sld"><!--! the version is '1.2.0', but 1.0.0 or 1.1.0 was expected -->
  <NamedLayer>
    <Name>a</Name>
  </NamedLayer>
</StyledLayerDescriptor>
