<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=ways -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer><Name>it</Name><UserStyle><FeatureTypeStyle>
    <Rule>
<PolygonSymbolizer><Fill><CssParameter name="fill">#FFE0A0</CssParameter><CssParameter name="fill-opacity">0.6</CssParameter></Fill><Stroke><CssParameter name="stroke">#804000</CssParameter><CssParameter name="stroke-width">2</CssParameter></Stroke></PolygonSymbolizer>
    </Rule>
  </FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
