<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=winds -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer><Name>it</Name><UserStyle><FeatureTypeStyle>
    <Rule>
      <PointSymbolizer><Graphic><Mark><WellKnownName>windbarbs://default(${speed})[kn]?hemisphere=s</WellKnownName><Fill><CssParameter name="fill">#D02020</CssParameter></Fill><Stroke><CssParameter name="stroke">#000000</CssParameter></Stroke></Mark><Size>24</Size><Rotation><ogc:PropertyName>from</ogc:PropertyName></Rotation></Graphic></PointSymbolizer>
    </Rule>
  </FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
