<StyledLayerDescriptor version="1.1.0" xmlns="http://www.opengis.net/sld" xmlns:se="http://www.opengis.net/se" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <se:Name>parks</se:Name>
    <UserStyle>
      <se:FeatureTypeStyle>
        <se:Rule>
          <se:LineSymbolizer uom="metre">
            <se:Stroke>
              <se:SvgParameter name="stroke">#335577</se:SvgParameter>
            </se:Stroke>
            <se:PerpendicularOffset>left</se:PerpendicularOffset><!--!13 PerpendicularOffset is 'left', but a number with an optional unit (px, m or ft) was expected -->
            <se:Description><!--!13 'Description' must come before 'PerpendicularOffset' in LineSymbolizer -->
              <se:Title>Line</se:Title>
            </se:Description>
          </se:LineSymbolizer>
          <se:PointSymbolizer>
            <se:Graphic>
              <se:Mark><!--!15 'Format' is missing in Mark -->
                <se:WellKnownName>circle</se:WellKnownName>
                <se:OnlineResource/><!--!17 'OnlineResource' cannot be combined with 'WellKnownName' in Mark --><!--!17 the attribute 'xlink:href' is missing or empty on OnlineResource -->
              </se:Mark>
            </se:Graphic>
          </se:PointSymbolizer>
        </se:Rule>
      </se:FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
