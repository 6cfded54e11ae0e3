<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <NamedLayer>
    <Name>sea</Name>
    <UserStyle>
      <Name>sea_under_land</Name>
      <Background>
        <CssParameter name="fill">#EBF8FF</CssParameter>
        <CssParameter name="fill-opacity">0.9</CssParameter>
      </Background>
      <FeatureTypeStyle>
        <Rule>
          <PolygonSymbolizer><Fill><CssParameter name="fill">#BEE3F8</CssParameter></Fill></PolygonSymbolizer>
        </Rule>
        <VendorOption name="composite">multiply, 0.5</VendorOption>
        <VendorOption name="composite-base">true</VendorOption>
      </FeatureTypeStyle>
      <FeatureTypeStyle>
        <VendorOption name="sortBy">z_order A</VendorOption>
        <VendorOption name="sortByGroup">roads</VendorOption>
        <Rule>
          <Name>hidden_in_legend</Name>
          <LineSymbolizer>
            <VendorOption name="inclusion">mapOnly</VendorOption>
            <Stroke/>
          </LineSymbolizer>
          <VendorOption name="inclusion">mapOnly</VendorOption>
        </Rule>
        <VendorOption name="ruleEvaluation">first</VendorOption>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
