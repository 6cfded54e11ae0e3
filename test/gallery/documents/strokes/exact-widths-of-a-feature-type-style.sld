<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=ways -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer><Name>it</Name><UserStyle><FeatureTypeStyle>
    <Rule>
<LineSymbolizer><Stroke><CssParameter name="stroke">#000000</CssParameter><CssParameter name="stroke-width">1</CssParameter></Stroke></LineSymbolizer>
    </Rule><VendorOption name="exactStrokes">true</VendorOption>
  </FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
