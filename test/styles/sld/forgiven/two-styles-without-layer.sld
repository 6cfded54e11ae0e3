<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <UserStyle><!--? 'UserStyle' must be inside a NamedLayer or UserLayer: it is read as the style of an unnamed layer -->
    <Name>drawn</Name>
    <FeatureTypeStyle>
      <Rule>
        <LineSymbolizer>
          <Stroke/>
        </LineSymbolizer>
      </Rule>
    </FeatureTypeStyle>
  </UserStyle>
  <UserStyle><!--? 'UserStyle' must be inside a NamedLayer or UserLayer: only the first style is read, so it has no effect -->
    <Name>not-drawn</Name>
    <FeatureTypeStyle>
      <Rule>
        <LineSymbolizer>
          <Stroke/>
        </LineSymbolizer>
      </Rule>
    </FeatureTypeStyle>
  </UserStyle>
</StyledLayerDescriptor>
