<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=areas -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer><Name>it</Name><UserStyle><FeatureTypeStyle>
    <Rule>
<PolygonSymbolizer><Fill><GraphicFill><Graphic><ExternalGraphic><OnlineResource xlink:type="simple" xlink:href="tree.svg"/><Format>image/svg+xml</Format></ExternalGraphic><Size>14</Size></Graphic></GraphicFill></Fill><Stroke/><VendorOption name="graphic-margin">4</VendorOption></PolygonSymbolizer>
    </Rule>
  </FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
