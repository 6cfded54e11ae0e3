<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=areas -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><ogc:Filter><ogc:PropertyIsEqualTo><ogc:Function name="intersects"><ogc:PropertyName>geom</ogc:PropertyName><ogc:Function name="geomFromWKT"><ogc:Literal>POINT(34.5 5)</ogc:Literal></ogc:Function></ogc:Function><ogc:Literal>true</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter><PolygonSymbolizer><Fill><CssParameter name="fill">#88AADD</CssParameter></Fill><Stroke><CssParameter name="stroke">#333366</CssParameter></Stroke></PolygonSymbolizer></Rule>
        <Rule><ElseFilter/><PolygonSymbolizer><Fill><CssParameter name="fill">#EEEEEE</CssParameter></Fill><Stroke><CssParameter name="stroke">#AAAAAA</CssParameter></Stroke></PolygonSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
