<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.1.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:se="http://www.opengis.net/se"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <se:Name>places</se:Name>
    <UserStyle>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:MaxScaleDenominator>5000</se:MaxScaleDenominator>
          <se:Name>near</se:Name><!--? 'Name' must come before 'MaxScaleDenominator' in Rule -->
          <se:PolygonSymbolizer>
            <se:Stroke>
              <se:SvgParameter name="stroke">#333333</se:SvgParameter>
            </se:Stroke>
            <se:Fill><!--? 'Fill' must come before 'Stroke' in PolygonSymbolizer -->
              <se:SvgParameter name="fill">#AACC88</se:SvgParameter>
            </se:Fill>
            <se:Name>area</se:Name><!--? 'Name' must come before 'Stroke' in PolygonSymbolizer -->
          </se:PolygonSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
