<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld">
  <NamedLayer>
    <Name>a</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <ogc:Filter><!--! the namespace prefix 'ogc' is not declared -->
          </ogc:Filter>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
