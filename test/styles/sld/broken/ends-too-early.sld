<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld">
  <NamedLayer>
    <Name>a</Name>
  </NamedLayer>
<!--! the element 'StyledLayerDescriptor' that begins at line 1 is never closed -->