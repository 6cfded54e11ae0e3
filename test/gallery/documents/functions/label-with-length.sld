<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=ways -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><LineSymbolizer><Stroke><CssParameter name="stroke">#AAAAAA</CssParameter><CssParameter name="stroke-width">1</CssParameter></Stroke></LineSymbolizer><TextSymbolizer><Label><ogc:Function name="numberFormat"><ogc:Literal>0</ogc:Literal><ogc:Function name="geomLength"><ogc:PropertyName>geom</ogc:PropertyName></ogc:Function></ogc:Function> / <ogc:Function name="numPoint"><ogc:PropertyName>geom</ogc:PropertyName></ogc:Function></Label><Font><CssParameter name="font-size">11</CssParameter></Font></TextSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
