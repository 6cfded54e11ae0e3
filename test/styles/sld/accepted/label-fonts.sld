<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <NamedLayer>
    <Name>villages</Name>
    <UserStyle>
      <Title>Several fonts to choose from</Title>
      <FeatureTypeStyle>
        <Rule>
          <TextSymbolizer>
            <Label>
              <ogc:Function name="Concatenate">
                <ogc:PropertyName>name</ogc:PropertyName>
                <ogc:Literal>, </ogc:Literal>
                <ogc:Function name="strToUpperCase">
                  <ogc:PropertyName>country</ogc:PropertyName>
                </ogc:Function>
              </ogc:Function>
            </Label>
            <Font>
              <CssParameter name="font-family">Noto Sans</CssParameter>
              <CssParameter name="font-family">DejaVu Sans</CssParameter>
              <CssParameter name="font-family">SansSerif</CssParameter>
              <CssParameter name="font-size">
                <ogc:Function name="Interpolate">
                  <ogc:PropertyName>people</ogc:PropertyName>
                  <ogc:Literal>0</ogc:Literal>
                  <ogc:Literal>8</ogc:Literal>
                  <ogc:Literal>1000000</ogc:Literal>
                  <ogc:Literal>20</ogc:Literal>
                </ogc:Function>
              </CssParameter>
            </Font>
            <Snippet><ogc:PropertyName>name</ogc:PropertyName></Snippet>
            <FeatureDescription>People: <ogc:PropertyName>people</ogc:PropertyName></FeatureDescription>
            <OtherText target="extrude">true</OtherText>
          </TextSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
