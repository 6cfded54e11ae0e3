<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <NamedLayer>
    <Name>cables</Name>
    <UserStyle>
      <Title>Symbols for the legend</Title>
      <FeatureTypeStyle>
        <Rule>
          <Name>sea_cable</Name>
          <Title>Sea cable</Title>
          <Abstract>Lies on the ground of the sea.</Abstract>
          <LegendGraphic>
            <Graphic>
              <ExternalGraphic>
                <OnlineResource xlink:type="simple" xlink:href="legend/cable.png"/>
                <Format>image/png</Format>
              </ExternalGraphic>
            </Graphic>
          </LegendGraphic>
          <ogc:Filter>
            <ogc:Not>
              <ogc:Or>
                <ogc:PropertyIsNull><ogc:PropertyName>depth</ogc:PropertyName></ogc:PropertyIsNull>
                <ogc:PropertyIsLessThanOrEqualTo>
                  <ogc:PropertyName>depth</ogc:PropertyName>
                  <ogc:Literal>0</ogc:Literal>
                </ogc:PropertyIsLessThanOrEqualTo>
                <ogc:PropertyIsGreaterThan>
                  <ogc:Sub>
                    <ogc:PropertyName>depth</ogc:PropertyName>
                    <ogc:PropertyName>tide</ogc:PropertyName>
                  </ogc:Sub>
                  <ogc:Literal>
                    8000
                  </ogc:Literal>
                </ogc:PropertyIsGreaterThan>
              </ogc:Or>
            </ogc:Not>
          </ogc:Filter>
          <LineSymbolizer>
            <Stroke><CssParameter name="stroke">#285E61</CssParameter></Stroke>
          </LineSymbolizer>
        </Rule>
        <Rule>
          <Name>nothing_to_draw</Name>
          <ElseFilter/>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
