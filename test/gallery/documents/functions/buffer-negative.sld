<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=areas -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><PolygonSymbolizer><Fill><CssParameter name="fill">#EEEEEE</CssParameter></Fill><Stroke><CssParameter name="stroke">#AAAAAA</CssParameter></Stroke></PolygonSymbolizer><PolygonSymbolizer><Geometry><ogc:Function name="buffer"><ogc:PropertyName>geom</ogc:PropertyName><ogc:Literal>-1</ogc:Literal></ogc:Function></Geometry><Fill><CssParameter name="fill">#88CC88</CssParameter></Fill><Stroke><CssParameter name="stroke">#336633</CssParameter></Stroke></PolygonSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
