<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer>
    <Name>places</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <PolygonSymbolizer>
            <Fill>
              <CssParameter name="fill">
                <Recode><!--?17 'Recode' does not belong to SLD 1.0.0 here, but is read -->
                  <LookupValue><ogc:PropertyName>kind</ogc:PropertyName></LookupValue>
                  <MapItem>
                    <Data>1</Data>
                    <Value>#FF0000</Value>
                  </MapItem>
                </Recode>
              </CssParameter>
            </Fill>
          </PolygonSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
