<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <Name>places</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <MinScaleDenominator>1:5000</MinScaleDenominator><!--?11 MinScaleDenominator is '1:5000', but a non-negative number was expected: it is read as 5000 -->
          <MaxScaleDenominator>25,000</MaxScaleDenominator><!--?11 MaxScaleDenominator is '25,000', but a non-negative number was expected: it is read as 25000 -->
          <PolygonSymbolizer/>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
