<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=ways -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer><Name>it</Name><UserStyle><FeatureTypeStyle>
    <Rule>
      <LineSymbolizer><Stroke><GraphicStroke><Graphic><Mark><WellKnownName>file://outline-0.svg</WellKnownName><Stroke><CssParameter name="stroke">#902020</CssParameter></Stroke></Mark><Size>12</Size></Graphic></GraphicStroke></Stroke><VendorOption name="markAlongLine">true</VendorOption></LineSymbolizer>
    </Rule>
  </FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
