<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <Name>compare</Name>
  <Title>Data of another server</Title>
  <Abstract>Only what lies in two kinds of land use, in one year.</Abstract>
  <UserLayer>
    <Name>elsewhere</Name>
    <RemoteOWS>
      <Service>WFS</Service>
      <OnlineResource xlink:type="simple" xlink:href="https://example.org/wfs?"/>
    </RemoteOWS>
    <LayerFeatureConstraints>
      <FeatureTypeConstraint>
        <FeatureTypeName>land:use</FeatureTypeName>
        <ogc:Filter>
          <ogc:PropertyIsEqualTo>
            <ogc:PropertyName>kind</ogc:PropertyName>
            <ogc:Literal>wood</ogc:Literal>
          </ogc:PropertyIsEqualTo>
        </ogc:Filter>
        <Extent>
          <Name>time</Name>
          <Value>2021</Value>
        </Extent>
      </FeatureTypeConstraint>
    </LayerFeatureConstraints>
    <UserStyle>
      <FeatureTypeStyle>
        <Rule>
          <PolygonSymbolizer><Fill/></PolygonSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </UserLayer>
</StyledLayerDescriptor>
