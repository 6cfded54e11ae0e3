<?xml version="1.0" encoding="UTF-8"?>
<!-- gallery: data=photo crs=EPSG:3857 box=0,0,4452779,2273030 -->
<StyledLayerDescriptor version="1.0.0" xmlns="http://www.opengis.net/sld" xmlns:ogc="http://www.opengis.net/ogc" xmlns:gml="http://www.opengis.net/gml">
  <NamedLayer><Name>photo</Name><UserStyle><FeatureTypeStyle>
    <Transformation><ogc:Function name="ras:CropCoverage">
      <ogc:Function name="parameter"><ogc:Literal>coverage</ogc:Literal></ogc:Function>
      <ogc:Function name="parameter"><ogc:Literal>cropShape</ogc:Literal><ogc:Literal>POLYGON ((10 4, 30 4, 30 16, 10 16, 10 4))</ogc:Literal></ogc:Function>
    </ogc:Function></Transformation>
    <Rule><RasterSymbolizer><Opacity>1</Opacity></RasterSymbolizer></Rule>
  </FeatureTypeStyle></UserStyle></NamedLayer>
</StyledLayerDescriptor>
