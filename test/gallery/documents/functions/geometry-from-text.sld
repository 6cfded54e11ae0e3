<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=areas -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><LineSymbolizer><Geometry><ogc:Function name="geomFromWKT"><ogc:Literal>LINESTRING(2 2, 38 18)</ogc:Literal></ogc:Function></Geometry><Stroke><CssParameter name="stroke">#3366AA</CssParameter><CssParameter name="stroke-width">3</CssParameter></Stroke></LineSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
