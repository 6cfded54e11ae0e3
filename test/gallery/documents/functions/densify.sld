<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=ways -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><LineSymbolizer><Stroke><CssParameter name="stroke">#AAAAAA</CssParameter><CssParameter name="stroke-width">1</CssParameter></Stroke></LineSymbolizer><PointSymbolizer><Geometry><ogc:Function name="vertices"><ogc:Function name="densify"><ogc:PropertyName>geom</ogc:PropertyName><ogc:Literal>2</ogc:Literal></ogc:Function></ogc:Function></Geometry><Graphic><Mark><WellKnownName>circle</WellKnownName><Fill><CssParameter name="fill">#CC3333</CssParameter></Fill></Mark><Size>4</Size></Graphic></PointSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
