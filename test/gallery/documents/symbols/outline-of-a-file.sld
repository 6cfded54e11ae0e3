<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=places -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer><Name>it</Name><UserStyle><FeatureTypeStyle>
    <Rule>
      <PointSymbolizer><Graphic><Mark><WellKnownName>file://pine.svg</WellKnownName><Fill><CssParameter name="fill">#60C060</CssParameter></Fill><Stroke><CssParameter name="stroke">#202060</CssParameter></Stroke></Mark><Size>26</Size></Graphic></PointSymbolizer>
    </Rule>
  </FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
