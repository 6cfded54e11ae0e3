<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <NamedLayer>
    <Name>districts</Name>
    <UserStyle>
      <Title>Density of people</Title>
      <FeatureTypeStyle>
        <Rule>
          <Name>thin</Name>
          <Title>Less than 100 per km²</Title>
          <ogc:Filter>
            <ogc:PropertyIsLessThan>
              <ogc:Div>
                <ogc:PropertyName>people</ogc:PropertyName>
                <ogc:PropertyName>area_km2</ogc:PropertyName>
              </ogc:Div>
              <ogc:Literal>100</ogc:Literal>
            </ogc:PropertyIsLessThan>
          </ogc:Filter>
          <PolygonSymbolizer>
            <Fill><CssParameter name="fill">#FFF5F5</CssParameter></Fill>
          </PolygonSymbolizer>
        </Rule>
        <Rule>
          <Name>dense</Name>
          <Title>100 per km² and more</Title>
          <ogc:Filter>
            <ogc:PropertyIsGreaterThanOrEqualTo>
              <ogc:Div>
                <ogc:PropertyName>people</ogc:PropertyName>
                <ogc:PropertyName>area_km2</ogc:PropertyName>
              </ogc:Div>
              <ogc:Literal>100</ogc:Literal>
            </ogc:PropertyIsGreaterThanOrEqualTo>
          </ogc:Filter>
          <PolygonSymbolizer>
            <Fill><CssParameter name="fill">#9B2C2C</CssParameter></Fill>
          </PolygonSymbolizer>
        </Rule>
        <Rule>
          <PolygonSymbolizer>
            <Stroke>
              <CssParameter name="stroke">#FFFFFF</CssParameter>
              <CssParameter name="stroke-width">0.5</CssParameter>
            </Stroke>
          </PolygonSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
