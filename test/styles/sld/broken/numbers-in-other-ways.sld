<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml">
  <NamedLayer>
    <Name>parks</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <MinScaleDenominator>1e400</MinScaleDenominator><!--!11 MinScaleDenominator is '1e400', but a non-negative number was expected -->
          <MaxScaleDenominator>50,000</MaxScaleDenominator><!--!11 MaxScaleDenominator is '50,000', but a non-negative number was expected -->
          <LineSymbolizer>
            <Stroke>
              <CssParameter name="stroke-width">0x10</CssParameter><!--!15 CssParameter 'stroke-width' is '0x10', but a non-negative number with an optional unit (px, m or ft) was expected -->
              <CssParameter name="stroke-opacity">NaN</CssParameter><!--!15 CssParameter 'stroke-opacity' is 'NaN', but a number from 0 to 1 was expected -->
              <CssParameter name="stroke-dasharray">4 -2</CssParameter><!--!15 CssParameter 'stroke-dasharray' contains '-2', but a non-negative number with an optional unit (px, m or ft) was expected -->
            </Stroke>
          </LineSymbolizer>
          <PointSymbolizer>
            <Graphic>
              <Opacity>-0.1</Opacity><!--!15 Opacity is '-0.1', but a number from 0 to 1 was expected -->
              <Size>Infinity</Size><!--!15 Size is 'Infinity', but a non-negative number with an optional unit (px, m or ft) was expected -->
              <Rotation/><!--!15 Rotation is empty, but a number was expected -->
            </Graphic>
          </PointSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
