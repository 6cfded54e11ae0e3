<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml">
  <NamedLayer>
    <Name>parks</Name>
    <UserStyle><!--!5 'FeatureTypeStyle' is missing in UserStyle -->
      <Rule><!--!7 'Rule' is not expected in UserStyle. Expected: Name, Title, Abstract, IsDefault, Background or FeatureTypeStyle -->
        <PolygonSymbolizer/>
      </Rule>
    </UserStyle>
    <UserStyle>
      <FeatureTypeStyle><!--!7 'Rule' is missing in FeatureTypeStyle -->
        <PolygonSymbolizer/><!--!9 'PolygonSymbolizer' is not expected in FeatureTypeStyle. Expected: Name, Title, Abstract, FeatureTypeName, SemanticTypeIdentifier, Transformation, Rule or VendorOption -->
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
  <UserStyle><!--!3 'UserStyle' is not expected in StyledLayerDescriptor. Expected: Name, Title, Abstract, NamedLayer or UserLayer -->
    <FeatureTypeStyle>
      <Rule/>
    </FeatureTypeStyle>
  </UserStyle>
</StyledLayerDescriptor>
