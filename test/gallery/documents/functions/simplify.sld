<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=ways -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><LineSymbolizer><Stroke><CssParameter name="stroke">#AAAAAA</CssParameter><CssParameter name="stroke-width">1</CssParameter></Stroke></LineSymbolizer><LineSymbolizer><Geometry><ogc:Function name="simplify"><ogc:PropertyName>geom</ogc:PropertyName><ogc:Literal>4</ogc:Literal></ogc:Function></Geometry><Stroke><CssParameter name="stroke">#CC3333</CssParameter><CssParameter name="stroke-width">2</CssParameter></Stroke></LineSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
