<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=areas -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer><Name>it</Name><UserStyle><FeatureTypeStyle>
    <Rule>
<PolygonSymbolizer><Fill><CssParameter name="fill">#E0F0D0</CssParameter></Fill><Stroke><CssParameter name="stroke">#000000</CssParameter><CssParameter name="stroke-width">1</CssParameter></Stroke><VendorOption name="exactStrokes">true</VendorOption></PolygonSymbolizer>
    </Rule>
  </FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
