<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <Name>water</Name>
  <Title>Water</Title>
  <Abstract>Rivers and lakes</Abstract>
  <UserStyle><!--? 'UserStyle' must be inside a NamedLayer or UserLayer: it is read as the style of an unnamed layer -->
    <Title>Rivers</Title>
    <IsDefault>1</IsDefault>
    <FeatureTypeStyle>
      <Rule>
        <LineSymbolizer>
          <Stroke/>
        </LineSymbolizer>
      </Rule>
    </FeatureTypeStyle>
  </UserStyle>
</StyledLayerDescriptor>
