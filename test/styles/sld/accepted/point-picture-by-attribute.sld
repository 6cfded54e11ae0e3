<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <NamedLayer>
    <Name>signs</Name>
    <UserStyle>
      <Title>Traffic signs, each with the drawing of its kind</Title>
      <FeatureTypeStyle>
        <Rule>
          <Name>sign</Name>
          <PointSymbolizer>
            <Graphic>
              <ExternalGraphic>
                <OnlineResource xlink:type="simple" xlink:href="signs/${kind}.svg"/>
                <Format>image/svg+xml</Format>
              </ExternalGraphic>
              <Size>18</Size>
              <Rotation>
                <ogc:PropertyName>bearing</ogc:PropertyName>
              </Rotation>
            </Graphic>
            <VendorOption name="fallbackOnDefaultMark">true</VendorOption>
          </PointSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
