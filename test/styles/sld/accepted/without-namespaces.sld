<StyledLayerDescriptor version="1.0.0">
<NamedLayer>
<Name>quick</Name>
<UserStyle>
<FeatureTypeStyle>
<Rule>
<Filter><PropertyIsEqualTo><PropertyName>a</PropertyName><Literal>1</Literal></PropertyIsEqualTo></Filter>
<PolygonSymbolizer>
<Fill><CssParameter name="fill">red</CssParameter></Fill>
<Stroke><CssParameter name="stroke">#0af</CssParameter></Stroke>
</PolygonSymbolizer>
</Rule>
</FeatureTypeStyle>
</UserStyle>
</NamedLayer>
</StyledLayerDescriptor>
