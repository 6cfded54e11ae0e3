<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <NamedLayer>
    <Name>cycleways</Name>
    <UserStyle>
      <Title>Cycle lanes on either side of the street</Title>
      <FeatureTypeStyle>
        <Rule>
          <LineSymbolizer>
            <Stroke>
              <CssParameter name="stroke">#38A169</CssParameter>
              <CssParameter name="stroke-width">1</CssParameter>
            </Stroke>
            <PerpendicularOffset>4</PerpendicularOffset>
          </LineSymbolizer>
          <LineSymbolizer>
            <Stroke>
              <CssParameter name="stroke">#38A169</CssParameter>
              <CssParameter name="stroke-width">1</CssParameter>
            </Stroke>
            <PerpendicularOffset>
              <ogc:Mul>
                <ogc:Literal>-1</ogc:Literal>
                <ogc:PropertyName>half_width</ogc:PropertyName>
              </ogc:Mul>
            </PerpendicularOffset>
          </LineSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
