<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml">
  <NamedLayer>
    <Name>parks</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <Title>area < 100</Title><!--!23 this '<' begins no tag; write &lt; for the character itself -->
          <PolygonSymbolizer/>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
