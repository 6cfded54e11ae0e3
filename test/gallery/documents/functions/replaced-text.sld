<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=areas -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><PolygonSymbolizer><Fill><CssParameter name="fill">#EEEEEE</CssParameter></Fill><Stroke><CssParameter name="stroke">#AAAAAA</CssParameter></Stroke></PolygonSymbolizer><TextSymbolizer><Label><ogc:Function name="strReplace"><ogc:PropertyName>name</ogc:PropertyName><ogc:Literal>^(\w)(\w\w).*</ogc:Literal><ogc:Literal>$2-$1</ogc:Literal><ogc:Literal>true</ogc:Literal></ogc:Function></Label><Font><CssParameter name="font-size">11</CssParameter></Font></TextSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
