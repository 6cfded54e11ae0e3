<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=areas -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><PolygonSymbolizer><Geometry><ogc:Function name="symDifference"><ogc:PropertyName>geom</ogc:PropertyName><ogc:Function name="envelope"><ogc:PropertyName>geom</ogc:PropertyName></ogc:Function></ogc:Function></Geometry><Fill><CssParameter name="fill">#DDAADD</CssParameter><CssParameter name="fill-opacity">0.6</CssParameter></Fill><Stroke><CssParameter name="stroke">#663366</CssParameter></Stroke></PolygonSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
