<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml">
  <NamedLayer>
    <Name>parks</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <ElseFilter>
            <ogc:PropertyIsNull><!--!13 'ogc:PropertyIsNull' is not expected in ElseFilter. Expected: no content -->
              <ogc:PropertyName>kind</ogc:PropertyName>
            </ogc:PropertyIsNull>
          </ElseFilter>
          <PolygonSymbolizer/>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
