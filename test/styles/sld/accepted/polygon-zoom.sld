<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <NamedLayer>
    <Name>counties</Name>
    <UserStyle>
      <Title>Names only where there is room</Title>
      <FeatureTypeStyle>
        <Rule>
          <Name>close</Name>
          <MaxScaleDenominator>250000</MaxScaleDenominator>
          <PolygonSymbolizer>
            <Fill><CssParameter name="fill">#E9D8FD</CssParameter></Fill>
            <Stroke><CssParameter name="stroke-width">2</CssParameter></Stroke>
          </PolygonSymbolizer>
          <TextSymbolizer>
            <Label><ogc:PropertyName>name</ogc:PropertyName></Label>
            <Fill><CssParameter name="fill">#44337A</CssParameter></Fill>
          </TextSymbolizer>
        </Rule>
        <Rule>
          <Name>away</Name>
          <MinScaleDenominator>250000</MinScaleDenominator>
          <PolygonSymbolizer>
            <Fill><CssParameter name="fill">#D6BCFA</CssParameter></Fill>
          </PolygonSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
