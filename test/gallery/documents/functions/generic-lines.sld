<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=ways -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><ogc:Filter><ogc:PropertyIsEqualTo><ogc:Function name="dimension"><ogc:Function name="geometry"></ogc:Function></ogc:Function><ogc:Literal>2</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter><PolygonSymbolizer><Fill><CssParameter name="fill">#88CC88</CssParameter></Fill><Stroke><CssParameter name="stroke">#336633</CssParameter></Stroke></PolygonSymbolizer></Rule>
        <Rule><ogc:Filter><ogc:PropertyIsEqualTo><ogc:Function name="dimension"><ogc:Function name="geometry"></ogc:Function></ogc:Function><ogc:Literal>1</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter><LineSymbolizer><Stroke><CssParameter name="stroke">#CC3333</CssParameter><CssParameter name="stroke-width">2</CssParameter></Stroke></LineSymbolizer></Rule>
        <Rule><ElseFilter/><PointSymbolizer><Graphic><Mark><WellKnownName>circle</WellKnownName><Fill><CssParameter name="fill">#CC3333</CssParameter></Fill></Mark><Size>8</Size></Graphic></PointSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
