<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld">
  <NamedLayer>
    <Name>Sand & gravel</Name><!--! this '&' begins no entity -->
  </NamedLayer>
</StyledLayerDescriptor>
