<!-- gallery: data=places -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>places</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <PointSymbolizer>
            <Graphic>
              <Mark><WellKnownName>circle</WellKnownName></Mark>
              <Displacement><DisplacementX>-12</DisplacementX><DisplacementY>0</DisplacementY></Displacement>
            </Graphic>
          </PointSymbolizer>
          <PointSymbolizer>
            <Graphic>
              <Mark><WellKnownName>triangle</WellKnownName><Fill><CssParameter name="fill">#3060c0</CssParameter></Fill></Mark>
              <Displacement><DisplacementX>6</DisplacementX><DisplacementY>10</DisplacementY></Displacement>
            </Graphic>
          </PointSymbolizer>
          <PointSymbolizer>
            <Graphic>
              <Mark><WellKnownName>star</WellKnownName><Stroke><CssParameter name="stroke">#c03030</CssParameter></Stroke></Mark>
              <Displacement><DisplacementX>6</DisplacementX><DisplacementY>-10</DisplacementY></Displacement>
            </Graphic>
          </PointSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
