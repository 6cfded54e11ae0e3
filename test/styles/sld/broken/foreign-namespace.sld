<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:x="urn:x">
  <NamedLayer>
    <Name>a</Name>
    <x:UserStyle/><!--! its namespace 'urn:x' is not a style namespace -->
  </NamedLayer>
</StyledLayerDescriptor>
