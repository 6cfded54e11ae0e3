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
          <MaxScaleDenominator>1000</MaxScaleDenominator>
          <maxScaleDenominator>2000</maxScaleDenominator><!--? 'maxScaleDenominator' is read as 'MaxScaleDenominator' --><!--? 'MaxScaleDenominator' is repeated in Rule, but only one is allowed: the last one is used -->
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
