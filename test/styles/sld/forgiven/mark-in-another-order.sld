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
          <PointSymbolizer>
            <Graphic>
              <Size>7</Size>
              <Mark>
                <Stroke>
                  <CssParameter name="stroke">#111111</CssParameter>
                </Stroke>
                <Fill><!--? 'Fill' must come before 'Stroke' in Mark -->
                  <CssParameter name="fill">#FFEE00</CssParameter>
                </Fill>
                <WellKnownName>triangle</WellKnownName><!--? 'WellKnownName' must come before 'Stroke' in Mark -->
              </Mark>
            </Graphic>
          </PointSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
