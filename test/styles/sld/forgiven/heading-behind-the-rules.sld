<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <Name>places</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <LineSymbolizer>
            <Stroke/>
          </LineSymbolizer>
        </Rule>
      </FeatureTypeStyle>
      <Name>rivers</Name><!--? 'Name' must come before 'FeatureTypeStyle' in UserStyle -->
      <Title>Rivers</Title><!--? 'Title' must come before 'FeatureTypeStyle' in UserStyle -->
      <IsDefault>1</IsDefault><!--? 'IsDefault' must come before 'FeatureTypeStyle' in UserStyle -->
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
