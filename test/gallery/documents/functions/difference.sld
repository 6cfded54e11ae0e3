<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=areas -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><PolygonSymbolizer><Geometry><ogc:Function name="difference"><ogc:PropertyName>geom</ogc:PropertyName><ogc:Function name="buffer"><ogc:Function name="geomFromWKT"><ogc:Literal>POINT(16 9)</ogc:Literal></ogc:Function><ogc:Literal>6</ogc:Literal></ogc:Function></ogc:Function></Geometry><Fill><CssParameter name="fill">#CCCC66</CssParameter></Fill><Stroke><CssParameter name="stroke">#666633</CssParameter></Stroke></PolygonSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
