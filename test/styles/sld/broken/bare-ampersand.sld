<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld">
  <NamedLayer>
    <Name>Sand & gravel</Name><!--! this '&' does not begin an entity; write &amp; for the character -->
  </NamedLayer>
</StyledLayerDescriptor>
