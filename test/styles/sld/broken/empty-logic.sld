<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml">
  <NamedLayer>
    <Name>parks</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <ogc:Filter>
            <ogc:And>
              <ogc:Not/><!--!15 a condition is missing in Not -->
              <ogc:Or/><!--!15 Or requires 2 or more conditions, but has 0 -->
              <ogc:Not>
                <ogc:PropertyIsNull>
                  <ogc:PropertyName>a</ogc:PropertyName>
                </ogc:PropertyIsNull>
                <ogc:PropertyIsNull><!--!17 'PropertyIsNull' exceeds the limit of 1 element in Not -->
                  <ogc:PropertyName>b</ogc:PropertyName>
                </ogc:PropertyIsNull>
              </ogc:Not>
            </ogc:And>
          </ogc:Filter>
          <PolygonSymbolizer/>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
