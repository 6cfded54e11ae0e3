<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml">
  <NamedLayer>
    <Name>parks</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <PolygonSymbolizer>
            <Fill>
              <CssParameter name="fill">rgb(300, 0, 0)</CssParameter><!--!15 CssParameter 'fill' is 'rgb(300, 0, 0)', but a colour such as #FF8800 was expected -->
            </Fill>
            <Stroke>
              <CssParameter name="stroke">FF8800</CssParameter><!--!15 CssParameter 'stroke' is 'FF8800', but a colour such as #FF8800 was expected -->
            </Stroke>
          </PolygonSymbolizer>
          <LineSymbolizer>
            <Stroke>
              <CssParameter name="stroke">0x1</CssParameter><!--!15 CssParameter 'stroke' is '0x1', but a colour such as #FF8800 was expected -->
            </Stroke>
          </LineSymbolizer>
          <LineSymbolizer>
            <Stroke>
              <CssParameter name="stroke"><!--!15 CssParameter 'stroke' is '#12', but a colour such as #FF8800 was expected -->
                <ogc:Literal>#12</ogc:Literal>
              </CssParameter>
            </Stroke>
          </LineSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
