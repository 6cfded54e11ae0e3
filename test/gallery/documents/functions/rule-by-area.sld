<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=areas -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><ogc:Filter><ogc:PropertyIsGreaterThan><ogc:Function name="area"><ogc:PropertyName>geom</ogc:PropertyName></ogc:Function><ogc:Literal>150</ogc:Literal></ogc:PropertyIsGreaterThan></ogc:Filter><PolygonSymbolizer><Fill><CssParameter name="fill">#88CC88</CssParameter></Fill><Stroke><CssParameter name="stroke">#336633</CssParameter></Stroke></PolygonSymbolizer></Rule>
        <Rule><ogc:Filter><ogc:PropertyIsLessThanOrEqualTo><ogc:Function name="area"><ogc:PropertyName>geom</ogc:PropertyName></ogc:Function><ogc:Literal>150</ogc:Literal></ogc:PropertyIsLessThanOrEqualTo></ogc:Filter><PolygonSymbolizer><Fill><CssParameter name="fill">#CC8866</CssParameter></Fill><Stroke><CssParameter name="stroke">#663333</CssParameter></Stroke></PolygonSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
