<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=ways -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer><Name>it</Name><UserStyle><FeatureTypeStyle>
    <Rule>
<PolygonSymbolizer><Fill><GraphicFill><Graphic><Mark><WellKnownName>shape://slash</WellKnownName><Stroke><CssParameter name="stroke">#804000</CssParameter></Stroke></Mark><Size>8</Size></Graphic></GraphicFill></Fill><Stroke><CssParameter name="stroke">#804000</CssParameter><CssParameter name="stroke-width">2</CssParameter></Stroke></PolygonSymbolizer>
    </Rule>
  </FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
