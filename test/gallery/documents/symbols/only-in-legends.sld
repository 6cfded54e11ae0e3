<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=places -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer><Name>it</Name><UserStyle>
    <FeatureTypeStyle>
      <Rule>
        <PointSymbolizer><Graphic><Mark><WellKnownName>square</WellKnownName></Mark><Size>30</Size></Graphic><VendorOption name="inclusion">legendOnly</VendorOption></PointSymbolizer>
        <PointSymbolizer><Graphic><Mark><WellKnownName>star</WellKnownName><Fill><CssParameter name="fill">#D08000</CssParameter></Fill></Mark><Size>14</Size></Graphic><VendorOption name="inclusion">mapOnly</VendorOption></PointSymbolizer>
      </Rule>
      <Rule>
        <PointSymbolizer><Graphic><Mark><WellKnownName>circle</WellKnownName></Mark><Size>40</Size></Graphic></PointSymbolizer>
        <VendorOption name="inclusion">legendOnly</VendorOption>
      </Rule>
    </FeatureTypeStyle>
    <FeatureTypeStyle>
      <Rule><PointSymbolizer><Graphic><Mark><WellKnownName>x</WellKnownName></Mark><Size>40</Size></Graphic></PointSymbolizer></Rule>
      <VendorOption name="inclusion">legendOnly</VendorOption>
    </FeatureTypeStyle>
  </UserStyle></NamedLayer>
</StyledLayerDescriptor>
