<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=places -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><PointSymbolizer><Graphic><Mark><WellKnownName>circle</WellKnownName><Fill><CssParameter name="fill">#CCCCCC</CssParameter></Fill></Mark><Size>8</Size></Graphic></PointSymbolizer><PointSymbolizer><Geometry><ogc:Function name="offset"><ogc:PropertyName>geom</ogc:PropertyName><ogc:Literal>0</ogc:Literal><ogc:Function name="max"><ogc:PropertyName>number</ogc:PropertyName><ogc:Literal>2</ogc:Literal></ogc:Function></ogc:Function></Geometry><Graphic><Mark><WellKnownName>circle</WellKnownName><Fill><CssParameter name="fill">#CC3333</CssParameter></Fill></Mark><Size>8</Size></Graphic></PointSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
