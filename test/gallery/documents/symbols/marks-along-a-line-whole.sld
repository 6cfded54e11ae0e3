<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=ways -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer><Name>it</Name><UserStyle><FeatureTypeStyle>
    <Rule>
      <LineSymbolizer><Stroke/></LineSymbolizer><LineSymbolizer><Stroke><GraphicStroke><Graphic><Mark><WellKnownName>wkt://LINESTRING (0 0, 0.5 0.5, 1 0)</WellKnownName><Stroke><CssParameter name="stroke">#902020</CssParameter></Stroke></Mark><Size>20</Size></Graphic></GraphicStroke></Stroke><VendorOption name="markAlongLine">true</VendorOption><VendorOption name="markAlongLineScaleLimit">1</VendorOption></LineSymbolizer>
    </Rule>
  </FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
