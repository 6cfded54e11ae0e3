<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml">
  <NamedLayer>
    <Name>parks</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <Title><![CDATA[area < 100</Title>
          <PolygonSymbolizer/>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor><!--! the element 'Title' that begins at line 7 is never closed -->