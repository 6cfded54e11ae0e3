<?xml version="1.0" encoding="UTF-8"?>
<StyledLayerDescriptor version="1.0.0"
    xmlns="http://www.opengis.net/sld"
    xmlns:ogc="http://www.opengis.net/ogc"
    xmlns:gml="http://www.opengis.net/gml"
    xmlns:xlink="http://www.w3.org/1999/xlink"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://www.opengis.net/sld http://schemas.opengis.net/sld/1.0.0/StyledLayerDescriptor.xsd">
  <NamedLayer>
    <Name>peaks</Name>
    <UserStyle>
      <Title>Name, height and a line break between them</Title>
      <FeatureTypeStyle>
        <Rule>
          <TextSymbolizer>
            <Label>
              <ogc:PropertyName>name</ogc:PropertyName><![CDATA[
]]>(<ogc:PropertyName>height</ogc:PropertyName> m)
            </Label>
            <Fill>
              <CssParameter name="fill">#1A202C</CssParameter>
            </Fill>
          </TextSymbolizer>
        </Rule>
        <Rule>
          <TextSymbolizer>
            <Label>
              No.
              <ogc:PropertyName>number</ogc:PropertyName>
              <ogc:PropertyName>suffix</ogc:PropertyName>
            </Label>
          </TextSymbolizer>
        </Rule>
      </FeatureTypeStyle>
    </UserStyle>
  </NamedLayer>
</StyledLayerDescriptor>
