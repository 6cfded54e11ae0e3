<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=places -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer><Name>it</Name><UserStyle><FeatureTypeStyle>
    <Rule>
      <PointSymbolizer><Graphic><ExternalGraphic><OnlineResource xlink:type="simple" xlink:href="entities.svg"/><Format>image/svg+xml</Format></ExternalGraphic><Size>22</Size></Graphic></PointSymbolizer>
    </Rule>
  </FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
