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
          <PolygonSymbolizer>
            <Fill>
              <CssParameter name="fill">#AACC88</CssParameter>
              <CssParameter name="stroke-width">2</CssParameter><!--? Fill has no parameter 'stroke-width': it has no effect -->
            </Fill>
            <Stroke>
              <CssParameter name="stroke">#446622</CssParameter>
              <CssParameter name="fill-opacity">0.5</CssParameter><!--? Stroke has no parameter 'fill-opacity': it has no effect -->
            </Stroke>
          </PolygonSymbolizer>
          <TextSymbolizer>
            <Label>a</Label>
            <Font>
              <CssParameter name="font-family">Serif</CssParameter>
              <CssParameter name="fill">#000000</CssParameter><!--? Font has no parameter 'fill': it has no effect -->
            </Font>
          </TextSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
