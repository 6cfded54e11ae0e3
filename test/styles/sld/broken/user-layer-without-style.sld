<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml">
  <UserLayer><!--!3 'UserStyle' is missing in UserLayer -->
    <Name>parks</Name>
    <LayerFeatureConstraints>
      <FeatureTypeConstraint>
        <Extent><!--!9 'Value' is missing in Extent -->
          <Name>time</Name>
        </Extent>
      </FeatureTypeConstraint>
    </LayerFeatureConstraints>
  </UserLayer>
</StyledLayerDescriptor>
