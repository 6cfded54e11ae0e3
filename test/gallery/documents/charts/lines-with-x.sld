<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=places -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer><Name>it</Name><UserStyle><FeatureTypeStyle>
    <Rule>
      <PointSymbolizer><Graphic><ExternalGraphic><OnlineResource xlink:type="simple" xlink:href="http://chart?cht=lxy&amp;chd=t:0,10,${number*15},100|10,80,30,60|-1|90,20,_,40,50&amp;chco=d04040,4060d0&amp;chf=bg,s,F4F4E0"/><Format>application/chart</Format></ExternalGraphic><Size>34</Size></Graphic></PointSymbolizer>
    </Rule>
  </FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
