<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <UserStyle><!--?3 'UserStyle' must be inside a NamedLayer or UserLayer: it is read as the style of an unnamed layer -->
    <Name>rivers</Name>
    <FeatureTypeStyle>
      <Rule>
        <LineSymbolizer>
          <Stroke/>
        </LineSymbolizer>
      </Rule>
    </FeatureTypeStyle>
  </UserStyle>
</StyledLayerDescriptor>
