<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=photo -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer><Name>photo</Name><UserStyle><FeatureTypeStyle>
    <Transformation><ogc:Function name="ras:Jiffle">
      <ogc:Function name="parameter"><ogc:Literal>coverage</ogc:Literal></ogc:Function>
      <ogc:Function name="parameter"><ogc:Literal>script</ogc:Literal><ogc:Literal><![CDATA[
        // A normalized difference of two bands.
        sum = src[0] + src[1];
        if (sum == 0) { nd = 0; } else { nd = (src[0] - src[1]) / sum; }
        dest = nd;
      ]]></ogc:Literal></ogc:Function>
    </ogc:Function></Transformation>
    <Rule><RasterSymbolizer><ColorMap>
      <ColorMapEntry color="#8c510a" quantity="-1"/><ColorMapEntry color="#f5f5f5" quantity="0"/><ColorMapEntry color="#01665e" quantity="1"/>
    </ColorMap></RasterSymbolizer></Rule>
  </FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
