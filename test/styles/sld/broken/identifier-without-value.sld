<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml">
  <NamedLayer>
    <Name>parks</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <ogc:Filter>
            <ogc:FeatureId/><!--!13 the attribute 'fid' is missing on FeatureId -->
            <ogc:FeatureId id="parks.2"/><!--!13 FeatureId has no attribute 'id'. Expected: fid --><!--!13 the attribute 'fid' is missing on FeatureId -->
          </ogc:Filter>
          <PolygonSymbolizer/>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
