<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=crowd env=high:0.6 -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer><Name>crowd</Name><UserStyle><FeatureTypeStyle>
    <Transformation><ogc:Function name="ras:Contour">
      <ogc:Function name="parameter"><ogc:Literal>data</ogc:Literal>
        <ogc:Function name="vec:Heatmap">
          <ogc:Function name="parameter"><ogc:Literal>data</ogc:Literal></ogc:Function>
          <ogc:Function name="parameter"><ogc:Literal>radiusPixels</ogc:Literal><ogc:Literal>25</ogc:Literal></ogc:Function>
        </ogc:Function>
      </ogc:Function>
      <ogc:Function name="parameter"><ogc:Literal>levels</ogc:Literal><ogc:Literal>0.1</ogc:Literal><ogc:Literal>0.3</ogc:Literal>
        <ogc:Function name="env"><ogc:Literal>high</ogc:Literal><ogc:Literal>0.9</ogc:Literal></ogc:Function></ogc:Function>
    </ogc:Function></Transformation>
    <Rule><LineSymbolizer><Stroke><CssParameter name="stroke">#aa0000</CssParameter></Stroke></LineSymbolizer></Rule>
  </FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
