<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml">
  <NamedLayer>
    <Name>parks</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <ogc:Filter>
            <ogc:And>
              <ogc:Intersects><!--!15 Intersects requires 2 expressions or geometries, but has 1 -->
                <ogc:PropertyName>geom</ogc:PropertyName>
              </ogc:Intersects>
              <ogc:DWithin><!--!15 'Distance' is missing in DWithin -->
                <ogc:PropertyName>geom</ogc:PropertyName>
                <gml:Point>
                  <gml:coordinates>1,2</gml:coordinates>
                </gml:Point>
              </ogc:DWithin>
              <ogc:DWithin>
                <ogc:PropertyName>geom</ogc:PropertyName>
                <gml:Point>
                  <gml:coordinates>1,2</gml:coordinates>
                </gml:Point>
                <ogc:Distance>10</ogc:Distance>
              </ogc:DWithin>
            </ogc:And>
          </ogc:Filter>
          <PolygonSymbolizer/>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
