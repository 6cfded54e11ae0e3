<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml">
  <NamedLayer>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule/>
      </FeatureTypeStyle>
    </UserStyle>
    <Name>parks</Name><!--!5 'Name' must come before 'UserStyle' in NamedLayer -->
    <Name>gardens</Name><!--!5 'Name' must come before 'UserStyle' in NamedLayer --><!--!5 'Name' is repeated in NamedLayer, but only one is allowed -->
  </NamedLayer>
  <Name>late</Name><!--!3 'Name' must come before 'NamedLayer' in StyledLayerDescriptor -->
</StyledLayerDescriptor>
