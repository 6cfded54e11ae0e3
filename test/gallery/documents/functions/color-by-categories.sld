<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=areas -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><PolygonSymbolizer><Fill><CssParameter name="fill"><ogc:Function name="Categorize"><ogc:PropertyName>people</ogc:PropertyName><ogc:Literal>#FFEECC</ogc:Literal><ogc:Literal>120</ogc:Literal><ogc:Literal>#FFAA66</ogc:Literal><ogc:Literal>2300</ogc:Literal><ogc:Literal>#AA3300</ogc:Literal></ogc:Function></CssParameter></Fill><Stroke><CssParameter name="stroke">#336633</CssParameter></Stroke></PolygonSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
