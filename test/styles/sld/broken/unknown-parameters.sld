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
              <CssParameter name="color">#FF0000</CssParameter><!--! Fill has no parameter 'color'. Expected: fill or fill-opacity -->
            </Fill>
            <Stroke>
              <CssParameter name="width">3</CssParameter><!--! Stroke has no parameter 'width' -->
              <CssParameter>3</CssParameter><!--! the attribute 'name' is missing on CssParameter -->
            </Stroke>
          </PolygonSymbolizer>
          <TextSymbolizer>
            <Font>
              <CssParameter name="font-color">#000000</CssParameter><!--! Font has no parameter 'font-color' -->
            </Font>
          </TextSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
