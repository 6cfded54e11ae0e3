<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=places -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer><Name>it</Name><UserStyle><FeatureTypeStyle>
    <Rule>
      <PointSymbolizer><Graphic><Mark><WellKnownName>blob</WellKnownName><Fill><CssParameter name="fill">#40A0FF</CssParameter></Fill><Stroke><CssParameter name="stroke">#000000</CssParameter></Stroke></Mark><Size>14</Size></Graphic></PointSymbolizer>
    </Rule>
  </FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
