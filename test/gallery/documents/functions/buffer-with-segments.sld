<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=places -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><PolygonSymbolizer><Geometry><ogc:Function name="bufferWithSegments"><ogc:PropertyName>geom</ogc:PropertyName><ogc:Literal>2.5</ogc:Literal><ogc:Literal>1</ogc:Literal></ogc:Function></Geometry><Fill><CssParameter name="fill">#CCAAFF</CssParameter></Fill><Stroke><CssParameter name="stroke">#6633AA</CssParameter></Stroke></PolygonSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
