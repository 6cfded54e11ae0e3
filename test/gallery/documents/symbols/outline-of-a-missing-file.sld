<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=places -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer><Name>it</Name><UserStyle><FeatureTypeStyle>
    <Rule>
      <PointSymbolizer><Graphic><Mark><WellKnownName>file://nothing.svg</WellKnownName><Fill><CssParameter name="fill">#C0C0C0</CssParameter></Fill><Stroke><CssParameter name="stroke">#202060</CssParameter></Stroke></Mark><Size>12</Size></Graphic></PointSymbolizer>
    </Rule>
  </FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
