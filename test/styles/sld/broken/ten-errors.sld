<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <NamedLayer>
    <Naem>roads</Naem><!--! 'Naem' is not expected in NamedLayer -->
    <Name>roads</Name>
    <UserStyle>
      <Title>Roads</Title>
      <Name>roads</Name><!--! 'Name' must come before 'Title' in UserStyle -->
      <IsDefault>si</IsDefault><!--! IsDefault is 'si', but true or false was expected -->
      <FeatureTypeStyle>
        <Rule>
          <ogc:Filter>
            <ogc:PropertyIsEqualTo><!--! PropertyIsEqualTo requires 2 expressions, but has 1 -->
              <ogc:PropertyName>class</ogc:PropertyName>
            </ogc:PropertyIsEqualTo>
          </ogc:Filter>
          <MinScaleDenominator>ten</MinScaleDenominator><!--! MinScaleDenominator is 'ten', but a non-negative number was expected -->
          <LineSymbolizer>
            <Stroke>
              <CssParameter name="stroke">#1234567</CssParameter><!--! CssParameter 'stroke' is '#1234567', but a colour -->
              <CssParameter name="stroke-widht">2</CssParameter><!--! Stroke has no parameter 'stroke-widht' -->
            </Stroke>
          </LineSymbolizer>
          <TextSymbolizer>
            <Label>
              <ogc:Property>name</ogc:Property><!--! 'ogc:Property' is not expected in Label. Expected: text or an expression -->
            </Label>
            <Halo>
              <Radius>wide</Radius><!--! Radius is 'wide', but a non-negative number -->
            </Halo>
            <VendorOption nam="repeat">100</VendorOption><!--! VendorOption has no attribute 'nam'. Expected: name --><!--! the attribute 'name' is missing on VendorOption -->
          </TextSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
