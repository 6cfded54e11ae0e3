<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=areas -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer>
    <Name>functions</Name>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule><PolygonSymbolizer><Fill><CssParameter name="fill">#EEEEEE</CssParameter></Fill><Stroke><CssParameter name="stroke">#AAAAAA</CssParameter></Stroke></PolygonSymbolizer><TextSymbolizer><Label><ogc:PropertyName>name</ogc:PropertyName> <ogc:Function name="numberFormat"><ogc:Literal>0.0</ogc:Literal><ogc:Function name="area"><ogc:PropertyName>geom</ogc:PropertyName></ogc:Function></ogc:Function></Label><Font><CssParameter name="font-size">11</CssParameter></Font></TextSymbolizer></Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
