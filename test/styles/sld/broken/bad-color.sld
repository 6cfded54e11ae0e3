<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <NamedLayer>
    <Name>a</Name>
    <UserStyle>
      <Title>b</Title>
      <FeatureTypeStyle>
        <Rule>
          <PolygonSymbolizer>
            <Fill>
              <CssParameter name="fill">#12345</CssParameter><!--! CssParameter 'fill' is '#12345', but a colour such as #FF8800 was expected -->
            </Fill>
            <Stroke>
              <CssParameter name="stroke">blueish</CssParameter><!--! CssParameter 'stroke' is 'blueish', but a colour -->
            </Stroke>
          </PolygonSymbolizer>
          <TextSymbolizer>
            <Fill>
              <CssParameter name="fill"/><!--! CssParameter 'fill' is empty, but a colour -->
            </Fill>
          </TextSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
