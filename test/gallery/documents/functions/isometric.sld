<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=areas -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><PolygonSymbolizer><Geometry><ogc:Function name="isometric"><ogc:PropertyName>geom</ogc:PropertyName><ogc:Literal>2</ogc:Literal></ogc:Function></Geometry><Fill><CssParameter name="fill">#BBBBBB</CssParameter></Fill><Stroke><CssParameter name="stroke">#777777</CssParameter></Stroke></PolygonSymbolizer><PolygonSymbolizer><Geometry><ogc:Function name="offset"><ogc:PropertyName>geom</ogc:PropertyName><ogc:Literal>0</ogc:Literal><ogc:Literal>2</ogc:Literal></ogc:Function></Geometry><Fill><CssParameter name="fill">#EEE8DD</CssParameter></Fill><Stroke><CssParameter name="stroke">#777777</CssParameter></Stroke></PolygonSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
