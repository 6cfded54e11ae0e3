<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <NamedLayer>
    <Name>soils</Name>
    <UserStyle>
      <Title>Soil types by their number</Title>
      <FeatureTypeStyle>
        <Rule>
          <RasterSymbolizer>
            <Geometry><ogc:PropertyName>grid</ogc:PropertyName></Geometry>
            <ColorMap type="values">
              <ColorMapEntry color="#D69E2E" quantity="1" label="sand"/>
              <ColorMapEntry color="#9C4221" quantity="2" label="clay"/>
              <ColorMapEntry color="#1A202C" quantity="3" label="peat &amp; moor"/>
            </ColorMap>
          </RasterSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
