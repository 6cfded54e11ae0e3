<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld">
  <NamedLayer>
    <Name>a</Name>
  </UserStyle><!--! '</UserStyle>' was found where '</NamedLayer>' was expected -->
</StyledLayerDescriptor>
