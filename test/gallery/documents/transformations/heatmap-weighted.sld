<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=crowd -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc">
  <NamedLayer><Name>crowd</Name><UserStyle>
    <FeatureTypeStyle>
      <Transformation>
        <ogc:Function name="gs:Heatmap">
          <ogc:Function name="parameter"><ogc:Literal>data</ogc:Literal></ogc:Function>
          <ogc:Function name="parameter"><ogc:Literal>weightAttr</ogc:Literal><ogc:Literal>weight</ogc:Literal></ogc:Function>
          <ogc:Function name="parameter"><ogc:Literal>radiusPixels</ogc:Literal>
            <ogc:Function name="env"><ogc:Literal>radius</ogc:Literal><ogc:Literal>30</ogc:Literal></ogc:Function></ogc:Function>
          <ogc:Function name="parameter"><ogc:Literal>pixelsPerCell</ogc:Literal><ogc:Literal>6</ogc:Literal></ogc:Function>
          <ogc:Function name="parameter"><ogc:Literal>outputBBOX</ogc:Literal><ogc:Function name="env"><ogc:Literal>wms_bbox</ogc:Literal></ogc:Function></ogc:Function>
          <ogc:Function name="parameter"><ogc:Literal>outputWidth</ogc:Literal><ogc:Function name="env"><ogc:Literal>wms_width</ogc:Literal></ogc:Function></ogc:Function>
          <ogc:Function name="parameter"><ogc:Literal>outputHeight</ogc:Literal><ogc:Function name="env"><ogc:Literal>wms_height</ogc:Literal></ogc:Function></ogc:Function>
        </ogc:Function>
      </Transformation>
      <Rule>
        <RasterSymbolizer>
          <Opacity>0.7</Opacity>
          <ColorMap type="ramp">
            <ColorMapEntry color="#FFFFFF" quantity="0" opacity="0"/>
            <ColorMapEntry color="#4444FF" quantity=".1"/>
            <ColorMapEntry color="#FF0000" quantity=".5"/>
            <ColorMapEntry color="#FFFF00" quantity="1"/>
          </ColorMap>
        </RasterSymbolizer>
      </Rule>
    </FeatureTypeStyle>
    <FeatureTypeStyle>
      <Rule><PointSymbolizer><Graphic><Mark><WellKnownName>circle</WellKnownName><Fill><CssParameter name="fill">#000000</CssParameter></Fill></Mark><Size>2</Size></Graphic></PointSymbolizer></Rule>
    </FeatureTypeStyle>
  </UserStyle></NamedLayer>
</StyledLayerDescriptor>
