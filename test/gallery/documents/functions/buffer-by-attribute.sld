<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=places -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><PolygonSymbolizer><Geometry><ogc:Function name="buffer"><ogc:PropertyName>geom</ogc:PropertyName><ogc:Function name="sqrt"><ogc:PropertyName>number</ogc:PropertyName></ogc:Function></ogc:Function></Geometry><Fill><CssParameter name="fill">#AACCFF</CssParameter></Fill><Stroke><CssParameter name="stroke">#3366AA</CssParameter></Stroke></PolygonSymbolizer><PointSymbolizer><Graphic><Mark><WellKnownName>circle</WellKnownName><Fill><CssParameter name="fill">#CC3333</CssParameter></Fill></Mark><Size>4</Size></Graphic></PointSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
