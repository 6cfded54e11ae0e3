<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:x="urn:x">
  <NamedLayer>
    <Name>a</Name>
    <x:UserStyle/><!--! its namespace is 'urn:x', which is none of styles -->
  </NamedLayer>
</StyledLayerDescriptor>
