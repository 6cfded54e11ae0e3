<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=ways -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><PolygonSymbolizer><Geometry><ogc:Function name="buffer"><ogc:PropertyName>geom</ogc:PropertyName><ogc:Literal>1</ogc:Literal></ogc:Function></Geometry><Fill><CssParameter name="fill">#FFDD88</CssParameter></Fill><Stroke><CssParameter name="stroke">#AA8833</CssParameter></Stroke></PolygonSymbolizer><LineSymbolizer><Stroke><CssParameter name="stroke">#AAAAAA</CssParameter><CssParameter name="stroke-width">1</CssParameter></Stroke></LineSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
