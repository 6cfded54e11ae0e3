<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=hill -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer><Name>hill</Name><UserStyle>
    <FeatureTypeStyle><Rule><RasterSymbolizer><ColorMap>
      <ColorMapEntry color="#2b83ba" quantity="0"/><ColorMapEntry color="#ffffbf" quantity="100"/><ColorMapEntry color="#d7191c" quantity="200"/>
    </ColorMap></RasterSymbolizer></Rule></FeatureTypeStyle>
    <FeatureTypeStyle>
      <Transformation>
        <ogc:Function name="ras:Contour">
          <ogc:Function name="parameter"><ogc:Literal>data</ogc:Literal></ogc:Function>
          <ogc:Function name="parameter"><ogc:Literal>interval</ogc:Literal><ogc:Literal>20</ogc:Literal></ogc:Function>
        </ogc:Function>
      </Transformation>
      <Rule>
        <ogc:Filter><ogc:PropertyIsEqualTo><ogc:PropertyName>value</ogc:PropertyName><ogc:Literal>100</ogc:Literal></ogc:PropertyIsEqualTo></ogc:Filter>
        <LineSymbolizer><Stroke><CssParameter name="stroke-width">3</CssParameter></Stroke></LineSymbolizer>
      </Rule>
      <Rule><ElseFilter/><LineSymbolizer><Stroke><CssParameter name="stroke">#333333</CssParameter></Stroke></LineSymbolizer></Rule>
    </FeatureTypeStyle>
  </UserStyle></NamedLayer>
</StyledLayerDescriptor>
