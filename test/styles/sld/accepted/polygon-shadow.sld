<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <NamedLayer>
    <Name>houses</Name>
    <UserStyle>
      <Title>Houses that throw a shadow</Title>
      <FeatureTypeStyle>
        <Rule>
          <Title>Shadow</Title>
          <PolygonSymbolizer>
            <Geometry>
              <ogc:Function name="offset">
                <ogc:PropertyName>geom</ogc:PropertyName>
                <ogc:Literal>0.00003</ogc:Literal>
                <ogc:Literal>-0.00003</ogc:Literal>
              </ogc:Function>
            </Geometry>
            <Fill><CssParameter name="fill">#4A5568</CssParameter></Fill>
          </PolygonSymbolizer>
        </Rule>
        <Rule>
          <Title>House</Title>
          <PolygonSymbolizer>
            <Fill><CssParameter name="fill">#FBD38D</CssParameter></Fill>
            <Stroke><CssParameter name="stroke">#7B341E</CssParameter></Stroke>
          </PolygonSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
