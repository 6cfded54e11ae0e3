<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <Name>places</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <MinScaleDenominator>500</MinScaleDenominator>
          <MaxScaleDenominator>25000</MaxScaleDenominator>
          <Title>Near</Title><!--? 'Title' must come before 'MaxScaleDenominator' in Rule -->
          <Abstract>Only from close by</Abstract><!--? 'Abstract' must come before 'MaxScaleDenominator' in Rule -->
          <ogc:Filter><!--? 'Filter' must come before 'MaxScaleDenominator' in Rule -->
            <ogc:PropertyIsNull>
              <ogc:PropertyName>closed</ogc:PropertyName>
            </ogc:PropertyIsNull>
          </ogc:Filter>
          <LineSymbolizer>
            <Stroke>
              <CssParameter name="stroke">#226688</CssParameter>
            </Stroke>
          </LineSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
