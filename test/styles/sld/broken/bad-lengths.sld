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
          <LineSymbolizer>
            <Stroke>
              <CssParameter name="stroke-width">-2</CssParameter><!--! CssParameter 'stroke-width' is '-2' -->
              <CssParameter name="stroke-dasharray">5 x 2</CssParameter><!--! CssParameter 'stroke-dasharray' contains 'x' -->
              <CssParameter name="stroke-opacity">1,5</CssParameter><!--! CssParameter 'stroke-opacity' is '1,5' -->
              <CssParameter name="stroke-dashoffset">3 miles</CssParameter><!--! CssParameter 'stroke-dashoffset' is '3 miles' -->
            </Stroke>
          </LineSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
