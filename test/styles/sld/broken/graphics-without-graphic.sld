<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml">
  <NamedLayer>
    <Name>parks</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <LegendGraphic/><!--!11 'Graphic' is missing in LegendGraphic -->
          <PolygonSymbolizer>
            <Fill>
              <GraphicFill/><!--!15 'Graphic' is missing in GraphicFill -->
            </Fill>
            <Stroke>
              <GraphicStroke/><!--!15 'Graphic' is missing in GraphicStroke -->
            </Stroke>
          </PolygonSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
