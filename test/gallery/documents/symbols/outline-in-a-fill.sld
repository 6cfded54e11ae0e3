<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=areas -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer><Name>it</Name><UserStyle><FeatureTypeStyle>
    <Rule>
      <PolygonSymbolizer><Fill><GraphicFill><Graphic><Mark><WellKnownName>file://pine.svg</WellKnownName><Fill><CssParameter name="fill">#207020</CssParameter></Fill></Mark><Size>14</Size></Graphic></GraphicFill></Fill><Stroke/></PolygonSymbolizer>
    </Rule>
  </FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
