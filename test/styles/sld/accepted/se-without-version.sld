<StyledLayerDescriptor xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <se:Name>tracks</se:Name>
    <UserStyle>
      <se:FeatureTypeStyle>
        <se:Transformation>
          <ogc:Function name="vec:Simplify">
            <ogc:Function name="parameter"><ogc:Literal>features</ogc:Literal></ogc:Function>
          </ogc:Function>
        </se:Transformation>
        <se:Rule>
          <se:MaxScaleDenominator>25000</se:MaxScaleDenominator>
          <se:LineSymbolizer>
            <se:Stroke>
              <se:SvgParameter name="stroke">#805AD5</se:SvgParameter>
              <se:SvgParameter name="stroke-dasharray">4 4</se:SvgParameter>
            </se:Stroke>
          </se:LineSymbolizer>
        </se:Rule>
        <se:VendorOption name="sortBy">recorded D</se:VendorOption>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
