<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=areas -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><PolygonSymbolizer><Fill><CssParameter name="fill"><ogc:Function name="Recode"><ogc:PropertyName>kind</ogc:PropertyName><ogc:Literal>wood</ogc:Literal><ogc:Literal>#338833</ogc:Literal><ogc:Literal>field</ogc:Literal><ogc:Literal>#DDCC66</ogc:Literal><ogc:Literal>lake</ogc:Literal><ogc:Literal>#6699DD</ogc:Literal></ogc:Function></CssParameter></Fill><Stroke><CssParameter name="stroke">#336633</CssParameter></Stroke></PolygonSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
