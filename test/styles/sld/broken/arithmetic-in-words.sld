<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml">
  <NamedLayer>
    <Name>parks</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <TextSymbolizer>
            <Label>
              <ogc:Mul>
                <ogc:PropertyName>area</ogc:PropertyName>
                <ogc:Literal>2</ogc:Literal>
                <ogc:Literal>3</ogc:Literal><!--!17 'Literal' exceeds the limit of 2 elements in Mul -->
              </ogc:Mul>
              <ogc:Plus><!--!15 'ogc:Plus' is not expected in Label. Expected: text or an expression -->
                <ogc:Literal>1</ogc:Literal>
              </ogc:Plus>
              <ogc:PropertyIsNull><!--!15 'ogc:PropertyIsNull' is not expected in Label. Expected: text or an expression -->
                <ogc:PropertyName>area</ogc:PropertyName>
              </ogc:PropertyIsNull>
            </Label>
          </TextSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
