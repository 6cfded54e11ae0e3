<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <NamedLayer>
    <Name>heights</Name>
    <UserStyle>
      <Title>Contours every hundred metres</Title>
      <FeatureTypeStyle>
        <Name>contours</Name>
        <FeatureTypeName>Feature</FeatureTypeName>
        <SemanticTypeIdentifier>generic:line</SemanticTypeIdentifier>
        <Transformation>
          <ogc:Function name="ras:Contour">
            <ogc:Function name="parameter"><ogc:Literal>data</ogc:Literal></ogc:Function>
            <ogc:Function name="parameter">
              <ogc:Literal>levels</ogc:Literal>
              <ogc:Literal>100</ogc:Literal>
              <ogc:Literal>200</ogc:Literal>
              <ogc:Literal>300</ogc:Literal>
            </ogc:Function>
          </ogc:Function>
        </Transformation>
        <Rule>
          <Title>contour</Title>
          <LineSymbolizer>
            <Stroke><CssParameter name="stroke">#A0522D</CssParameter></Stroke>
          </LineSymbolizer>
          <TextSymbolizer>
            <Label><ogc:PropertyName>value</ogc:PropertyName></Label>
            <LabelPlacement><LinePlacement/></LabelPlacement>
            <Halo/>
          </TextSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
