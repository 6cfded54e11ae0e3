<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=places -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><PointSymbolizer><Graphic><Mark><WellKnownName>circle</WellKnownName><Fill><CssParameter name="fill">#CC3333</CssParameter></Fill></Mark><Size><ogc:Function name="max"><ogc:Literal>3</ogc:Literal><ogc:Function name="distance"><ogc:PropertyName>geom</ogc:PropertyName><ogc:Function name="geomFromWKT"><ogc:Literal>POINT(5 7)</ogc:Literal></ogc:Function></ogc:Function></ogc:Function></Size></Graphic></PointSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
