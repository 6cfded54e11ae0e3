<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml">
  <NamedLayer>
    <Name>parks</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <fes:Filter xmlns:fes="http://www.opengis.net/fes/2.0"><!--!11 'fes:Filter' is not expected in Rule; its namespace 'http://www.opengis.net/fes/2.0' is not a style namespace. Expected: Name, Title, Abstract, LegendGraphic, Filter, ElseFilter, MinScaleDenominator, MaxScaleDenominator, a symbolizer or VendorOption -->
            <fes:PropertyIsEqualTo>
              <fes:ValueReference>kind</fes:ValueReference>
              <fes:Literal>park</fes:Literal>
            </fes:PropertyIsEqualTo>
          </fes:Filter>
          <PolygonSymbolizer/>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
