<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=ways -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><LineSymbolizer><Stroke><CssParameter name="stroke">#AAAAAA</CssParameter><CssParameter name="stroke-width">1</CssParameter></Stroke></LineSymbolizer><PointSymbolizer><Geometry><ogc:Function name="pointN"><ogc:PropertyName>geom</ogc:PropertyName><ogc:Literal>1</ogc:Literal></ogc:Function></Geometry><Graphic><Mark><WellKnownName>triangle</WellKnownName><Fill><CssParameter name="fill">#3366AA</CssParameter></Fill></Mark><Size>10</Size></Graphic></PointSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
