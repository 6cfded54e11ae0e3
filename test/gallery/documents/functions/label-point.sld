<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=areas -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><PolygonSymbolizer><Fill><CssParameter name="fill">#EEEEEE</CssParameter></Fill><Stroke><CssParameter name="stroke">#AAAAAA</CssParameter></Stroke></PolygonSymbolizer><PointSymbolizer><Geometry><ogc:Function name="labelPoint"><ogc:PropertyName>geom</ogc:PropertyName><ogc:Literal>0.1</ogc:Literal></ogc:Function></Geometry><Graphic><Mark><WellKnownName>star</WellKnownName><Fill><CssParameter name="fill">#AA6633</CssParameter></Fill></Mark><Size>14</Size></Graphic></PointSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
