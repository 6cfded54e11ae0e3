<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=areas -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer><Name>it</Name><UserStyle><FeatureTypeStyle>
    <Rule>
      <PolygonSymbolizer><Fill><CssParameter name="fill">#FFE080</CssParameter></Fill></PolygonSymbolizer><PolygonSymbolizer><Geometry><ogc:Function name="buffer"><ogc:PropertyName>geom</ogc:PropertyName><ogc:Literal>-1</ogc:Literal></ogc:Function></Geometry><Fill><CssParameter name="fill">#80C0FF</CssParameter></Fill><VendorOption name="composite">multiply</VendorOption></PolygonSymbolizer><LineSymbolizer><Stroke><CssParameter name="stroke">#404040</CssParameter></Stroke></LineSymbolizer>
    </Rule>
  </FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
