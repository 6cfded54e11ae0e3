<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <NamedLayer>
    <Name>highways</Name>
    <UserStyle>
      <Title>Road numbers on a shield</Title>
      <FeatureTypeStyle>
        <Rule>
          <TextSymbolizer>
            <Label><ogc:PropertyName>ref</ogc:PropertyName></Label>
            <Fill><CssParameter name="fill">#FFFFFF</CssParameter></Fill>
            <Font>
              <CssParameter name="font-family">Arial</CssParameter>
              <CssParameter name="font-weight">700</CssParameter>
            </Font>
            <Graphic>
              <Mark>
                <WellKnownName>square</WellKnownName>
                <Fill><CssParameter name="fill">#2B6CB0</CssParameter></Fill>
                <Stroke><CssParameter name="stroke">#FFFFFF</CssParameter></Stroke>
              </Mark>
              <Size>18</Size>
            </Graphic>
            <Priority><ogc:PropertyName>rank</ogc:PropertyName></Priority>
            <VendorOption name="graphic-resize">stretch</VendorOption>
            <VendorOption name="graphic-margin">3</VendorOption>
          </TextSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
