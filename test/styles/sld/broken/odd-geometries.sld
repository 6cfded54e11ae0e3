<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml">
  <NamedLayer>
    <Name>parks</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <ogc:Filter>
            <ogc:Or>
              <ogc:Intersects>
                <ogc:PropertyName>geom</ogc:PropertyName>
                <gml:Polygon/><!--!17 Polygon has 0 outer boundaries, but one was expected -->
              </ogc:Intersects>
              <ogc:Intersects>
                <ogc:PropertyName>geom</ogc:PropertyName>
                <gml:MultiPoint/><!--!17 MultiPoint has no members -->
              </ogc:Intersects>
              <ogc:Within>
                <ogc:PropertyName>geom</ogc:PropertyName>
                <gml:Point><!--!17 Point requires one position, but several were found -->
                  <gml:coordinates>1,2 3,4</gml:coordinates>
                </gml:Point>
              </ogc:Within>
              <ogc:BBOX>
                <ogc:PropertyName>geom</ogc:PropertyName>
                <gml:Box><!--!17 Box requires two corners -->
                  <gml:coordinates>1,2</gml:coordinates>
                </gml:Box>
              </ogc:BBOX>
              <ogc:Intersects>
                <ogc:PropertyName>geom</ogc:PropertyName>
                <gml:Circle/><!--!17 'gml:Circle' is not expected in Intersects. Expected: expressions or geometries -->
              </ogc:Intersects>
            </ogc:Or>
          </ogc:Filter>
          <PolygonSymbolizer/>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
