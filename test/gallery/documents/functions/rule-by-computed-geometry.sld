<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=places -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><ogc:Filter><ogc:Intersects><ogc:Function name="buffer"><ogc:PropertyName>geom</ogc:PropertyName><ogc:Literal>4</ogc:Literal></ogc:Function><ogc:Function name="geomFromWKT"><ogc:Literal>POINT(16 9)</ogc:Literal></ogc:Function></ogc:Intersects></ogc:Filter><PointSymbolizer><Graphic><Mark><WellKnownName>circle</WellKnownName><Fill><CssParameter name="fill">#CC3333</CssParameter></Fill></Mark><Size>14</Size></Graphic></PointSymbolizer></Rule>
        <Rule><ElseFilter/><PointSymbolizer><Graphic><Mark><WellKnownName>circle</WellKnownName><Fill><CssParameter name="fill">#AAAAAA</CssParameter></Fill></Mark><Size>8</Size></Graphic></PointSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
