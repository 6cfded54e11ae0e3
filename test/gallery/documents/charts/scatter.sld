<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=places -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:xlink="http://www.w3.org/1999/xlink">
  <NamedLayer><Name>it</Name><UserStyle><FeatureTypeStyle>
    <Rule>
      <PointSymbolizer><Graphic><ExternalGraphic><OnlineResource xlink:type="simple" xlink:href="http://chart?cht=s&amp;chd=t:1,3,${number},9,_|20,80,50,30,10|20,60,100&amp;chds=0,10,0,100&amp;chco=d04040|4060d0|10a030&amp;chf=bg,s,F4F4E0"/><Format>application/chart</Format></ExternalGraphic><Size>34</Size></Graphic></PointSymbolizer>
    </Rule>
  </FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
