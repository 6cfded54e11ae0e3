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
              <CssParameter name="stroke-linecap">flat</CssParameter><!--! is 'flat', but butt, round or square was expected -->
              <CssParameter name="stroke-linejoin">pointed</CssParameter><!--! is 'pointed', but mitre, miter, round or bevel was expected -->
            </Stroke>
          </LineSymbolizer>
          <TextSymbolizer>
            <Font>
              <CssParameter name="font-style">slanted</CssParameter><!--! is 'slanted', but normal, italic or oblique was expected -->
              <CssParameter name="font-weight">heavy</CssParameter><!--! is 'heavy', but normal, bold, bolder, lighter or a weight from 1 to 1000 was expected -->
            </Font>
          </TextSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
