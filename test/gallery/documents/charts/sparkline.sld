<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=places -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer><Name>it</Name><UserStyle><FeatureTypeStyle>
    <Rule>
      <PointSymbolizer><Graphic><ExternalGraphic><OnlineResource xlink:type="simple" xlink:href="http://chart?cht=ls&amp;chd=t:10,60,${number*15},30,80,20&amp;chco=404040&amp;chls=1&amp;chf=bg,s,FFFFFF00&amp;chs=40x16"/><Format>application/chart</Format></ExternalGraphic></Graphic></PointSymbolizer>
    </Rule>
  </FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
