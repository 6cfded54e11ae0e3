<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <UserLayer>
    <RemoteOWS>
      <Service>WMS</Service><!--! the Service is 'WMS', but WFS or WCS was expected -->
      <OnlineResource/><!--! the attribute 'xlink:href' is missing or empty on OnlineResource -->
    </RemoteOWS>
    <LayerFeatureConstraints/><!--! 'FeatureTypeConstraint' is missing in LayerFeatureConstraints -->
    <UserStyle>
      <IsDefault>sometimes</IsDefault><!--! IsDefault is 'sometimes', but true or false was expected -->
      <FeatureTypeStyle><Rule/></FeatureTypeStyle>
    </UserStyle>
  </UserLayer>
</StyledLayerDescriptor>
