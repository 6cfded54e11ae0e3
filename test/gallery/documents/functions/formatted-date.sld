<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=places -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><PointSymbolizer><Graphic><Mark><WellKnownName>circle</WellKnownName><Fill><CssParameter name="fill">#CC3333</CssParameter></Fill></Mark><Size>4</Size></Graphic></PointSymbolizer><TextSymbolizer><Label><ogc:Function name="dateFormat"><ogc:Literal>d MMM yyyy</ogc:Literal><ogc:Literal>2026-11-18</ogc:Literal></ogc:Function></Label><Font><CssParameter name="font-size">11</CssParameter></Font></TextSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
