<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=areas -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><PolygonSymbolizer><Fill><CssParameter name="fill">#EEEEEE</CssParameter></Fill><Stroke><CssParameter name="stroke">#AAAAAA</CssParameter></Stroke></PolygonSymbolizer><PolygonSymbolizer><Geometry><ogc:Function name="intersection"><ogc:PropertyName>geom</ogc:PropertyName><ogc:Function name="geomFromWKT"><ogc:Literal>POLYGON((5 5, 35 5, 35 11, 5 11, 5 5))</ogc:Literal></ogc:Function></ogc:Function></Geometry><Fill><CssParameter name="fill">#CC8866</CssParameter></Fill><Stroke><CssParameter name="stroke">#663333</CssParameter></Stroke></PolygonSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
